// `holdfast share` and `export --redact`: a session to give to others.
#include "tests/cli/cli_testing.h"

namespace holdfast::inline v1 {
namespace {

constexpr const char* kId = "aaaaaaaa-0000-4000-8000-000000000001";
// Made up, in the shape of a token.
constexpr const char* kToken = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
constexpr const char* kPicture =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

struct Share : CliHome {
  void SetUp() override {
    CliHome::SetUp();
    const std::string path = home + "/.claude/projects/-p/" + kId + ".jsonl";
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    log_.open(path);
    put("user", R"("role":"user","content":"deploy with )" + std::string(kToken) + R"( <script>alert(1)</script>")");
    put("assistant", R"("id":"m1","role":"assistant","model":"the-model","content":[{"type":"thinking","thinking":)"
                     R"("a quiet thought"}])");
    put("assistant", R"("id":"m1","role":"assistant","model":"the-model","content":[{"type":"tool_use","id":"t1",)"
                     R"("name":"Bash","input":{"command":"git push"}}])");
    put("user", R"("role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"pushed with )" +
                    std::string(kToken) + R"("}])");
    put("assistant", R"("id":"m2","role":"assistant","model":"the-model","content":[{"type":"text","text":)"
                     R"("It is **deployed**."}])");
    put("user", R"("role":"user","content":[{"type":"text","text":"see here"},{"type":"image","source":{"type":)"
                R"("base64","media_type":"image/png","data":")" +
                    std::string(kPicture) + R"("}}])");
    put("user", R"("role":"user","content":"<system-reminder>a record of the agent</system-reminder>")",
        R"("isMeta":true,)");
    log_.close();
  }
  void put(const std::string& type, const std::string& message, const std::string& more = {}) {
    const std::string parent = count_ == 0 ? "null" : "\"u" + std::to_string(count_ - 1) + "\"";
    log_ << R"({"type":")" << type << "\"," << more << R"("uuid":"u)" << count_++ << R"(","parentUuid":)" << parent
         << R"(,"sessionId":")" << kId
         << R"(","cwd":"/home/somebody/work/alpha","timestamp":"2026-01-01T00:00:00Z","message":{)" << message
         << "}}\n";
  }
  bool has(const std::string& text, const std::string& wanted) { return text.find(wanted) != std::string::npos; }

 private:
  std::ofstream log_;
  int count_ = 0;
};

TEST_F(Share, MasksSecretsFoldsToolsAndOmitsInjectedContext) {
  ASSERT_EQ(sh("$H share aaaa"), 0) << err;
  EXPECT_FALSE(has(out, kToken));
  EXPECT_TRUE(has(err, "2 secrets masked: GitHub token (2)\n")) << err;
  EXPECT_TRUE(has(out, "[redacted: GitHub token]"));
  EXPECT_TRUE(has(out, "2 secrets masked")) << "whoever reads it knows";
  EXPECT_FALSE(has(out, "<script>alert")) << "text stays text";
  EXPECT_TRUE(has(out, "It is <strong>deployed</strong>.")) << out;
  const std::size_t fold = out.find("<details class=\"work\"><summary>1 tool call, 1 thought: Bash</summary>");
  EXPECT_NE(fold, std::string::npos) << out;
  EXPECT_GT(out.find("git push"), fold);
  EXPECT_TRUE(has(out, "src=\"data:image/png;base64," + std::string(kPicture))) << "pictures are inside";
  EXPECT_FALSE(has(out, "a record of the agent")) << out;
  EXPECT_FALSE(has(out, "/home/somebody")) << "no path of the machine";
  EXPECT_TRUE(has(out, "<dd>alpha</dd>")) << out;
  EXPECT_TRUE(has(out, "script-src 'sha256-")) << out;
  EXPECT_TRUE(has(out, "default-src 'none'"));
}

TEST_F(Share, ShowsMoreOrLessOnRequest) {
  ASSERT_EQ(sh("$H share aaaa --no-tools"), 0) << err;
  EXPECT_FALSE(has(out, "git push") || has(out, "a quiet thought")) << out;
  EXPECT_TRUE(has(out, "deployed"));
  ASSERT_EQ(sh("$H share aaaa --prompts"), 0) << err;
  EXPECT_FALSE(has(out, "deployed</strong>") || has(out, "git push")) << out;
  EXPECT_TRUE(has(out, "deploy with"));
  ASSERT_EQ(sh("$H share aaaa --system"), 0) << err;
  EXPECT_TRUE(has(out, "a record of the agent")) << out;
  ASSERT_EQ(sh("$H share aaaa --no-redact"), 0) << err;
  EXPECT_TRUE(has(out, kToken));
}

