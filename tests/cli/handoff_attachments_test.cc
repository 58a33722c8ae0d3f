// Attachments in a hand-off: what the next agent takes is carried, whatever stands beside it, and the rest is named.
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
  static std::string pdf(const std::string& data) {
    return R"({"type":"document","source":{"type":"base64","media_type":"application/pdf","data":")" + data + "\"}}";
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
      EXPECT_TRUE(files.contains("[audio, audio/wav, 4 bytes: not carried]")) << to << files;
      EXPECT_TRUE(out.contains("       1  image\n")) << to << out;
      const std::string why = ": a note replaces them: the next agent has no place for them\n";
      EXPECT_TRUE(out.contains("1  audio recording" + why)) << to << out;
      if (to == "claude-code") {
        EXPECT_TRUE(files.contains(pdf("JVBERi0="))) << files;
        EXPECT_TRUE(out.contains("       1  document\n")) << out;
      } else {
        EXPECT_TRUE(files.contains("[a document, application/pdf, 5 bytes: not carried]")) << to << files;
        EXPECT_TRUE(out.contains("1  document" + why)) << to << out;
      }
    }
    ASSERT_EQ(sh("$H show " + session), 0) << err;
    EXPECT_TRUE(out.contains("a document, application/pdf") && !out.contains("an image, application")) << out;
    ASSERT_EQ(sh("$H show " + session + " --format json"), 0) << err;
    for (const std::string kind : {"image", "document", "audio"})
      EXPECT_TRUE(out.contains(R"("type":")" + kind + "\"")) << kind << out;
  }
}

TEST_F(HandoffAttachments, DocumentsOfClaudeCodeAreShown) {
  const std::string titled = R"({"type":"document","title":"Plan","context":"from the zoo","source":{"type":"base64",)"
                             R"("media_type":"application/pdf","data":"JVBERi0="}})";
  put_session(
      record("u1", "", "user", "[" + titled + "]") +
      record("a1", "u1", "assistant", R"([{"type":"tool_use","id":"t1","name":"Fetch","input":{}}])") +
      record("u2", "a1", "user", R"([{"type":"tool_result","tool_use_id":"t1","content":[)" + pdf("JVBERi0=") + "]}]"));
  ASSERT_EQ(sh("$H show bbbb --tools"), 0) << err;
  EXPECT_TRUE(out.contains("a document, application/pdf, Plan")) << out;
  EXPECT_FALSE(out.contains("JVBERi0=")) << out;
  ASSERT_EQ(sh("$H show bbbb --format json"), 0) << err;
  EXPECT_TRUE(out.contains(R"("type":"document")") && !out.contains(R"("type":"other")")) << out;
  const std::string files = written("bbbb", "claude-code");
  EXPECT_TRUE(files.contains(R"("title":"Plan","context":"from the zoo")")) << files;
}

// Holdfast's own stores hold everything.
TEST_F(HandoffAttachments, OwnStoreTakesEveryAttachment) {
  prompt(pdf("JVBERi0=") + R"(,{"type":"text","text":"look"})");
  EXPECT_TRUE(written("bbbb", "holdfast").contains("%PDF-"));
  EXPECT_TRUE(out.contains("       1  document\n") && !out.contains("Changed")) << out;
}

TEST_F(HandoffAttachments, TextDocumentIsDocumentOrMarkedText) {
  const std::string document = R"({"type":"document","source":{"type":"text","media_type":"text/plain",)"
                               R"("data":"the tusks are grey"},"title":"notes.txt","context":"from the zoo"})";
  prompt(document + R"(,{"type":"text","text":"look"})");
  EXPECT_TRUE(written("bbbb", "claude-code").contains(document)) << out;
  EXPECT_TRUE(out.contains("       1  document\n")) << out;
  const std::string own = written("bbbb", "holdfast");
  EXPECT_TRUE(own.contains("the tusks are grey") && own.contains("from the zoo")) << own;
  for (const std::string to : {"codex", "gemini", "qwen", "pi", "copilot", "opencode"}) {
    const std::string files = written("bbbb", to);
    EXPECT_TRUE(files.contains(R"([a document, text/plain, notes.txt, 18 bytes:]\nthe tusks are grey\n)"
                               R"([the end of the document])"))
        << to << files;
    EXPECT_TRUE(out.contains("1  document: converted to text that begins with the title\n")) << to << out;
  }
}

