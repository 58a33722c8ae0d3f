// Attachments in a hand-off: pictures that can be read are carried, whatever stands beside them.
#include "tests/cli/handoff_home_testing.h"

namespace holdfast::inline v1 {
namespace {

// One transparent pixel, and another one.
const std::string kPixel =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const std::string kOther =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgAAACAAAB4iG8MwAAAABJRU5ErkJggg==";

struct HandoffAttachments : HandoffHome {
  void prompt(const std::string& content, const std::string& more = "") {
    put_session(record("u1", "", "user", "[" + content + "]", more));
  }
  static std::string picture(const std::string& data) {
    return R"({"type":"image","source":{"type":"base64","media_type":"image/png","data":")" + data + "\"}}";
  }
};

TEST_F(HandoffAttachments, UnreadablePictureDoesNotTakeOthersWithIt) {
  const std::string address = R"({"type":"image","source":{"type":"url","url":"https://example.org/a.png"}})";
  const std::string named = R"({"type":"image","source":{"type":"file","file_id":"file_abc"}})";
  const std::string only = ": a note replaces them: the session only refers to them, and does not hold their bytes\n";
  for (const auto& [content, left] : {std::pair(picture(kPixel) + "," + address, "1  image" + only),
                                      std::pair(address + "," + picture(kPixel), "1  image" + only),
                                      std::pair(picture(kPixel) + "," + named, "1  image" + only),
                                      std::pair(named + "," + picture(kPixel) + "," + address, "2  images" + only)}) {
    prompt(content + R"(,{"type":"text","text":"look"})");
    for (const std::string to : {"codex", "gemini", "claude-code"}) {
      EXPECT_TRUE(written("bbbb", to).contains(kPixel)) << to << content;
      EXPECT_TRUE(out.contains("       1  image\n")) << to << out;
      EXPECT_TRUE(out.contains(left)) << to << out;
    }
  }
}

TEST_F(HandoffAttachments, PictureWithoutBytesDoesNotTakeOthersWithIt) {
  prompt(picture(kPixel) + "," + picture("") + "," + picture(kOther) + R"(,{"type":"text","text":"look"})");
  const std::string files = written("bbbb", "codex");
  EXPECT_TRUE(files.contains(kPixel) && files.contains(kOther)) << files;
  EXPECT_LT(files.find(kPixel), files.find(kOther));
  EXPECT_TRUE(out.contains("1  image: a note replaces them: their bytes could not be read\n")) << out;
}

// A record of Claude Code may repeat the output of a tool.
TEST_F(HandoffAttachments, RepeatedPicturesAreCarriedOnce) {
  prompt(picture(kPixel) + "," + picture(kOther) + R"(,{"type":"text","text":"look"})",
         R"(,"toolUseResult":[)" + picture(kPixel) + "," + picture(kOther) + "]");
  const std::string files = written("bbbb", "codex");
  EXPECT_LT(files.find(kPixel), files.find(kOther)) << files;
  EXPECT_TRUE(out.contains("       2  images\n")) << out;
}

TEST_F(HandoffAttachments, DocumentsAndAudioAreNotPictures) {
  const auto part = [](const std::string& type, const std::string& data) {
    return R"(,{"inlineData":{"mimeType":")" + type + R"(","data":")" + data + "\"}}";
  };
  const std::string parts = R"([{"text":"look"})" + part("image/png", kPixel) + part("application/pdf", "JVBERi0=") +
                            part("audio/wav", "UklGRg==") + "]";
  put(".gemini/tmp/alpha/chats/session-2026-01-01T00-00-9617824d.jsonl",
      R"({"sessionId":"9617824d-0000-4000-8000-000000000001","projectHash":"h","startTime":"2026-01-01T00:00:00.000Z",)"
      R"("lastUpdated":"2026-01-01T00:00:00.000Z","kind":"main"})"
      "\n"
      R"({"id":"u1","timestamp":"2026-01-01T00:00:01.000Z","type":"user","content":)" +
          parts + "}\n");
  put(".qwen/projects/-proj/chats/e3492b98-0000-4000-8000-000000000001.jsonl",
      R"({"uuid":"u1","parentUuid":null,"sessionId":"e3492b98-0000-4000-8000-000000000001","type":"user","cwd":")" +
          home + R"(/proj","timestamp":"2026-01-01T00:00:01.000Z","message":{"role":"user","parts":)" + parts + "}}\n");
  for (const std::string session : {"9617824d", "e3492b98"}) {
    for (const std::string to : {"gemini", "qwen", "claude-code"}) {
      const std::string files = written(session, to);
      EXPECT_TRUE(files.contains(kPixel)) << to << files;
      EXPECT_TRUE(files.contains("[a document, application/pdf: not carried]")) << to << files;
      EXPECT_TRUE(files.contains("[audio, audio/wav: not carried]")) << to << files;
      EXPECT_TRUE(out.contains("       1  image\n")) << to << out;
      EXPECT_TRUE(out.contains("2  documents and audio: a note replaces them: of attachments, only images are carried"))
          << to << out;
    }
    ASSERT_EQ(sh("$H show " + session), 0) << err;
    EXPECT_TRUE(out.contains("a document, application/pdf") && !out.contains("an image, application")) << out;
    ASSERT_EQ(sh("$H show " + session + " --format json"), 0) << err;
    for (const std::string kind : {"image", "document", "audio"})
      EXPECT_TRUE(out.contains(R"("type":")" + kind + "\"")) << kind << out;
  }
}

}  // namespace
}  // namespace holdfast::inline v1
