// holdfast mcp install adds one server to an agent's settings, removes it again, and changes nothing else.
#include <map>

#include "tests/cli/cli_testing.h"

namespace holdfast::inline v1 {
namespace {

struct McpInstall : CliHome {
  void put(const std::string& name, const std::string& bytes) {
    const std::filesystem::path path(home + "/" + name);
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << bytes;
  }
};

TEST_F(McpInstall, AppliesChangeOnlyWithYes) {
  const std::string before = "# mine\nmodel = \"m\"  # kept\n\n[mcp_servers.other]\ncommand = \"x\"\n";
  put(".codex/config.toml", before);
  EXPECT_EQ(sh("$H mcp install codex --dry-run"), 0) << err;
  EXPECT_NE(out.find(home + "/.codex/config.toml"), std::string::npos) << out << err;
  EXPECT_EQ(text(".codex/config.toml"), before);
  EXPECT_EQ(sh("$H mcp install codex"), 2);  // there is nobody to ask
  EXPECT_EQ(text(".codex/config.toml"), before);
  ASSERT_EQ(sh("$H mcp install codex --yes"), 0) << err;
  const std::string with = text(".codex/config.toml");
  EXPECT_TRUE(with.starts_with(before)) << with;
  EXPECT_NE(with.find("holdfast"), std::string::npos) << with;
  ASSERT_EQ(sh("$H mcp install codex --yes --json"), 0) << err;
  EXPECT_EQ(field({"changed"}), "false") << out;
  EXPECT_EQ(text(".codex/config.toml"), with);
  ASSERT_EQ(sh("$H mcp uninstall codex --yes"), 0) << err;
  EXPECT_EQ(text(".codex/config.toml"), before);
}

TEST_F(McpInstall, EditsSettingsFileOfEachAgent) {
  struct Known {
    std::string agent, file, key;
  };
  const std::vector<Known> all{{"claude-code", ".claude.json", "mcpServers"},
                               {"gemini", ".gemini/settings.json", "mcpServers"},
                               {"qwen", ".qwen/settings.json", "mcpServers"},
                               {"copilot", ".copilot/mcp-config.json", "mcpServers"},
                               {"opencode", ".config/opencode/opencode.json", "mcp"}};
  for (const Known& one : all) {
    const std::string before = "{\n  \"theme\": \"dark\",\n  \"" + one.key + "\": {\"a\": {\"command\": \"b\"}}\n}\n";
    put(one.file, before);
    ASSERT_EQ(sh("$H mcp install " + one.agent + " --yes"), 0) << err;
    const std::string with = text(one.file);
    EXPECT_TRUE(JsonView(with).find(one.key).find("holdfast").find("command")) << one.agent << with;
    EXPECT_TRUE(JsonView(with).find(one.key).find("a").find("command").is_string("b")) << with;
    ASSERT_EQ(sh("$H mcp uninstall " + one.agent + " --yes"), 0) << err;
    EXPECT_EQ(text(one.file), before) << one.agent;
  }
  ASSERT_EQ(sh("CODEX_HOME=$HOME/elsewhere $H mcp install codex --yes --json"), 0) << err;
  EXPECT_EQ(field({"file"}), home + "/elsewhere/config.toml");
}

// Each of the nine agents is either edited or refused, with what to do by hand.
TEST_F(McpInstall, EveryAgentIsEditedOrRefusedWithAdvice) {
  const std::string servers = "(Holdfast can edit those of claude-code, codex, gemini, qwen, copilot, opencode)";
  const std::map<std::string, std::string> by_hand{
      {"claude-code", ""},
      {"codex", ""},
      {"gemini", ""},
      {"qwen", ""},
      {"copilot", ""},
      {"opencode", ""},
      {"continue",
       "Continue keeps its servers in YAML, which Holdfast does not edit; add to ~/.continue/config.yaml: mcpServers: "
       "[{name: holdfast, command: holdfast, args: [mcp]}]"},
      {"openclaw",
       "OpenClaw has a command for its servers, so Holdfast leaves its settings alone; run openclaw mcp set holdfast "
       "'{\"command\":\"holdfast\",\"args\":[\"mcp\"]}'"},
      {"pi", "pi takes no servers by itself; to an extension that adds them, name the command holdfast"},
  };
  put(".continue/config.yaml", "name: mine\n");
  put(".openclaw/openclaw.json", "{}\n");
  for (const auto& [agent, advice] : by_hand) {
    const int expected = advice.empty() ? 0 : 2;
    for (const std::string option : {"--dry-run", "--yes"})
      EXPECT_EQ(sh("$H mcp install " + agent + " " + option), expected) << agent << out << err;
    if (advice.empty()) continue;
    EXPECT_TRUE(err.contains(advice) && err.contains(servers)) << agent << err;
    EXPECT_EQ(sh("$H mcp uninstall " + agent + " --yes"), expected) << agent << out;
    EXPECT_TRUE(err.contains("remove it by hand") && err.contains(servers)) << agent << err;
  }
  EXPECT_EQ(text(".continue/config.yaml"), "name: mine\n");
  EXPECT_EQ(text(".openclaw/openclaw.json"), "{}\n");
  EXPECT_FALSE(std::filesystem::exists(home + "/.pi"));
}

TEST_F(McpInstall, RefusesUnsupportedAgentsAndFiles) {
  for (const std::string agent : {"lopen", "maestro"}) {
    EXPECT_NE(sh("$H mcp install " + agent + " --yes"), 0) << agent;
    EXPECT_NE(err.find("add one with the command holdfast and the argument mcp by hand"), std::string::npos) << err;
  }
  EXPECT_EQ(sh("$H mcp install nobody --yes"), 2);
  const std::string commented = "{\n  // mine\n  \"a\": 1\n}\n";
  put(".gemini/settings.json", commented);
  EXPECT_NE(sh("$H mcp install gemini --yes"), 0);
  EXPECT_EQ(text(".gemini/settings.json"), commented);
}

TEST_F(McpInstall, KeepsServerThatIsThere) {
  const std::pair<std::string, std::string> all[] = {
      {".gemini/settings.json",
       R"({"mcpServers":{"holdfast":{"command":"/opt/holdfast","args":["mcp","--write"],"trust":true}}})"},
      {".codex/config.toml", "[mcp_servers.holdfast]\ncommand = \"holdfast\"\nargs = [\"mcp\", \"--write\"]\n"}};
  for (const auto& [file, before] : all) {
    const std::string agent = file.substr(1, file.find('/') - 1);
    const std::string why =
        "already has a server named holdfast with other settings, which stay; to replace it, run "
        "holdfast mcp uninstall " +
        agent + " first";
    put(file, before);
    EXPECT_EQ(sh("$H mcp install " + agent + " --dry-run"), 0) << err;
    EXPECT_TRUE(out.contains("would do nothing: " + home + "/" + file + " " + why)) << out;
    EXPECT_EQ(sh("$H mcp install " + agent + " --yes"), 0) << err;
    EXPECT_TRUE(out.contains("changed: false") && err.contains(why)) << out << err;
    EXPECT_EQ(text(file), before);
    ASSERT_EQ(sh("$H mcp uninstall " + agent + " --yes && $H mcp install " + agent + " --yes"), 0) << err;
    EXPECT_FALSE(text(file).contains("--write")) << text(file);
    EXPECT_EQ(sh("$H mcp install " + agent + " --yes"), 0) << err;
    EXPECT_EQ(err, "");
  }
}

// An agent keeps starting a server that stays in its settings.
TEST_F(McpInstall, RefusesUnparsableSettings) {
  const std::string commented =
      "{\n  // mine\n  \"mcp\": {\"holdfast\": {\"type\":\"local\",\"command\":[\"holdfast\",\"mcp\"]}}\n}\n";
  put(".config/opencode/opencode.json", commented);
  put(".claude.json", "garbage{");
  for (const std::string verb : {"install", "uninstall"}) {
    for (const std::string agent : {"opencode", "claude-code"}) {
      EXPECT_EQ(sh("$H mcp " + verb + " " + agent + " --yes"), 4) << verb << agent << out;
      EXPECT_TRUE(err.contains("so it is left as it is")) << err;
      EXPECT_EQ(sh("$H mcp " + verb + " " + agent + " --dry-run"), 4) << verb << agent << out;
    }
  }
  EXPECT_EQ(text(".config/opencode/opencode.json"), commented);
  put(".claude.json", "\xEF\xBB\xBF{\"mcpServers\":{\"holdfast\":{\"command\":\"holdfast\"}}}\n");
  ASSERT_EQ(sh("$H mcp uninstall claude-code --yes --json"), 0) << err;
  EXPECT_EQ(field({"changed"}), "true") << out;
  EXPECT_FALSE(text(".claude.json").contains("holdfast"));
}

TEST_F(McpInstall, ErrorNamesConflictingKey) {
  for (const std::string value : {"[]", "null"}) {
    put(".claude.json", "{\"mcpServers\":" + value + "}");
    EXPECT_EQ(sh("$H mcp install claude-code --yes"), 4) << out;
    EXPECT_TRUE(err.contains("mcpServers is not an object, so the file is left as it is; correct it by hand")) << err;
    EXPECT_EQ(sh("$H mcp uninstall claude-code --yes"), 0) << err;
  }
  for (const std::string value : {"mcp_servers = 5\n", "[[mcp_servers]]\na = 1\n", "[mcp_servers]\nholdfast = 5\n"}) {
    put(".codex/config.toml", value);
    EXPECT_EQ(sh("$H mcp install codex --yes"), 4) << out;
    const std::string key = value.contains("holdfast") ? "mcp_servers.holdfast" : "mcp_servers";
    EXPECT_TRUE(err.contains(key + " is not an object, so the file is left as it is; correct it by hand")) << err;
    EXPECT_EQ(text(".codex/config.toml"), value);
  }
  put(".claude/settings.json", "{\"hooks\":[]}");
  EXPECT_EQ(sh("$H hooks install claude-code --yes"), 4) << out;
  EXPECT_TRUE(err.contains("hooks is not an object")) << err;
  EXPECT_EQ(sh("$H mcp instal codex"), 2);
  EXPECT_TRUE(err.contains("holdfast: mcp has no verb instal; did you mean install?")) << err;
}

// The folder of an agent has what it had before, and one file that was edited or added.
TEST_F(McpInstall, LeavesNothingBesideTheSettings) {
  namespace fs = std::filesystem;
  const auto listed = [&](const std::string& folder) {
    EXPECT_EQ(sh("cd " + home + "/" + folder + " && find . -mindepth 1 -printf '%P %m\n' | sort"), 0) << err;
    return out;
  };
  put(".codex/config.toml", "a = 1\n");
  put(".gemini/settings.json", "{}\n");
  ASSERT_EQ(sh("chmod 755 $HOME/.codex && chmod 640 $HOME/.codex/config.toml && chmod 604 $HOME/.gemini/settings.json"),
            0);
  for (const std::string agent : {"codex", "gemini", "qwen", "opencode", "claude-code"})
    ASSERT_EQ(sh("$H mcp install " + agent + " --yes"), 0) << agent << err;
  ASSERT_EQ(sh("$H hooks install claude-code --yes"), 0) << err;
  fs::create_directory(home + "/desk/project");
  ASSERT_EQ(sh("$H hooks install claude-code --project $HOME/desk/project --yes"), 0) << err;
  EXPECT_EQ(listed(".codex"), "config.toml 640\n");
  EXPECT_EQ(listed(".gemini"), "settings.json 604\n");
  EXPECT_TRUE(text(".gemini/settings.json").contains("holdfast"));
  EXPECT_EQ(listed(".qwen"), "settings.json 600\n");
  EXPECT_EQ(listed(".claude"), "settings.json 600\n");
  EXPECT_EQ(listed(".config"), "opencode 700\nopencode/opencode.json 600\n");
  EXPECT_EQ(listed("desk/project"), ".claude 700\n.claude/settings.json 600\n");
  EXPECT_EQ(sh("stat -c %a $HOME/.claude.json && ! ls -d $HOME/.holdfast"), 0) << out;
  EXPECT_EQ(out, "600\n");
  for (const std::string agent : {"codex", "gemini"})
    ASSERT_EQ(sh("$H mcp uninstall " + agent + " --yes"), 0) << agent << err;
  EXPECT_EQ(text(".codex/config.toml"), "a = 1\n");
  EXPECT_EQ(text(".gemini/settings.json"), "{}\n");
  EXPECT_EQ(listed(".codex"), "config.toml 640\n");
  EXPECT_EQ(listed(".gemini"), "settings.json 604\n");
}

// Somebody protects them so, from Holdfast too.
TEST_F(McpInstall, RefusesReadOnlySettings) {
  for (const auto& [agent, file, verb] :
       std::vector<std::array<std::string, 3>>{{"codex", ".codex/config.toml", "mcp"},
                                               {"qwen", ".qwen/settings.json", "mcp"},
                                               {"claude-code", ".claude/settings.json", "hooks"}}) {
    put(file, "");
    ASSERT_EQ(sh("chmod 444 $HOME/" + file), 0);
    for (const std::string option : {" --dry-run", " --yes"}) {
      EXPECT_EQ(sh("$H " + verb + " install " + agent + option), 5) << agent << out;
      EXPECT_TRUE(err.contains("the file is read-only") && err.contains(home + "/" + file)) << err;
      EXPECT_EQ(sh("$H " + verb + " uninstall " + agent + option), 0) << agent << err;  // it has nothing of ours
    }
    EXPECT_EQ(text(file), "");
    ASSERT_EQ(
        sh("chmod 644 $HOME/" + file + " && $H " + verb + " install " + agent + " --yes && chmod 444 $HOME/" + file), 0)
        << err;
    EXPECT_EQ(sh("$H " + verb + " install " + agent + " --yes"), 0) << err;  // nothing to do
    EXPECT_EQ(sh("$H " + verb + " uninstall " + agent + " --yes"), 5) << out;
    EXPECT_TRUE(text(file).contains("holdfast"));
  }
}

// opencode reads both; a person has one.
TEST_F(McpInstall, EditsTheFileOfOpencodeThatIsThere) {
  const std::string json = ".config/opencode/opencode.json", commented = json + "c";
  const auto there = [&](const std::string& file) { return std::filesystem::exists(home + "/" + file); };
  put(commented, "{\"theme\": \"dark\"}\n");
  ASSERT_EQ(sh("$H mcp install opencode --yes --json"), 0) << err;
  EXPECT_EQ(field({"file"}), home + "/" + commented);
  EXPECT_TRUE(JsonView(text(commented)).find("mcp").find("holdfast")) << text(commented);
  put(json, "{}\n");  // later
  EXPECT_EQ(sh("$H mcp install opencode --yes --json"), 0) << err;
  EXPECT_EQ(field({"changed"}), "false") << out;
  ASSERT_EQ(sh("$H mcp uninstall opencode --yes"), 0) << err;
  EXPECT_EQ(text(commented), "{\"theme\": \"dark\"}\n");
  ASSERT_EQ(sh("$H mcp install opencode --yes --json"), 0) << err;
  EXPECT_EQ(field({"file"}), home + "/" + json);  // as opencode itself would choose
  // Comments would be lost.
  std::filesystem::remove(home + "/" + json);
  put(commented, "{\n  // mine\n  \"theme\": \"dark\",\n}\n");
  for (const std::string option : {" --dry-run", " --yes"}) {
    EXPECT_EQ(sh("$H mcp install opencode" + option), 4) << out;
    EXPECT_TRUE(
        err.contains(home + "/" + commented) &&
        err.contains(R"(add "mcp": {"holdfast": {"type":"local","command":["holdfast","mcp"],"enabled":true}} to )"
                     "it by hand"))
        << err;
  }
  put(commented, "{\n  // mine\n  \"mcp\": {\"holdfast\": {\"command\": [\"holdfast\", \"mcp\"]}},\n}\n");
  EXPECT_EQ(sh("$H mcp uninstall opencode --yes"), 4) << out;
  EXPECT_TRUE(err.contains(R"(remove "holdfast" from its "mcp" by hand)")) << err;
  EXPECT_FALSE(there(json));
  put(json, "{\"theme\": \"dark\"}\n");
  EXPECT_EQ(sh("$H mcp uninstall opencode --yes"), 4) << out;
  EXPECT_TRUE(err.contains(home + "/" + commented)) << err;
  // What is only beside the file in use does not keep it from being edited.
  for (const std::string beside :
       {"{\n  // the server \"holdfast\": {}\n}\n", "{\"instructions\": [\"/src/holdfast\"], /* holdfast */}\n"}) {
    put(commented, beside);
    ASSERT_EQ(sh("$H mcp install opencode --yes --json"), 0) << beside << err;
    EXPECT_EQ(field({"file"}), home + "/" + json);
    ASSERT_EQ(sh("$H mcp uninstall opencode --yes"), 0) << beside << err;
    EXPECT_EQ(text(json), "{\"theme\": \"dark\"}\n");
  }
  EXPECT_EQ(sh("$H mcp uninstall opencode --yes"), 0) << err;  // neither has it
  std::filesystem::remove(home + "/" + commented);
  std::filesystem::create_symlink(home + "/nothing", home + "/" + commented);
  ASSERT_EQ(sh("$H mcp install opencode --yes --json"), 0) << err;
  EXPECT_EQ(field({"file"}), home + "/" + json);
}

// People keep their settings in a repository and link to them.
TEST_F(McpInstall, EditsTheFileBehindALink) {
  namespace fs = std::filesystem;
  put("dotfiles/gemini.json", "{\"theme\": \"dark\"}\n");
  fs::create_directory(home + "/.gemini");
  fs::create_symlink("../dotfiles/gemini.json", home + "/.gemini/settings.json");
  fs::create_directory_symlink(home + "/dotfiles", home + "/.qwen");
  ASSERT_EQ(sh("$H mcp install gemini --yes && $H mcp install qwen --yes"), 0) << err;
  EXPECT_EQ(fs::read_symlink(home + "/.gemini/settings.json"), "../dotfiles/gemini.json");
  EXPECT_TRUE(fs::is_symlink(home + "/.qwen"));
  EXPECT_TRUE(JsonView(text("dotfiles/gemini.json")).find("mcpServers").find("holdfast"))
      << text("dotfiles/gemini.json");
  EXPECT_TRUE(JsonView(text("dotfiles/settings.json")).find("mcpServers").find("holdfast"));
  ASSERT_EQ(sh("ls -A $HOME/dotfiles $HOME/.gemini"), 0);
  EXPECT_FALSE(out.contains(".holdfast") || out.contains(".new")) << out;
  // A link to nothing is not replaced.
  fs::remove(home + "/dotfiles/gemini.json");
  EXPECT_EQ(sh("$H mcp install gemini --yes"), 2) << out;
  EXPECT_TRUE(err.contains("a link to a file that does not exist")) << err;
  EXPECT_TRUE(fs::is_symlink(home + "/.gemini/settings.json"));
}

TEST_F(McpInstall, FileKeepsItsOwner) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can write the files of others";
  put(".codex/config.toml", "a = 1\n");
  ASSERT_EQ(sh("chown 65534 $HOME/.codex/config.toml"), 0) << err;
  EXPECT_EQ(sh("$H mcp install codex --yes"), 2) << out;
  EXPECT_TRUE(err.contains("belongs to another user")) << err;
  EXPECT_EQ(text(".codex/config.toml"), "a = 1\n");
  EXPECT_EQ(sh("stat -c %u $HOME/.codex/config.toml && ls -A $HOME/.codex"), 0) << err;
  EXPECT_EQ(out, "65534\nconfig.toml\n");
}

TEST_F(McpInstall, UninstallLeavesNoBlankLine) {
  for (const std::string before : {"a = 1\r\n", "a = 1\n", "", "a = 1", "[b]\r\na = 1\r\nc = 2", "\n", "a = 1\n\n"}) {
    put(".codex/config.toml", before);
    ASSERT_EQ(sh("$H mcp install codex --yes"), 0) << err;
    EXPECT_EQ(text(".codex/config.toml").ends_with("\n"), before.empty() || before.ends_with("\n"));
    EXPECT_FALSE(text(".codex/config.toml").ends_with("\n\n"));
    ASSERT_EQ(sh("$H mcp uninstall codex --yes"), 0) << err;
    EXPECT_EQ(text(".codex/config.toml"), before);
  }
}

}  // namespace
}  // namespace holdfast::inline v1
