#include "api/default_stores.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <set>

#include "crash/disk/sim_file_system.h"

namespace holdfast::inline v1 {
namespace {

struct DefaultStores : testing::Test {
  std::map<std::string, std::string, std::less<>> variables{{"HOME", "/home/me"}};
  std::map<std::string, std::string> files;  // path, text
  std::string directory = "/home/me/work/deep";
  std::vector<std::unique_ptr<SimFileSystem>> disks;  // must outlive what was made from them

  Environment env() {
    Environment here;
    here.variable = [this](std::string_view name) {
      const auto found = variables.find(name);
      return found == variables.end() ? std::string() : found->second;
    };
    here.exists = [this](const std::string& path) {
      const auto at = files.lower_bound(path);
      return at != files.end() && (at->first == path || at->first.starts_with(path + "/"));
    };
    disks.push_back(std::make_unique<SimFileSystem>());
    for (const auto& [path, text] : files) EXPECT_TRUE(disks.back()->put_file(path, text));
    here.files = disks.back().get();
    here.directory = directory;
    return here;
  }
  std::string home() {
    auto settings = default_stores(env());
    return settings ? store_name(settings->home) : settings.error().message;
  }
  std::string all() {
    auto settings = default_stores(env());
    if (!settings) return settings.error().message;
    std::string names;
    for (const StoreOptions& options : settings->defaults) names += store_name(options) + " ";
    return names;
  }
};

TEST_F(DefaultStores, NativeStoreLocationFollowsPrecedence) {
  EXPECT_EQ(home(), "holdfast:/home/me/.local/share/holdfast");
  variables["XDG_DATA_HOME"] = "relative is ignored";
  EXPECT_EQ(home(), "holdfast:/home/me/.local/share/holdfast");
  variables["XDG_DATA_HOME"] = "/data";
  EXPECT_EQ(home(), "holdfast:/data/holdfast");
  variables["HOLDFAST_HOME"] = "/hf";
  EXPECT_EQ(home(), "holdfast:/hf");
  files["/home/me/work/.holdfast/FORMAT"] = "";
  EXPECT_EQ(home(), "holdfast:/home/me/work/.holdfast");
  directory = "/elsewhere";
  EXPECT_EQ(home(), "holdfast:/hf");
}

TEST_F(DefaultStores, EnclosingProjectStoreIsPreferred) {
  files["/home/me/.local/share/holdfast/FORMAT"] = "";
  files["/home/me/.lopen/x"] = "";
  EXPECT_EQ(home(), "holdfast:/home/me/.local/share/holdfast") << "in the home it is no project's";
  files["/home/me/work/.lopen/x"] = "";
  EXPECT_EQ(home(), "lopen:/home/me/work");
  EXPECT_TRUE(all().starts_with("lopen:/home/me/work holdfast:/home/me/.local/share/holdfast")) << all();
  files["/home/me/work/deep/.claude/settings.json"] = "";
  EXPECT_EQ(home(), "lopen:/home/me/work") << "settings are no state of a workflow";
  files["/home/me/work/deep/.claude/initiative.json"] = "";
  EXPECT_EQ(home(), "workflow:/home/me/work/deep") << "the nearest";
  files["/home/me/work/deep/.holdfast/FORMAT"] = "";
  const auto settings = default_stores(env());
  ASSERT_TRUE(settings);
  EXPECT_EQ(settings->choices,
            (std::vector<std::string>{"workflow:/home/me/work/deep", "holdfast:/home/me/work/deep/.holdfast"}));
}

TEST_F(DefaultStores, ListsOnlyExistingStores) {
  EXPECT_EQ(all(), "");
  files["/home/me/.linggen/projects/x"] = "";
  files["/home/me/.codex/config.toml"] = "";
  EXPECT_EQ(all(), "linggen:/home/me/.linggen ") << "a Codex home without sessions is none";
  files["/home/me/.codex/sessions/x"] = "";
  files["/home/me/.local/share/holdfast/FORMAT"] = "";
  EXPECT_EQ(all(), "holdfast:/home/me/.local/share/holdfast linggen:/home/me/.linggen codex:/home/me/.codex ");
  variables["CODEX_HOME"] = "/none";
  EXPECT_EQ(all(), "holdfast:/home/me/.local/share/holdfast linggen:/home/me/.linggen ");
}

TEST_F(DefaultStores, CurrentDefaultsIncludeStoresCreatedLater) {
  const auto settings = default_stores(env());
  ASSERT_TRUE(settings);
  EXPECT_TRUE(settings->current_defaults().empty());
  files["/home/me/.local/share/holdfast/FORMAT"] = "";
  files["/home/me/.codex/sessions/x"] = "";
  EXPECT_EQ(settings->current_defaults().size(), 2U);
  variables["HOLDFAST_STORE"] = "linggen:~/lg";
  EXPECT_FALSE(default_stores(env())->current_defaults) << "the one that is named, whatever begins";
}

TEST_F(DefaultStores, ConfiguredStoreReplacesDefaults) {
  files["/home/me/.linggen/x"] = "";
  files["/home/me/.config/holdfast/config.toml"] = "store = \"holdfast:user\"\n";
  EXPECT_EQ(all(), "holdfast:/home/me/.config/holdfast/user ");
  files["/home/me/work/.holdfast/config.toml"] = "other = 1\n";
  EXPECT_EQ(all(), "holdfast:/home/me/.config/holdfast/user ") << "says nothing of a store";
  files["/home/me/work/.holdfast/config.toml"] = "store = \"holdfast:kept\"\n";
  EXPECT_EQ(all(), "holdfast:/home/me/work/kept ");
  variables["HOLDFAST_STORE"] = "linggen:~/lg";
  EXPECT_EQ(all(), "linggen:/home/me/lg ");
  EXPECT_EQ(home(), "linggen:/home/me/lg");
  variables["HOLDFAST_STORE"] = "lingen:/x";
  EXPECT_EQ(all(), "there is no layout lingen; did you mean linggen?");
  variables.erase("HOLDFAST_STORE");
  files["/home/me/work/.holdfast/config.toml"] = "store = [";
  EXPECT_TRUE(all().starts_with("the configuration cannot be read"));
}

TEST_F(DefaultStores, LinggenGetsItsWorkspace) {
  files["/home/me/.linggen/x"] = "";
  files["/home/me/work/.git/HEAD"] = "";
  directory = "/home/me/work/deep";
  auto settings = default_stores(env());
  ASSERT_TRUE(settings);
  EXPECT_EQ(settings->other_roots["linggen"]["workspace"], "/home/me/work") << "the Linggen home is no workspace";
}

TEST_F(DefaultStores, WorkflowMemoryDirectoryFollowsPrecedence) {
  const auto memory = [&] { return memory_directory(env(), "/home/me/my.work").value_or("an error"); };
  EXPECT_EQ(memory(), "") << "the store has its own place then";
  files["/home/me/.claude/projects/-home-me-my-work/memory/MEMORY.md"] = "";
  EXPECT_EQ(memory(), "/home/me/.claude/projects/-home-me-my-work/memory");
  files["/home/me/.config/holdfast/config.toml"] = "[workflow]\nmemory = \"~/notes\"\n";
  EXPECT_EQ(memory(), "/home/me/notes");
  files["/home/me/my.work/.holdfast/config.toml"] = "[workflow]\nmemory = \"../MEMORY.md\"\n";
  EXPECT_EQ(memory(), "/home/me/my.work");
  variables["HOLDFAST_WORKFLOW_MEMORY"] = "/elsewhere";
  EXPECT_EQ(memory(), "/elsewhere");
  auto settings = default_stores(env());
  ASSERT_TRUE(settings);
  StoreOptions store = *parse_store_name("workflow:/home/me/my.work");
  settings->complete(store);
  EXPECT_EQ(store.roots["memory"], "/elsewhere");
}

TEST_F(DefaultStores, PathsBecomeAbsolute) {
  EXPECT_EQ(absolute_path(env(), "."), "/home/me/work/deep");
  EXPECT_EQ(absolute_path(env(), "../x/"), "/home/me/work/x");
  EXPECT_EQ(absolute_path(env(), "/a/./b"), "/a/b");
  EXPECT_EQ(absolute_path(env(), "~/x"), "/home/me/x");
  EXPECT_EQ(absolute_store(env(), "holdfast:x"), "holdfast:/home/me/work/deep/x");
  EXPECT_EQ(absolute_store(env(), "holdfast"), "holdfast");
  EXPECT_EQ(absolute_store(env(), "lopen:."), "lopen:/home/me/work/deep") << "a new one";
  files["/home/me/work/.lopen/x"] = "";
  EXPECT_EQ(absolute_store(env(), "lopen:."), "lopen:/home/me/work");
  EXPECT_EQ(absolute_store(env(), "lopen:./sub"), "lopen:/home/me/work/deep/sub");
}

TEST_F(DefaultStores, L20_LopenEnvironmentIsPassedOn) {
  Environment here = env();
  here.variables = [](std::string_view prefix) {
    EXPECT_EQ(prefix, "LOPEN_");
    return std::vector<std::pair<std::string, std::string>>{{"LOPEN_AUTO_RESUME", "false"}};
  };
  auto settings = default_stores(here);
  ASSERT_TRUE(settings);
  EXPECT_EQ(settings->outer.user_file, "/home/me/.config/lopen/config.json");
  ASSERT_EQ(settings->outer.variables.size(), 1U);
  EXPECT_EQ(settings->outer.variables[0].first, "LOPEN_AUTO_RESUME");
  variables["XDG_CONFIG_HOME"] = "/etc/me";
  EXPECT_EQ(default_stores(env())->outer.user_file, "/etc/me/lopen/config.json");
}

}  // namespace
}  // namespace holdfast::inline v1