// A list of texts is one; what is only an address, or is not base64, is named.
TEST_F(HandoffAttachments, DocumentsOfOtherSourcesAreCarriedOrNamed) {
  prompt(R"({"type":"document","source":{"type":"content","content":[{"type":"text","text":"grey"},)"
         R"({"type":"text","text":"tusks"}]}},)"
         R"({"type":"document","source":{"type":"url","url":"https://example.org/a.pdf"},"title":"Plan"},)" +
         pdf("%%%") + R"(,{"type":"text","text":"look"})");
  for (const std::string to : {"codex", "claude-code"}) {
    const std::string files = written("bbbb", to);
    EXPECT_TRUE(files.contains(R"(grey\ntusks)")) << to << files;
    EXPECT_TRUE(files.contains("[a document, Plan, https://example.org/a.pdf: not carried]")) << to << files;
    EXPECT_TRUE(files.contains("[a document, application/pdf: not carried]")) << to << files;
    EXPECT_TRUE(
        out.contains("1  document: a note replaces them: the session only refers to them, and does not hold "
                     "their bytes\n"))
        << to << out;
    EXPECT_TRUE(out.contains("1  document: a note replaces them: their bytes could not be read\n")) << to << out;
  }
}

TEST_F(HandoffAttachments, RedactionCoversDocuments) {
  const std::string secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
  prompt(R"({"type":"document","source":{"type":"text","media_type":"text/plain","data":"key: )" + secret +
         R"("},"title":"t )" + secret + R"(","context":"c )" + secret + R"("},{"type":"text","text":"look"})");
  for (const std::string to : {"codex", "claude-code", "holdfast"}) {
    const std::string files = written("bbbb", to, " --redact");
    EXPECT_FALSE(files.contains("ghp_")) << to << files;
    EXPECT_TRUE(files.contains("key: ")) << to << files;
  }
}

// Claude Code adds a PDF that its tool has read as a message of its own.
TEST_F(HandoffAttachments, DocumentsThatTheAgentAddedAreNamed) {
  put_session(record("u1", "", "user", "\"look\"") +
              record("m1", "u1", "user", "[" + pdf("JVBERi0=") + "]", R"(,"isMeta":true)") +
              answer("a1", "m1", "seen"));
  (void)written("bbbb", "codex");
  EXPECT_TRUE(out.contains("1  document: the agent added them, after reading a file for example\n")) << out;
  EXPECT_FALSE(out.contains("context that")) << out;
}

// Files and selections are named by their paths, and a selection has its text.
TEST_F(HandoffAttachments, AttachmentsOfCopilotAreCarriedOrNamed) {
  const std::string session = "cccccccc-0000-4000-8000-000000000001";
  put(".copilot/session-state/" + session + "/events.jsonl",
      R"({"type":"session.start","data":{"sessionId":")" + session +
          R"(","version":1,"producer":"copilot-agent","copilotVersion":"1.0.102","startTime":"2026-01-01T00:00:00.000Z",)"
          R"("context":{"cwd":"/srv/proj"}},"id":"e1","timestamp":"2026-01-01T00:00:00.000Z","parentId":null})"
          "\n"
          R"({"type":"user.message","data":{"content":"look","attachments":[)"
          R"({"type":"file","path":"/srv/proj/a.cc","displayName":"a.cc"},)"
          R"({"type":"selection","filePath":"/srv/proj/b.cc","displayName":"b.cc","text":"int tusks;"},)"
          R"({"type":"blob","mimeType":"application/pdf","data":"JVBERi0=","displayName":"plan.pdf"},)"
          R"({"type":"blob","mimeType":"image/png","data":")" +
          kPixel +
          R"(","displayName":"shot.png"}]},"id":"e2","timestamp":"2026-01-01T00:00:01.000Z","parentId":"e1"})" + "\n");
  for (const std::string to : {"codex", "claude-code"}) {
    const std::string files = written("cccc", to);
    EXPECT_TRUE(files.contains(kPixel) && out.contains("       1  image\n")) << to << files << out;
    EXPECT_TRUE(files.contains("[a document, /srv/proj/a.cc: not carried]")) << to << files;
    EXPECT_TRUE(files.contains("int tusks;") && files.contains("/srv/proj/b.cc")) << to << files;
    EXPECT_TRUE(out.contains("1  document: a note replaces them: the session only refers to them")) << to << out;
    EXPECT_FALSE(out.contains("of other kinds")) << to << out;
    if (to == "claude-code") {
      EXPECT_TRUE(files.contains(R"("data":"JVBERi0="},"title":"plan.pdf"})")) << files;
      EXPECT_TRUE(out.contains("       2  documents\n")) << out;
    } else {
      EXPECT_TRUE(files.contains("[a document, application/pdf, plan.pdf, 5 bytes: not carried]")) << files;
      EXPECT_TRUE(out.contains("1  document: converted to text that begins with the title\n")) << out;
      EXPECT_TRUE(out.contains("1  document: a note replaces them: the next agent has no place for them\n")) << out;
    }
  }
}

}  // namespace
}  // namespace holdfast::inline v1
