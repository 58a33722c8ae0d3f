// A document in a prompt that is a text is content: found, shown, shared and carried.
#include "tests/cli/handoff_home_testing.h"

namespace holdfast::inline v1 {
namespace {

struct TextDocuments : HandoffHome {
  void SetUp() override {
    HandoffHome::SetUp();
    const std::string document = R"({"type":"document","title":"spec.txt","source":{"type":"text",)"
                                 R"("media_type":"text/plain","data":"OCTOPUS body"}})";
    const std::string listed = R"({"type":"document","source":{"type":"content","content":[)"
                               R"({"type":"text","text":"CUTTLEFISH"},{"type":"text","text":"arms"}]}})";
    put_session(record("u1", "", "user", "[" + document + "," + listed + R"(,{"type":"text","text":"read it"}])") +
                answer("a1", "u1", "done"));
  }
};

TEST_F(TextDocuments, AreFoundAndShown) {
  for (const std::string word : {"OCTOPUS", "spec.txt", "CUTTLEFISH"}) {
    SCOPED_TRACE(word);
    EXPECT_EQ(sh("$H search " + word), 0) << out << err;
    for (const std::string& line :
         {std::string("show bbbb"), std::string("show bbbb --format json"), std::string("export bbbb --format md"),
          std::string("export bbbb --format html"), std::string("share bbbb")}) {
      ASSERT_EQ(sh("$H " + line), 0) << line << err;
      EXPECT_TRUE(out.contains(word)) << line << "\n" << out;
    }
  }
  ASSERT_EQ(sh("$H show bbbb"), 0) << err;
  EXPECT_TRUE(out.contains("(a document, text/plain, spec.txt, 12 bytes)\n      OCTOPUS body\n")) << out;
  ASSERT_EQ(sh("$H show bbbb --format json"), 0) << err;
  EXPECT_TRUE(out.contains(R"({"type":"document","media_type":"text/plain","bytes":12,)")) << out;
  EXPECT_FALSE(out.contains(R"("type":"other")")) << out;
}

TEST_F(TextDocuments, AreMaskedWhereSecretsAre) {
  const std::string secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
  put_session(
      record("u1", "", "user",
             R"([{"type":"document","title":"keys","source":{"type":"text","media_type":"text/plain","data":"a )" +
                 secret + R"("}}])"));
  for (const std::string line :
       {"share bbbb", "export bbbb --format md --redact", "export bbbb --format json --redact"}) {
    ASSERT_EQ(sh("$H " + line), 0) << line << err;
    EXPECT_FALSE(out.contains(secret)) << line << out;
    EXPECT_TRUE(out.contains("redacted")) << line << out;
  }
}

TEST_F(TextDocuments, StayDocumentsInOwnStore) {
  ASSERT_EQ(sh("$H handoff bbbb --to holdfast --project $HOME/proj"), 0) << err;
  EXPECT_TRUE(out.contains("       2  documents\n") && !out.contains("Changed")) << out;
  for (const std::string word : {"OCTOPUS", "spec.txt", "CUTTLEFISH"})
    EXPECT_EQ(sh("$H search " + word + " -a holdfast"), 0) << word << out << err;
  ASSERT_EQ(sh("$H show @last"), 0) << err;
  EXPECT_TRUE(out.contains("(a document, text/plain, spec.txt") && out.contains("OCTOPUS body")) << out;
  ASSERT_EQ(sh("$H show @last --format json"), 0) << err;
  EXPECT_TRUE(out.contains(R"("type":"document")") && out.contains("OCTOPUS body")) << out;
}

// Exported and imported again it is the same document.
TEST_F(TextDocuments, SurviveExportAndImport) {
  ASSERT_EQ(sh("$H export bbbb --format json > $HOME/s.json"), 0) << err;
  for (const std::string& store : {"holdfast:" + home + "/h", "open-agent:" + home + "/o"}) {
    ASSERT_EQ(sh("$H import $HOME/s.json --store " + store), 0) << store << err;
    ASSERT_EQ(sh("$H show @last --store " + store), 0) << store << err;
    EXPECT_TRUE(out.contains("spec.txt") && out.contains("OCTOPUS body") && out.contains("CUTTLEFISH")) << store << out;
  }
}

