// --dry-run says what the real run would: its errors too.
#include "tests/cli/cli_testing.h"

namespace holdfast::inline v1 {
namespace {

struct DryRun : CliHome {
  // The same exit code and the same words, whether it is only looked at or done; nothing is there after looking.
  void refused(const std::string& command, int code) {
    EXPECT_EQ(sh("$H " + command + " --dry-run"), code) << command << out;
    const std::string looked = err.substr(0, err.find(" ("));
    EXPECT_EQ(sh("$H " + command), code) << command << out;
    EXPECT_EQ(err.substr(0, looked.size()), looked) << command;
  }
};

TEST_F(DryRun, OfAnImport) {
  claude("aaaaaaaa-0000-4000-8000-000000000001", "\"hello\"");
  ASSERT_EQ(sh("$H export aaaa --format json > whole.json && head -c 300 whole.json > half.json"), 0) << err;
  ASSERT_EQ(sh("$H import whole.json --dry-run"), 0) << err;
  EXPECT_EQ(out, "would create a session of 1 message, aaaaaaaa-0000-4000-8000-000000000001\n");
  EXPECT_FALSE(std::filesystem::exists(home + "/.local/share/holdfast/sessions"));
  refused("import half.json", 2);
  EXPECT_EQ(sh("$H import whole.json"), 0) << err;
  EXPECT_EQ(sh("$H import whole.json --dry-run"), 2) << out;
  EXPECT_EQ(sh("$H import whole.json"), 2) << out;
}

TEST_F(DryRun, OfANewSession) {
  EXPECT_EQ(sh("$H session create --title x --dry-run"), 0) << err;
  EXPECT_TRUE(out.starts_with("would create ")) << out;
  refused("session create --id ../x", 2);
  EXPECT_EQ(sh("$H session create --id ses-one && $H session create --id ses-one --dry-run"), 2) << out;
  EXPECT_EQ(sh("$H session create --id ses-one"), 2) << out;
}

TEST_F(DryRun, OfAMessage) {
  ASSERT_EQ(sh("$H session create --id ses-one"), 0) << err;
  EXPECT_EQ(sh("$H message append ses-one hello --dry-run"), 0) << err;
  EXPECT_TRUE(out.starts_with("would add a message to session ses-one of ")) << out;
  refused("message append ses-one", 2);
  refused("message append nobody hello", 3);
  const auto call = [&](const std::string& message, bool looks) {
    return sh("$H call message.append '{\"session\":\"ses-one\",\"message\":" + message +
              (looks ? ",\"dry_run\":true}'" : "}'"));
  };
  for (const std::string message : {R"({"role":"bogus","text":"x"})", R"({"role":"user","usage":{"input":-1}})"}) {
    EXPECT_EQ(call(message, true), 2) << message << out;
    const std::string looked = err;
    EXPECT_EQ(call(message, false), 2) << message << out;
    EXPECT_EQ(err, looked);
  }
  ASSERT_EQ(sh("$H call message.list '{\"session\":\"ses-one\"}'"), 0) << err;
  EXPECT_EQ(field({"total"}), "0") << out;
}

TEST_F(DryRun, OfEntries) {
  const auto call = [&](const std::string& entries, const std::string& more) {
    return sh("$H call entry.append '{\"project\":\"p\",\"session\":\"s\",\"entries\":" + entries + more + "}'");
  };
  for (const std::string more : {",\"dry_run\":true", ""}) {
    EXPECT_EQ(call("[5]", more), 4) << out;
    EXPECT_TRUE(err.contains("an entry must be a JSON object")) << err;
  }
  ASSERT_EQ(call("[{}]", ",\"dry_run\":true"), 0) << err;
  EXPECT_EQ(field({"would"}), "add 1 entry to session s of p") << out;
  ASSERT_EQ(call("[{}]", ""), 0) << err;
  EXPECT_EQ(call("[{}]", ",\"after\":\"\",\"dry_run\":true"), 6) << out;
  EXPECT_EQ(call("[{}]", ",\"after\":\"\""), 6) << out;
}

// Once for all methods.
TEST_F(DryRun, AnswersWhatTheSchemaSays) {
  ASSERT_EQ(sh("$H api --json"), 0) << err;
  const std::string api = out;
  EXPECT_EQ(JsonView(api).find("$defs").find("dry_run").find("required").raw().contains("would"), true);
  for (const JsonItem& method : JsonView(api).find("methods").elements())
    EXPECT_EQ(static_cast<bool>(method.value.find("dry_run")), method.value.find("writes").as_bool())
        << method.value.raw();
  ASSERT_EQ(sh("$H session create --id ses-one && $H call session.delete '{\"id\":\"ses-one\",\"dry_run\":true}'"), 0);
  const std::string answer = out.substr(out.rfind("{\"schema"));
  for (const JsonItem& name : JsonView(api).find("$defs").find("dry_run").find("required").elements())
    EXPECT_TRUE(JsonView(answer).find(name.value.as_string().value_or(""))) << answer;
}

}  // namespace
}  // namespace holdfast::inline v1
