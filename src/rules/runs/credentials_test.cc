#include "rules/runs/credentials.h"

#include "rules/rules_testing.h"
#include "store/git_ignore.h"

namespace holdfast::inline v1 {
namespace {

TEST_P(SeedRules, G08_KeysAreStoredButNeverShown) {
  must(set_credential(context, store, "gemini-flash", "AIza-secret"));
  must(set_credential(context, store, "groq-llama", "gsk_secret"));
  const RecordList list = must(list_credentials(context, store));
  ASSERT_EQ(list.records.size(), 2u);
  for (const std::string& record : list.records) {
    EXPECT_EQ(record.find("secret"), std::string::npos) << record;
    EXPECT_EQ(text_in(record, "api_key"), "***");
  }
  EXPECT_EQ(text_in(must(store.get_record(context, {"credential", "", "groq-llama"})), "api_key"), "***");
  must(remove_credential(context, store, "groq-llama"));
  EXPECT_EQ(must(list_credentials(context, store)).records.size(), 1u);
  EXPECT_EQ(remove_credential(context, store, "groq-llama").error().code, Code::not_found);
}

TEST_P(SeedRules, G08_ReplacedOrRemovedKeyLeavesNoTrace) {
  const auto holds = [&](std::string_view key) {
    std::string where;
    for (const SimEntry& entry : files.disk.tree())
      if (entry.bytes.find(key) != std::string::npos) where += entry.path + " ";
    return where;
  };
  must(set_credential(context, store, "gemini", "first-key"));
  must(set_credential(context, store, "groq", "other-key"));
  must(set_credential(context, store, "gemini", "second-key"));
  EXPECT_EQ(holds("first-key"), "");
  EXPECT_NE(holds("second-key"), "");
  must(remove_credential(context, store, "gemini"));
  EXPECT_EQ(holds("second-key"), "");
  must(remove_credential(context, store, "groq"));
  EXPECT_EQ(holds("other-key"), "");
}

TEST_P(SeedRules, G08_LooksInConfigThenFileThenEnvironment) {
  const std::string variable = api_key_variable(store.layout_name(), "gemini-flash");
  EXPECT_TRUE(variable.ends_with("_API_KEY_GEMINI_FLASH"));
  KeySources sources;
  sources.environment = [&](std::string_view name) {
    return name == variable ? std::optional<std::string>("from env") : std::nullopt;
  };
  EXPECT_EQ(must(find_api_key(context, store, "gemini-flash", sources)).value, "from env");
  must(set_credential(context, store, "gemini-flash", "from file"));
  EXPECT_EQ(must(find_api_key(context, store, "gemini-flash", sources)).value, "from file");
  sources.configured = "from config";
  EXPECT_EQ(must(find_api_key(context, store, "gemini-flash", sources)).source, "config");
  EXPECT_EQ(find_api_key(context, store, "other", {}).error().code, Code::not_found);
}

TEST_P(SeedRules, G08_WarnsWhenGitWouldTrackKeys) {
  EXPECT_FALSE(must(credentials_in_git(context, files.disk, store)));
  must(set_credential(context, store, "a", "k"));
  EXPECT_FALSE(must(credentials_in_git(context, files.disk, store)));
  must(files.disk.put_file("/.git/HEAD", "ref: refs/heads/main\n"));
  const auto warning = must(credentials_in_git(context, files.disk, store));
  ASSERT_TRUE(warning);
  EXPECT_EQ(warning->kind, "secrets_in_git");
  must(files.disk.put_file("/store/.gitignore", "credentials*\n"));
  EXPECT_FALSE(must(credentials_in_git(context, files.disk, store)));
}

TEST(LinggenCredentials, G08_EditKeepsOtherBytesAndMakesFilePrivate) {
  LayoutStore files("linggen");
  const std::string before =
      "{\n  \"groq\": { \"api_key\": \"g\", \"note\": 1 },\n  \"openai/gpt\": {\"api_key\":\"o\"}\n}\n";
  must(files.disk.put_file("/store/credentials.json", before));
  must(set_credential(files.context, *files.store, "groq", "g"));
  EXPECT_EQ(files.bytes("/store/credentials.json"), before);
  must(set_credential(files.context, *files.store, "groq", "new"));
  EXPECT_EQ(files.bytes("/store/credentials.json"),
            "{\n  \"groq\": { \"api_key\": \"new\", \"note\": 1 },\n  \"openai/gpt\": {\"api_key\":\"o\"}\n}\n");
  EXPECT_EQ(must(find_api_key(files.context, *files.store, "openai/gpt", {})).value, "o");
  auto directory = must(files.disk.open_directory("/store", false));
  EXPECT_EQ(must(directory->stat("credentials.json")).mode & 0777u, 0600u);
}

TEST(GitIgnore, FollowsGitRules) {
  IgnoreRules rules;
  rules.add("", "*.log\n/build\ndocs/**/x.md\n!keep.log\nsecret/\n# no\n");
  rules.add("sub/", "local.txt\n");
  for (const char* path :
       {"a.log", "d/a.log", "build", "build/x", "docs/x.md", "docs/a/b/x.md", "secret/f", "sub/local.txt"})
    EXPECT_TRUE(rules.ignores(path)) << path;
  for (const char* path : {"keep.log", "d/build", "x.md", "local.txt", "secret", "no"})
    EXPECT_FALSE(rules.ignores(path)) << path;
  EXPECT_TRUE(matches_pattern("[a-c]?[!x]", "bqy"));
  EXPECT_FALSE(matches_pattern("a*c", "a/c"));
}

}  // namespace
}  // namespace holdfast::inline v1