// src/text/secret_cases_test.cc has the full table; this checks that it applies to what is shared.
TEST_F(Share, MasksDocumentedSecretsOnly) {
  constexpr std::string_view kSecrets[] = {
      "PGPASSWORD=Xk9fooBar77 psql",    "PGPASSWORD: Xk9fooBar77", R"({\"env\":{\"MYKEY\":\"Xk9fooBar77\"}})",
      "client-key-data: Xk9fooBar77zz", "GITHUBTOKEN=Xk9fooBar77", "SSHPASS=Xk9fooBar77",
      "secretkey=Xk9fooBar77",          "MYKEY=Xk9fooBar77",       "https://x/?api_key=Xk9fooBar77zz&a=1",
      "https://x/?key=Xk9fooBar77zz"};
  constexpr std::string_view kPlain = "the key is here, keyboard=us, monkey=1";
  std::string text(kPlain);
  for (const std::string_view secret : kSecrets) text += "\\n" + std::string(secret);
  claude("bbbbbbbb-0000-4000-8000-000000000002", "\"" + text + "\"");
  claude("cccccccc-0000-4000-8000-000000000003", R"("password: letmein\npassword=12345678")");
  for (const std::string command :
       {"export bbbb --redact", "export bbbb --redact --format json", "share bbbb", "handoff bbbb --brief --redact"}) {
    ASSERT_EQ(sh("$H " + command), 0) << err;
    EXPECT_FALSE(has(out, "Xk9foo")) << command << out;
    EXPECT_TRUE(has(out, std::string(kPlain))) << command << out;
  }
  ASSERT_EQ(sh("$H export cccc --redact"), 0) << err;
  EXPECT_FALSE(has(out, "letmein") || has(out, "12345678")) << out;
  EXPECT_TRUE(has(err, "2 secrets masked: password (2)\n")) << err;
}

TEST_F(Share, ReportsSecretThatIsOnlyInTheTitle) {
  claude("bbbbbbbb-0000-4000-8000-000000000002", "\"hello\"");
  std::ofstream(home + "/.claude/projects/-desk/bbbbbbbb-0000-4000-8000-000000000002.jsonl", std::ios::app)
      << R"({"type":"custom-title","sessionId":"bbbbbbbb-0000-4000-8000-000000000002","customTitle":"use )" << kToken
      << R"("})" << "\n";
  ASSERT_EQ(sh("$H share bbbb"), 0) << err;
  EXPECT_FALSE(has(out, kToken)) << out;
  EXPECT_EQ(err, "1 secret masked: GitHub token\n") << out;
}

TEST_F(Share, NeverOverwritesFile) {
  ASSERT_EQ(sh("$H share aaaa -o page.html"), 0) << err;
  EXPECT_EQ(out, home + "/desk/page.html\n");
  EXPECT_TRUE(text("desk/page.html").ends_with("</html>\n"));
  EXPECT_EQ(sh("$H share aaaa -o page.html"), 2) << "it is there";
  EXPECT_EQ(err, "holdfast: there is a file with this name; it is not overwritten (" + home + "/desk/page.html)\n");
  ASSERT_EQ(sh("$H share aaaa -o other.html --json"), 0) << err;
  EXPECT_EQ(field({"masked"}), "2");
}

TEST_F(Share, ExportRedactsEveryFormat) {
  for (const std::string format : {"md", "html", "json", "jsonl", "atif"}) {
    ASSERT_EQ(sh("$H export aaaa --format " + format), 0) << err;
    EXPECT_TRUE(has(out, kToken)) << format;
    ASSERT_EQ(sh("$H export aaaa --redact --format " + format), 0) << err;
    EXPECT_FALSE(has(out, kToken)) << format;
    EXPECT_TRUE(has(err, "2 secrets masked: GitHub token (2)\n")) << format << err;
  }
}

// The line of a fold repeats the command or the thought.
TEST_F(Share, CountsEachSecretOnce) {
  const std::string path = home + "/.claude/projects/-p/bbbbbbbb-0000-4000-8000-000000000001.jsonl";
  std::ofstream log(path);
  auto say = [&, n = 0](const std::string& type, const std::string& message) mutable {
    log << R"({"type":")" << type << R"(","uuid":"v)" << n << R"(","parentUuid":)"
        << (n == 0 ? "null" : "\"v" + std::to_string(n - 1) + "\"")
        << R"(,"sessionId":"bbbbbbbb-0000-4000-8000-000000000001","cwd":"/p","timestamp":"2026-01-01T00:00:00Z",)"
        << R"("message":{)" << message << "}}\n";
    ++n;
  };
  say("user", R"("role":"user","content":"deploy with )" + std::string(kToken) + "\"");
  say("assistant", R"("id":"m1","role":"assistant","model":"m","content":[{"type":"thinking","thinking":)"
                   R"("the key is AKIAIOSFODNN7EXAMPLF here"}])");
  say("assistant", R"("id":"m1","role":"assistant","model":"m","content":[{"type":"tool_use","id":"t1","name":"Bash",)"
                   R"("input":{"command":"curl -H 'Authorization: Bearer abcdefghijklmnopqrstuvwxyz012345' x"}}])");
  say("user",
      R"("role":"user","content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":")" +
          std::string(kPicture) + R"("}}])");
  log.close();
  ASSERT_EQ(sh("$H export bbbb --redact --format html"), 0) << err;
  const std::string exported = err.substr(0, err.find('\n'));
  EXPECT_TRUE(exported.starts_with("3 secrets masked: ")) << err;
  ASSERT_EQ(sh("$H share bbbb"), 0) << err;
  EXPECT_EQ(err.substr(0, err.find('\n')), exported);
  EXPECT_TRUE(has(out, exported)) << "and so does the page";
  EXPECT_FALSE(has(out, "\"></a></li>")) << "a prompt that is only an attachment has a name";
  EXPECT_TRUE(has(out, ">image</a></li>")) << out;
}

}  // namespace
}  // namespace holdfast::inline v1
