// Bytes that others wrote, wherever they can reach a terminal: arguments, a store's FORMAT,
// configuration, titles, messages, names of files. None of them acts on it.
#include <algorithm>
#include <filesystem>

#include "tests/cli/shell_testing.h"
#include "text/clean.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;

// ESC and BEL, a C1 control in UTF-8 and as a byte, and one that reverses the line.
const std::string kEvil =
    "a\x1b]0;OWNED\x07"
    "b\xC2\x9B"
    "2Jc\xE2\x80\xAE"
    "d\x9b"
    "e\x7f";
// The same as JSON can hold it, without the byte that is not UTF-8.
const std::string kEvilJson = "a\\u001b]0;OWNED\\u0007b\\u009b2Jc\\u202ed\\u007f";

struct HostileText : Shell {
  HostileText() : Shell("desk") {}

  static bool acts(const std::string& text) {
    return std::ranges::any_of(text,
                               [](char c) {
                                 const auto byte = static_cast<unsigned char>(c);
                                 return (byte < 0x20 && c != '\n' && c != '\t') || byte == 0x7F;
                               }) ||
           text != clean_for_terminal(text);
  }
  // Runs the line, and checks everything that it prints.
  void look(const std::string& line, const std::string& why) {
    const int code = sh("E=$(cat $HOME/evil); export E; timeout -k 5 60 " + line);
    EXPECT_LT(code, 124) << line << " " << why;
    EXPECT_FALSE(acts(out)) << why << ": " << line << "\n" << clean_for_terminal(out, {.visible = true});
    EXPECT_FALSE(acts(err)) << why << ": " << line << "\n" << clean_for_terminal(err, {.visible = true});
  }
  void look_with_all(const std::string& why) {
    for (const std::string line : {"$H",
                                   "$H ls",
                                   "$H ls --json",
                                   "$H show @last",
                                   "$H show @last --format text",
                                   "$H tail",
                                   "$H search b",
                                   "$H search b --json",
                                   "$H stats",
                                   "$H stats --by session",
                                   "$H stores",
                                   "$H verify",
                                   "$H doctor",
                                   "$H doctor --json",
                                   "$H session list",
                                   "$H session get @last",
                                   "$H session trashed",
                                   "$H store settings",
                                   "$H store findings",
                                   "$H config list",
                                   "$H config get store",
                                   "$H project list",
                                   "$H complete -- show ''",
                                   "$H complete -- ls --store ''",
                                   "setsid -w $H pick",
                                   "$H call session.list",
                                   "$H rm @last --dry-run",
                                   "$H prune --dry-run",
                                   "$H session start --module x"})
      look(line, why);
  }
  void SetUp() override {
    Shell::SetUp();
    std::ofstream(home + "/evil") << kEvil;
  }
};

TEST_F(HostileText, ArgumentsAreSanitized) {
  for (const std::string line : {"$H \"$E\"",
                                 "$H \"--$E\"",
                                 "$H show \"$E\"",
                                 "$H show --store \"$E\"",
                                 "$H show --store \"holdfast:$E\"",
                                 "$H ls --\"$E\"",
                                 "$H ls --limit \"$E\"",
                                 "$H ls --since \"$E\"",
                                 "$H session \"$E\"",
                                 "$H session get \"$E\"",
                                 "$H session get x \"$E\"",
                                 "$H session create --title \"$E\"",
                                 "$H call \"$E\"",
                                 "$H call session.get \"$E\"",
                                 "$H call session.get '{\"'\"$E\"'\":1}'",
                                 "$H call session.get @\"$E\"",
                                 "$H help \"$E\"",
                                 "$H completions \"$E\"",
                                 "$H man \"$E\"",
                                 "$H init \"$E\"",
                                 "$H import \"$E\"",
                                 "$H export \"$E\"",
                                 "$H search \"$E\"",
                                 "$H search --regex \"($E\"",
                                 "$H verify --store \"holdfast:/$E\"",
                                 "$H doctor --store \"$E\"",
                                 "$H tail \"$E\"",
                                 "$H rescue \"$E\"",
                                 "$H restore \"$E\"",
                                 "$H rm \"$E\" --yes",
                                 "$H config set \"$E\" \"$E\"",
                                 "$H config set store \"$E\"",
                                 "$H resume \"$E\"",
                                 "$H share \"$E\"",
                                 "$H ls --agent \"$E\"",
                                 "$H stats --by \"$E\"",
                                 "$H record get \"$E\"",
                                 "$H credential set \"$E\" \"$E\"",
                                 "$H rpc --store \"$E\"",
                                 "$H ls --color \"$E\"",
                                 "$H demo --seconds \"$E\""})
    look(line, "argument");
}

TEST_F(HostileText, StoreFormatIsSanitized) {
  for (const std::string& text : {kEvil, "{\"format\":\"" + kEvilJson + "\",\"version\":\"" + kEvilJson + "\"}",
                                  "{\"format\":\"holdfast\",\"version\":1,\"incompat\":[\"" + kEvilJson + "\"]}",
                                  "{\"format\":\"holdfast\",\"version\":1,\"ro_compat\":[\"" + kEvilJson + "\"]}"}) {
    fs::create_directories(home + "/desk/.holdfast");
    std::ofstream(home + "/desk/.holdfast/FORMAT", std::ios::trunc) << text;
    look_with_all("FORMAT");
    look("$H session create --title x", "FORMAT");
  }
}

TEST_F(HostileText, ConfigurationIsSanitized) {
  const std::string toml = "a\\u001b]0;OWNED\\u0007b\\u009b2Jc\\u202ed";
  for (const std::string& line :
       {"store = \"" + toml + "\"\n", "redact_inputs = \"" + toml + "\"\n", "\"" + toml + "\" = [\n", kEvil,
        "log_file = \"" + toml + "\"\n", "[prices]\n\"" + toml + "\" = { input = \"x\" }\n"}) {
    fs::create_directories(home + "/desk/.holdfast");
    fs::create_directories(home + "/.config/holdfast");
    for (const std::string path : {"/desk/.holdfast/config.toml", "/.config/holdfast/config.toml"}) {
      std::ofstream(home + path) << line;
      look("$H ls", path + line);
      look("$H doctor", path + line);
      look("$H call session.list", path + line);
      fs::remove(home + path);
    }
  }
}

TEST_F(HostileText, SessionsAndTheirNamesAreSanitized) {
  std::ofstream(home + "/said") << "{\"title\":\"" << kEvilJson << "\"}";
  ASSERT_EQ(sh("$H call session.create @$HOME/said"), 0) << err;
  std::ofstream(home + "/said") << "{\"session\":\"@last\",\"text\":\"" << kEvilJson << " b\"}";
  ASSERT_EQ(sh("$H call message.append @$HOME/said"), 0) << err;
  const std::string folder = home + "/.claude/projects/" + kEvil;
  fs::create_directories(folder);
  std::ofstream(folder + "/" + kEvil + ".jsonl")
      << "{\"type\":\"user\",\"uuid\":\"" << kEvilJson << "\",\"sessionId\":\"" << kEvilJson << "\",\"cwd\":\"/"
      << kEvilJson << "\",\"gitBranch\":\"" << kEvilJson << "\",\"message\":{\"role\":\"user\",\"content\":\"b "
      << kEvilJson << "\"}}\n{half";
  look_with_all("session");
  fs::create_directories(home + "/desk/" + kEvil + "/.claude");
  look("sh -c 'cd \"$E\" && $H ls'", "directory");
}

}  // namespace
}  // namespace holdfast::inline v1