// In extensions for editors, Continue attaches files to prompts, makes one call at a time and names the project by a
// URI.
TEST_F(TextDocuments, OfContinue) {
  std::filesystem::remove_all(home + "/.claude");
  const std::string session = "12340000-0000-4000-8000-000000000002";
  put(".continue/sessions/" + session + ".json",
      R"({"sessionId":")" + session +
          R"(","title":"t","workspaceDirectory":"file:///home/u/my%20p","history":[{"message":{"role":"user",)"
          R"("content":"q"},"contextItems":[{"name":"a.ts","description":"d","content":"SQUID"}]},)"
          R"({"message":{"role":"assistant","content":"","toolCalls":[{"id":"o1","type":"function","function":)"
          R"({"name":"ls","arguments":"{}"}}],"usage":{"promptTokens":12,"completionTokens":3}},"contextItems":[],)"
          R"("toolCallState":{"toolCallId":"o1","status":"done","output":[{"name":"n","content":"OLDOUT"}]}},)"
          R"({"message":{"role":"assistant","content":"done"},"contextItems":[]}]})");
  for (const std::string word : {"OLDOUT", "SQUID"}) {
    EXPECT_EQ(sh("$H search " + word), 0) << word << out << err;
    ASSERT_EQ(sh("$H show 1234"), 0) << err;
    EXPECT_TRUE(out.contains(word)) << out;
  }
  EXPECT_TRUE(out.contains("(a document, text/plain, a.ts, 5 bytes)")) << out;
  EXPECT_FALSE(out.contains("(no result)")) << out;
  EXPECT_EQ(sh("touch -d yesterday $HOME/.continue/sessions/* && $H verify"), 0) << out << err;
  ASSERT_EQ(sh("$H ls --json"), 0) << err;
  EXPECT_TRUE(out.contains(R"("project":"/home/u/my p")") && out.contains(R"("status":"active")")) << out;
  EXPECT_TRUE(out.contains(R"("usage":{"input":12,"output":3,)")) << out;
  EXPECT_TRUE(written("1234", "codex").contains(R"(a.ts, 5 bytes:]\nSQUID)")) << out;
}

// What is not a text says how large it is.
TEST_F(TextDocuments, OtherAttachmentsHaveSizes) {
  put_session(
      record("u1", "", "user",
             R"([{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgo="}},)"
             R"({"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"JVBERi0="}}])"));
  ASSERT_EQ(sh("$H show bbbb --format json"), 0) << err;
  EXPECT_TRUE(out.contains(R"({"type":"image","media_type":"image/png","bytes":8})")) << out;
  EXPECT_TRUE(out.contains(R"({"type":"document","media_type":"application/pdf","bytes":5})")) << out;
}

// A trajectory has no place for attachments but `extra`, from which import reads them.
TEST_F(TextDocuments, TrajectoriesKeepAttachments) {
  const std::string picture =
      R"({"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgo="}})";
  put_session(record("u1", "", "user",
                     "[" + picture +
                         R"(,{"type":"document","source":{"type":"base64","media_type":"application/pdf",)"
                         R"("data":"JVBERi0="}}])") +
              record("a1", "u1", "assistant", R"([{"type":"tool_use","id":"t1","name":"Look","input":{}}])") +
              record("u2", "a1", "user",
                     R"([{"type":"tool_result","tool_use_id":"t1","content":[{"type":"text","text":"seen"},)" +
                         picture + "]}]") +
              answer("a2", "u2", "done"));
  ASSERT_EQ(sh("$H export bbbb --format atif > $HOME/t.json"), 0) << err;
  EXPECT_EQ(err, "");
  ASSERT_EQ(sh("$H call session.export '{\"id\":\"bbbb\",\"format\":\"atif\"}'"), 0) << err;
  EXPECT_EQ(field({"left_out"}), "0") << out;
  const std::string store = " --store holdfast:" + home + "/h";
  ASSERT_EQ(sh("$H import $HOME/t.json" + store), 0) << err;
  ASSERT_EQ(sh("$H export @last --format json" + store), 0) << err;
  const std::string image = R"({"type":"image","media_type":"image/png","data":"iVBORw0KGgo=","bytes":8})";
  EXPECT_TRUE(out.contains("\"blocks\":[" + image +
                           R"(,{"type":"document","media_type":"application/pdf","data":"JVBERi0=","bytes":5}])"))
      << out;
  EXPECT_TRUE(out.contains(R"("output":"seen","is_error":false},)" + image)) << out;
}

TEST_F(TextDocuments, TrajectoriesNameAttachmentsWithoutBytes) {
  put_session(record("u1", "", "user",
                     R"([{"type":"image","source":{"type":"base64","media_type":"image/png","data":"%"}},)"
                     R"({"type":"text","text":"see"}])"));
  ASSERT_EQ(sh("$H export bbbb --format atif"), 0) << err;
  EXPECT_TRUE(err.contains("1 attachment of the session is not in the trajectory")) << err;
  ASSERT_EQ(sh("$H call session.export '{\"id\":\"bbbb\",\"format\":\"atif\"}'"), 0) << err;
  EXPECT_EQ(field({"left_out"}), "1") << out;
}

// An export for import has everything.
TEST_F(TextDocuments, JsonExportsKeepBytes) {
  put_session(record("u1", "", "user",
                     R"([{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgo="}},)"
                     R"({"type":"text","text":"see"}])"));
  for (const std::string format : {"json", "jsonl"}) {
    ASSERT_EQ(sh("$H export bbbb --format " + format), 0) << err;
    EXPECT_TRUE(out.contains(R"({"type":"image","media_type":"image/png","data":"iVBORw0KGgo=","bytes":8})")) << out;
  }
}

}  // namespace
}  // namespace holdfast::inline v1
