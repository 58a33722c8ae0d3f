// The rules between source files: which room may include which, which file may
// include which third-party or system header, what the library never calls, and how
// long a file may be. Each rule is a row with its reason; a violation prints it. The
// last test plants violations, to notice a checker that finds nothing.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "src/base/paths_testing.h"
#include "tests/agent_names_testing.h"
#include "tests/header_rules_testing.h"

namespace {

struct Source {
  std::string path;  // relative to the root of the repository, with '/'
  std::string text;
};

struct Room {
  std::string_view name;
  std::vector<std::string_view> uses;  // and what those use, unless this room is a door
  std::string_view reason;
};

// From the ground up. cmake/rooms.cmake links by the same arrows.
const std::vector<Room> kRooms = {
    {"base", {}, "base is the ground; whatever it used would be under everything"},
    {"text", {"base"}, "text turns bytes into values; it opens no file"},
    {"disk", {"text"}, "disk keeps bytes; it knows nothing of sessions or layouts"},
    {"source", {"base"}, "source is the read-only seam to foreign databases; it must not reach anything that writes"},
    {"model", {"text"}, "the model is vocabulary; it must be usable without a disk"},
    {"layout", {"model"}, "layouts are cursors: they ask for bytes and spell bytes, and never do I/O"},
    {"index", {"layout", "disk", "source"}, "the index is derived data; nothing below may depend on it"},
    {"store", {"index"}, "the store is the engine; it knows no feature, features take part through store/hooks.h"},
    {"rules", {"store"}, "a feature uses the engine, never another feature"},
    {"archive", {"store"}, "the archive copies what stores hold; nothing below may depend on it"},
    {"sync", {"archive"}, "sync carries what the archive holds; nothing below may know that there are other machines"},
    {"find", {"store"}, "find only looks"},
    {"transfer", {"store"}, "transfer is independent of find"},
    {"handoff", {"store"}, "a hand-off makes new sessions and touches none; agents spell theirs in their layouts"},
    {"api", {"sync", "archive", "rules", "find", "transfer", "handoff"}, "the api is the one table above all rooms"},
    {"doors/rpc", {"api", "text", "base"}, "a door translates; what it can do, every door can do, through the api"},
    {"doors/mcp", {"api", "text", "base"}, "a door translates; what it can do, every door can do, through the api"},
    {"doors/http", {"api", "text", "base"}, "a door translates; what it can do, every door can do, through the api"},
    {"demo", {"disk"}, "the demo shows the durable floor, so it stands on disk and nothing higher"},
    {"doors/cli", {"api", "text", "base"}, "a door translates; what it can do, every door can do, through the api"},
};

// A door includes only the rooms that its row names, and only the public headers that define the api's types.
bool is_door(std::string_view room) { return room.starts_with("doors/"); }
constexpr std::string_view kHeadersForDoors = "holdfast/(api|context|error|message|session|store)\\.h";

struct Exception {
  std::string_view file;     // regular expression for the whole path
  std::string_view include;  // the same for the included file
  std::string_view reason;
};

// An exception that nothing needs any more fails the test too.
const std::vector<Exception> kExceptions = {
    {"src/doors/mcp/(server\\.cc|answers\\.h)", "doors/rpc/(batch|json_rpc|line_input|line_output|scheduler)\\.h",
     "both are JSON-RPC, a message a line"},
    {"src/doors/http/(routes\\.(h|cc)|server\\.cc)", "doors/mcp/(answers|http_post)\\.h",
     "the Model Context Protocol is carried by HTTP too"},
    {"src/doors/http/server\\.cc", "doors/rpc/scheduler\\.h", "requests of both run on a few threads"},
    {"src/doors/cli/serve_command\\.cc", "doors/http/server\\.h", "the binary opens every door: holdfast serve"},
    {"src/doors/cli/main\\.cc", "doors/mcp/server\\.h", "the binary opens every door: holdfast mcp"},
    {"src/doors/cli/main\\.cc", "doors/rpc/server\\.h", "the binary opens every door: holdfast rpc"},
    {"src/doors/cli/(args\\.h|main\\.cc)", "demo/.*", "the binary runs the demo too: holdfast demo"},
};

// Rooms that are doors or programs: they may talk to the terminal and the system.
const std::set<std::string_view> kPrograms = {"doors/rpc", "doors/mcp", "doors/http", "demo", "doors/cli"};

struct CallRule {
  std::vector<std::string_view> words;  // every call contains one of these; finding them first is much faster
  std::regex call;
  std::string_view reason;
  std::string_view except = "";  // the one file that may
};

const std::vector<CallRule>& call_rules() {
  static const std::vector<CallRule> rules = {
      {{"env"},
       std::regex("\\b(getenv|secure_getenv|setenv|putenv)\\s*\\(|\\benviron\\b"),
       "the library never reads the environment; a door passes settings in"},
      {{"abort", "terminate", "exit", "Exit", "assert"},
       std::regex("(^|[;{}):])\\s*(std::|::)?(abort|terminate|exit|_exit|_Exit|quick_exit|assert)\\s*\\("),
       "the library never ends the process; it returns an error"},
      {{"print", "put", "perror", "cout", "cerr", "clog"},
       std::regex("\\b(printf|fprintf|vprintf|puts|fputs|putchar|perror|cout|cerr|clog)\\b"),
       "the library never prints; it returns an error or reports to its caller"},
      {{"dynamic_cast"},
       std::regex("\\bdynamic_cast\\s*<\\s*(const\\s+)?FileStore\\b"),
       "what is behind a Store is known in one place: ask engine_of or engine_or_null (docs/adr/0011)",
       "src/store/engine.h"},
  };
  return rules;
}

constexpr std::size_t kMaxLines = 700;

// Fuzz targets are tests too: they compare with an independent implementation.
bool is_test(const std::string& path) { return path.ends_with("_test.cc") || path.starts_with("fuzz/"); }

// Headers that tests share; nothing else may include them.
bool is_for_tests(const std::string& path) { return is_test(path) || path.ends_with("_testing.h"); }

bool matches(const std::string& text, std::string_view pattern) {
  static std::map<std::string_view, std::regex> compiled;  // patterns are constants
  const auto known = compiled.try_emplace(pattern, pattern.begin(), pattern.end()).first;
  return std::regex_match(text, known->second);
}

std::string first_part(std::string_view path) { return std::string(path.substr(0, path.find('/'))); }

// Returns "disk" for disk/x.h, "doors/cli" for doors/cli/x.h: each door is a room.
std::string room_in(std::string_view path) {
  constexpr std::string_view kDoorway = "doors/";
  if (!path.starts_with(kDoorway)) return first_part(path);
  return std::string(kDoorway) + first_part(path.substr(kDoorway.size()));
}

// Returns "disk" for src/disk/x.cc, "" outside src/.
std::string room_of(const std::string& path) {
  return path.starts_with("src/") ? room_in(std::string_view(path).substr(4)) : "";
}

const Room* find_room(std::string_view name) {
  const auto found = std::find_if(kRooms.begin(), kRooms.end(), [&](const Room& room) { return room.name == name; });
  return found == kRooms.end() ? nullptr : &*found;
}

std::set<std::string_view> rooms_below(const Room& room) {
  std::set<std::string_view> below{room.name};
  if (is_door(room.name)) {
    below.insert(room.uses.begin(), room.uses.end());
    return below;
  }
  for (const auto name : room.uses) below.merge(rooms_below(*find_room(name)));
  return below;
}

// Returns "workflow" for src/rules/workflow/x.cc and rules/workflow/x.h; "" elsewhere and directly in rules/.
std::string feature_of(std::string_view path) {
  if (path.starts_with("src/")) path.remove_prefix(4);
  if (!path.starts_with("rules/")) return "";
  path.remove_prefix(6);
  return path.find('/') == std::string_view::npos ? "" : first_part(path);
}

struct Include {
  std::string name;
  bool quoted;
  std::size_t line;
};

std::vector<Include> includes_of(const Source& source) {
  static const std::regex pattern(R"re(^\s*#\s*include\s*([<"])([^>"]+)[>"].*)re");
  std::vector<Include> found;
  std::istringstream lines(source.text);
  std::size_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    std::smatch match;
    if (line.find('#') != std::string::npos && std::regex_match(line, match, pattern)) {
      found.push_back({match[2], match[1] == "\"", number});
    }
  }
  return found;
}

std::string where(const Source& source, std::size_t line, const std::string& what, std::string_view reason) {
  return source.path + ":" + std::to_string(line) + ": " + what + "\n    because " + std::string(reason);
}

const Exception* exception_for(const std::string& path, const std::string& include) {
  const auto found = std::find_if(kExceptions.begin(), kExceptions.end(), [&](const Exception& one) {
    return matches(path, one.file) && matches(include, one.include);
  });
  return found == kExceptions.end() ? nullptr : &*found;
}

bool may_include(const Room& room, const std::set<std::string_view>& below, const Source& source,
                 const Include& include) {
  if (exception_for(source.path, include.name) != nullptr) return true;
  if (!include.quoted)
    return !is_door(room.name) || !include.name.starts_with("holdfast/") || matches(include.name, kHeadersForDoors);
  const auto feature = feature_of(source.path), other = feature_of(include.name);
  const bool foreign = !feature.empty() && !other.empty() && feature != other;
  return !foreign && below.contains(room_in(include.name)) && include.name.find('/') != std::string::npos;
}

std::vector<std::string> arrow_violations(const std::vector<Source>& sources) {
  std::vector<std::string> found;
  for (const auto& source : sources) {
    const auto name = room_of(source.path);
    if (name.empty()) continue;
    const auto* room = find_room(name);
    if (room == nullptr) {
      found.push_back(source.path + ": room src/" + name + " is not in the table of tests/arrows_test.cc");
      continue;
    }
    const auto below = rooms_below(*room);
    for (const auto& include : includes_of(source)) {
      if (is_for_tests(source.path) && include.name.starts_with("crash/disk/")) continue;  // the disk that crashes
      if (!may_include(*room, below, source, include))
        found.push_back(
            where(source, include.line, "src/" + name + " may not include \"" + include.name + "\"", room->reason));
    }
  }
  return found;
}

std::vector<std::string> unused_exceptions(const std::vector<Source>& sources) {
  std::set<const Exception*> used;
  for (const auto& source : sources)
    for (const auto& include : includes_of(source)) used.insert(exception_for(source.path, include.name));
  std::vector<std::string> found;
  for (const auto& one : kExceptions)
    if (!used.contains(&one))
      found.push_back("nothing needs the exception for " + std::string(one.file) + " to include " +
                      std::string(one.include) + " any more: delete its row");
  return found;
}

std::vector<std::string> public_header_violations(const std::vector<Source>& sources) {
  std::vector<std::string> found;
  for (const auto& source : sources) {
    if (!source.path.starts_with("include/")) continue;
    for (const auto& include : includes_of(source)) {
      if (!include.quoted && matches(include.name, "[a-z_]+|holdfast/\\w+\\.h|stdint\\.h")) continue;
      found.push_back(where(source, include.line, "a public header may not include " + include.name,
                            "what is installed must compile with nothing but itself and the standard library"));
    }
  }
  return found;
}

std::vector<std::string> header_violations(const std::vector<Source>& sources) {
  std::vector<std::string> found;
  for (const auto& rule : kHeaders) {
    std::set<std::string> users;
    for (const auto& source : sources) {
      for (const auto& include : includes_of(source)) {
        if (include.quoted || !matches(include.name, rule.header)) continue;
        if (is_for_tests(source.path) && !rule.files.empty()) continue;
        users.insert(source.path);
        const bool allowed =
            std::any_of(rule.files.begin(), rule.files.end(), [&](auto file) { return matches(source.path, file); });
        if (!allowed)
          found.push_back(where(source, include.line, "may not include <" + include.name + ">", rule.reason));
      }
    }
    if (rule.at_most != 0 && users.size() > rule.at_most) {
      std::string list;
      for (const auto& user : users) list += " " + user;
      found.push_back("<" + std::string(rule.header) + "> is included by" + list + "; at most " +
                      std::to_string(rule.at_most) + " may\n    because " + std::string(rule.reason));
    }
  }
  for (const auto& source : sources) {
    for (const auto& include : includes_of(source)) {
      if (include.quoted && include.name.ends_with("_testing.h") && !is_for_tests(source.path) &&
          first_part(source.path) == "src")
        found.push_back(
            where(source, include.line, "may not include \"" + include.name + "\"", "it is made for tests"));
      if (include.quoted || std::regex_match(include.name, kFreeHeaders)) continue;
      if (std::any_of(kHeaders.begin(), kHeaders.end(),
                      [&](const auto& rule) { return matches(include.name, rule.header); }))
        continue;
      if (first_part(source.path) != "src" && first_part(source.path) != "include" &&
          include.name.find('/') != std::string::npos && matches(include.name, "(sys|linux|net|arpa|netinet)/.*")) {
        continue;  // programs outside the library may use the system freely
      }
      found.push_back(where(source, include.line, "<" + include.name + "> is in no row of tests/arrows_test.cc",
                            "every library we lean on is a decision: add a row with the reason, or do without"));
    }
  }
  return found;
}

// Replaces comments and the contents of string and character literals with blanks.
std::string code_of(std::string_view text) {
  std::string code(text);
  enum { normal, line_comment, comment, string, character } state = normal;
  for (std::size_t i = 0; i < code.size(); ++i) {
    const char c = code[i];
    const char next = i + 1 < code.size() ? code[i + 1] : '\0';
    if (state == normal) {
      if (c == '/' && next == '/') state = line_comment;
      if (c == '/' && next == '*') state = comment;
      if (c == '"') state = string;
      if (c == '\'' && (i == 0 || std::isalnum(static_cast<unsigned char>(code[i - 1])) == 0)) state = character;
      if (state == normal || state == string || state == character) continue;
    } else if ((state == string && c == '"') || (state == character && c == '\'') ||
               (state == line_comment && c == '\n')) {
      state = normal;
      continue;
    } else if (state == comment && c == '*' && next == '/') {
      code[i + 1] = ' ';
      state = normal;
    } else if ((state == string || state == character) && c == '\\' && next != '\n') {
      code[i] = ' ';
      if (i + 1 < code.size()) code[++i] = ' ';
      continue;
    }
    if (code[i] != '\n') code[i] = ' ';
  }
  return code;
}

std::vector<std::string> call_violations(const std::vector<Source>& sources) {
  std::vector<std::string> found;
  for (const auto& source : sources) {
    const auto room = room_of(source.path);
    if (room.empty() || kPrograms.contains(room) || is_for_tests(source.path)) continue;
    std::istringstream lines(code_of(source.text));
    std::size_t number = 0;
    for (std::string line; std::getline(lines, line);) {
      ++number;
      for (const auto& rule : call_rules()) {
        std::smatch match;
        if (source.path == rule.except) continue;
        if (std::ranges::none_of(rule.words, [&](std::string_view word) { return line.contains(word); })) continue;
        if (std::regex_search(line, match, rule.call))
          found.push_back(where(source, number, "uses " + match.str(), rule.reason));
      }
    }
  }
  return found;
}

std::vector<std::string> sort_violations(const std::vector<Source>& sources) {
  std::vector<std::string> found;
  for (const auto& source : sources) {
    const std::string code = code_of(source.text);
    for (const char* name : {"stable_sort(", "stable_partition(", "inplace_merge("})
      if (const auto at = code.find(name); at != std::string::npos)
        found.push_back(where(
            source,
            static_cast<std::size_t>(std::count(code.begin(), code.begin() + static_cast<std::ptrdiff_t>(at), '\n')) +
                1,
            std::string("uses ") + name + ")",
            "clang does not compile it with libstdc++ 12: sort_stably of base/sort_stably.h does it"));
  }
  return found;
}

std::vector<std::string> agent_violations(const std::vector<Source>& sources) {
  std::vector<std::string> found;
  for (const auto& source : sources) {
    const auto folder = first_part(source.path);
    if ((folder != "src" && folder != "include") || is_for_tests(source.path)) continue;
    if (source.path.starts_with("src/layout/") || source.path.starts_with("src/demo/")) continue;
    std::istringstream lines(holdfast::agent_names::without_comments(source.text));
    std::size_t number = 0;
    for (std::string line; std::getline(lines, line);) {
      ++number;
      for (const std::string& agent : holdfast::agent_names::agents_in(line)) {
        if (!holdfast::agent_names::may_name(source.path, agent))
          found.push_back(where(source, number, "names the agent " + agent,
                                "how an agent spells things is in one folder, src/layout/AGENT: ask its layout"));
      }
    }
  }
  return found;
}

std::vector<std::string> length_violations(const std::vector<Source>& sources) {
  std::vector<std::string> found;
  for (const auto& source : sources) {
    const auto lines = static_cast<std::size_t>(std::count(source.text.begin(), source.text.end(), '\n'));
    if (lines > kMaxLines && source.path != "include/holdfast/api.h") {  // generated, and compared with its source
      found.push_back(where(source, lines, std::to_string(lines) + " lines, more than " + std::to_string(kMaxLines),
                            "a file that one cannot hold in the head hides its mistakes: split it by what it does"));
    }
  }
  return found;
}

// Replaces raw literals with "", because their quotes and braces mean nothing.
std::string without_raw_literals(const std::string& text) {
  std::string out;
  std::size_t from = 0;
  for (std::size_t at = text.find("R\""); at != std::string::npos; at = text.find("R\"", from)) {
    const std::size_t open = text.find('(', at);
    if (open == std::string::npos || open - at > 18) {
      out.append(text, from, at + 2 - from);
      from = at + 2;
      continue;
    }
    const std::string close = ")" + text.substr(at + 2, open - at - 2) + "\"";
    const std::size_t end = text.find(close, open);
    out.append(text, from, at - from).append("\"\"");
    from = end == std::string::npos ? text.size() : end + close.size();
  }
  return out.append(text, std::min(from, text.size()));
}

// Returns the source without comments, literals and preprocessor lines.
std::string bare_code(const std::string& text) {
  std::istringstream lines(code_of(without_raw_literals(text)));
  std::string code;
  bool directive = false;
  for (std::string line; std::getline(lines, line);) {
    const auto first = line.find_first_not_of(" \t");
    directive = directive || (first != std::string::npos && line[first] == '#');
    if (!directive) code += line;
    code += '\n';
    directive = directive && line.ends_with('\\');
  }
  return code;
}

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : text + " ") {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_') {
      word += c;
      continue;
    }
    if (!word.empty()) words.push_back(std::exchange(word, {}));
    if (std::isspace(static_cast<unsigned char>(c)) == 0) words.emplace_back(1, c);
  }
  return words;
}

// Returns the name of the type that a statement before '{' defines, empty if none.
std::string type_defined(const std::vector<std::string>& words) {
  static const std::set<std::string> kinds = {"struct", "class", "union", "enum"};
  std::string name;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "(" || words[i] == "=") return {};  // a function or a value
    if (words[i] == ":" && !name.empty()) break;
    if (!kinds.contains(words[i]) || i + 1 == words.size()) continue;
    if (kinds.contains(words[i + 1])) continue;      // enum class
    if (words[i + 1].starts_with("HOLDFAST_")) ++i;  // a macro with an attribute
    name = words[i + 1];
    if (i + 2 < words.size() && words[i + 2] == "<") return {};                         // a specialization
    if (i + 3 < words.size() && words[i + 2] == ":" && words[i + 3] == ":") return {};  // Outer::Inner
  }
  return name;
}

// Returns "holdfast::v1" for namespace holdfast::inline v1, empty if unnamed.
std::string space_name(const std::vector<std::string>& words) {
  std::string name;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] != "namespace" && words[i] != "inline") name += words[i];
  }
  return name;
}

// Returns the types, as "ns::Name", that a file defines for others to see: not
// those inside a function, a type or an unnamed namespace.
std::vector<std::string> shared_types(const std::string& text) {
  std::vector<std::string> found;
  std::vector<std::string> scopes;  // the name of a namespace; "{" for anything else
  std::string statement;
  for (const char c : bare_code(text)) {
    if (c == '{') {
      std::string scope = "{";
      if (std::find(scopes.begin(), scopes.end(), "{") == scopes.end()) {
        const auto words = words_of(statement);
        const bool space = std::find(words.begin(), words.end(), "namespace") != words.end();
        if (const auto name = space ? space_name(words) : type_defined(words); !name.empty()) {
          std::string path;
          for (const auto& outer : scopes) path += outer + "::";
          if (space)
            scope = name;
          else
            found.push_back(path + name);
        }
      }
      scopes.push_back(scope);
      statement.clear();
    } else if (c == '}') {
      if (!scopes.empty()) scopes.pop_back();
      statement.clear();
    } else if (c == ';') {
      statement.clear();
    } else {
      statement += c;
    }
  }
  return found;
}

std::vector<std::string> name_violations(const std::vector<Source>& sources) {
  std::map<std::string, std::string> where_defined;
  std::vector<std::string> found;
  for (const auto& source : sources) {
    const auto folder = first_part(source.path);
    if ((folder != "src" && folder != "include") || is_test(source.path)) continue;
    for (const auto& type : shared_types(source.text)) {
      const auto [at, fresh] = where_defined.emplace(type, source.path);
      if (!fresh)
        found.push_back(source.path + ": " + type + " is defined in " + at->second +
                        " too\n    because all rooms share one namespace: the linker takes one of two types of the "
                        "same name for both");
    }
  }
  return found;
}

// A test that starts our programs in an environment of its own must not lose what tests/lock_complaints.cc sets.
std::vector<std::string> environment_violations(const std::vector<Source>& sources) {
  static const std::regex own(
      R"re("env -[i] (?!HOLDFAST_LOCK_ORDER=abort)|variables\{"PATH=(?![^}]*"HOLDFAST_LOCK_ORDER=abort"))re");
  std::vector<std::string> found;
  for (const auto& source : sources)
    if ((source.text.contains("\"env -") || source.text.contains("variables{")) && std::regex_search(source.text, own))
      found.push_back(source.path + ": a lock out of order does not end the programs that it starts (I-19)");
  return found;
}

const std::vector<Source>& tree() {
  static const std::vector<Source> sources = [] {
    namespace fs = std::filesystem;
    const fs::path root = holdfast::paths::source();
    std::vector<Source> all;
    for (const auto* folder : {"src", "include", "tests", "crash", "bench", "fuzz"}) {
      if (!fs::exists(root / folder)) continue;
      for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
        const auto extension = entry.path().extension();
        if (!entry.is_regular_file() || (extension != ".cc" && extension != ".h")) continue;
        std::ifstream file(entry.path(), std::ios::binary);
        all.push_back(
            {fs::relative(entry.path(), root).generic_string(), std::string(std::istreambuf_iterator<char>(file), {})});
      }
    }
    std::sort(all.begin(), all.end(), [](const Source& a, const Source& b) { return a.path < b.path; });
    return all;
  }();
  return sources;
}

void expect_none(const std::vector<std::string>& violations) {
  for (const auto& violation : violations) ADD_FAILURE() << violation;
}

TEST(Arrows, SourceTreeIsFound) {
  EXPECT_GT(tree().size(), 3u) << "nothing to check below " << holdfast::paths::source();
}
TEST(Arrows, RoomsIncludeOnlyRoomsBelow) { expect_none(arrow_violations(tree())); }
TEST(Arrows, ExceptionsAreNeeded) { expect_none(unused_exceptions(tree())); }
TEST(Arrows, PublicHeadersAreSelfContained) { expect_none(public_header_violations(tree())); }
TEST(Arrows, ThirdPartyHeadersAreIncludedOnlyWhereAllowed) { expect_none(header_violations(tree())); }
TEST(Arrows, LibraryNeverPrintsExitsOrReadsEnvironment) { expect_none(call_violations(tree())); }
TEST(Arrows, SortsCompileWithClang) { expect_none(sort_violations(tree())); }
TEST(Arrows, AgentsAreNamedOnlyInTheirFolders) { expect_none(agent_violations(tree())); }
TEST(Arrows, ProgramsOfTestsCheckTheOrderOfLocks) { expect_none(environment_violations(tree())); }
TEST(Arrows, NoFileIsTooLong) { expect_none(length_violations(tree())); }
TEST(Arrows, TypeNamesAreUnique) {
  expect_none(name_violations(tree()));
  std::size_t types = 0;
  for (const auto& source : tree()) types += shared_types(source.text).size();
  EXPECT_GT(types, 200u) << "the checker has become blind";
}

TEST(Arrows, EveryRuleFindsPlantedViolations) {
  const auto one = [](std::string path, std::string text) {
    return std::vector<Source>{{std::move(path), std::move(text)}};
  };
  EXPECT_EQ(1u, arrow_violations(one("src/base/a.cc", "#include \"text/json.h\"\n")).size());
  EXPECT_EQ(1u, arrow_violations(one("src/disk/a.h", " # include \"doors/cli/args.h\"\n")).size());
  EXPECT_EQ(1u, arrow_violations(one("src/layout/a.cc", "#include \"disk/append_log.h\"\n")).size());
  EXPECT_EQ(1u, arrow_violations(one("src/disk/a.cc", "#include \"neighbour.h\"\n")).size());
  EXPECT_EQ(1u, arrow_violations(one("src/disk/a.cc", "#include \"crash/model.h\"\n")).size());
  EXPECT_EQ(1u, arrow_violations(one("src/rules/runs/a.cc", "#include \"rules/queue/queue.h\"\n")).size());
  EXPECT_EQ(1u, arrow_violations(one("src/store/a.cc", "#include \"rules/runs/runs.h\"\n")).size());
  EXPECT_EQ(0u, arrow_violations(one("src/rules/a.cc", "#include \"rules/queue/queue.h\"\n")).size());
  EXPECT_EQ(1u, arrow_violations(one("src/cellar/a.cc", "")).size());
  EXPECT_EQ(1u, arrow_violations(one("src/doors/cellar/a.cc", "")).size());
  EXPECT_EQ(1u, arrow_violations(one("src/doors/cli/a.cc", "#include \"store/engine.h\"\n")).size());
  EXPECT_EQ(1u, arrow_violations(one("src/doors/cli/a.cc", "#include \"model/time_formats.h\"\n")).size());
  EXPECT_EQ(1u, arrow_violations(one("src/doors/cli/a_test.cc", "#include \"disk/root.h\"\n")).size());
  EXPECT_EQ(1u, arrow_violations(one("src/doors/cli/a.cc", "#include \"demo/demo.h\"\n")).size());
  EXPECT_EQ(1u, arrow_violations(one("src/doors/cli/a.cc", "#include <holdfast/file_system.h>\n")).size());
  EXPECT_EQ(1u, arrow_violations(one("src/doors/rpc/a.cc", "#include \"doors/cli/args.h\"\n")).size());
  EXPECT_EQ(0u, arrow_violations(one("src/doors/rpc/a.cc",
                                     "#include \"api/call.h\"\n#include \"text/clean.h\"\n"
                                     "#include \"doors/rpc/b.h\"\n#include \"base/id.h\"\n"
                                     "#include <holdfast/error.h>\n"))
                    .size());
  EXPECT_EQ(0u, arrow_violations(one("src/doors/cli/main.cc", "#include \"doors/rpc/server.h\"\n")).size());
  EXPECT_EQ(kExceptions.size(), unused_exceptions(one("src/doors/cli/a.cc", "")).size());
  EXPECT_EQ(0u, arrow_violations(one("src/disk/a.cc", "#include \"disk/b.h\"\n#include \"base/hash.h\"\n")).size());

  EXPECT_EQ(1u, public_header_violations(one("include/holdfast/a.h", "#include \"disk/log.h\"\n")).size());
  EXPECT_EQ(1u, public_header_violations(one("include/holdfast/a.h", "#include <simdjson.h>\n")).size());
  EXPECT_EQ(
      0u,
      public_header_violations(one("include/holdfast/a.h", "#include <holdfast/error.h>\n#include <vector>\n")).size());

  EXPECT_EQ(1u, header_violations(one("src/disk/a.cc", "#include <simdjson.h>\n")).size());
  EXPECT_EQ(1u, header_violations(
                    {{"src/text/a.cc", "#include <simdjson.h>\n"}, {"src/text/b.cc", "#include <simdjson.h>\n"}})
                    .size());
  EXPECT_EQ(1u, header_violations(one("src/text/a.cc", "#include <openssl/evp.h>\n")).size());
  EXPECT_EQ(1u, header_violations(one("src/text/yaml_edit.cc", "#include <yaml-cpp/yaml.h>\n")).size());
  EXPECT_EQ(0u, header_violations(one("src/text/yaml_events.cc", "#include <yaml-cpp/parser.h>\n")).size());
  EXPECT_EQ(1u, header_violations(one("src/store/config.cc", "#include <toml++/toml.hpp>\n")).size());
  EXPECT_EQ(1u, header_violations({{"src/text/toml_nodes.cc", "#include <toml++/toml.hpp>\n"},
                                   {"src/text/toml_value.cc", "#include <toml++/toml.hpp>\n"}})
                    .size());
  EXPECT_EQ(0u, header_violations(one("src/text/toml_nodes.cc", "#include <toml++/toml.hpp>\n")).size());
  EXPECT_EQ(1u, header_violations(one("src/doors/cli/table.h", "#include <fmt/core.h>\n")).size());
  EXPECT_EQ(1u, header_violations(one("src/disk/a.cc", "#include <sqlite3.h>\n")).size());
  EXPECT_EQ(1u, header_violations(one("src/layout/opencode/a.cc", "#include <sqlite3.h>\n")).size());
  EXPECT_EQ(0u, header_violations(one("src/source/connection.cc", "#include <sqlite3.h>\n")).size());
  EXPECT_EQ(1u, header_violations(one("src/index/a.cc", "#include <zstd.h>\n")).size());
  EXPECT_EQ(1u, header_violations(one("src/disk/append_log.cc", "#include <fcntl.h>\n")).size());
  EXPECT_EQ(1u, header_violations(one("src/disk/append_log.cc", "#include <filesystem>\n")).size());
  EXPECT_EQ(1u, header_violations(one("src/text/a.cc", "#include <iostream>\n")).size());
  EXPECT_EQ(1u, header_violations(one("src/base/a.cc", "#include <nlohmann/json.hpp>\n")).size());
  EXPECT_EQ(1u, header_violations(one("src/disk/a.cc", "#include <gtest/gtest.h>\n")).size());
  EXPECT_EQ(
      0u, header_violations(one("src/disk/real_file_system.cc", "#include <fcntl.h>\n#include <sys/stat.h>\n")).size());
  EXPECT_EQ(0u, header_violations(one("fuzz/a_fuzz.cc", "#include <simdjson.h>\n")).size());
  EXPECT_EQ(0u, header_violations(one("src/disk/a_test.cc", "#include <gtest/gtest.h>\n#include <unistd.h>\n")).size());
  EXPECT_EQ(1u, header_violations(one("src/disk/a_test.cc", "#include <gmock/gmock.h>\n")).size());
  EXPECT_EQ(0u,
            header_violations(one("src/disk/a_testing.h", "#include <unistd.h>\n#include \"b_testing.h\"\n")).size());
  EXPECT_EQ(1u, header_violations(one("src/disk/a.cc", "#include \"disk/a_testing.h\"\n")).size());

  EXPECT_EQ(1u, sort_violations(one("src/disk/a.cc", "std::ranges::stable_sort(all);\n")).size());
  EXPECT_EQ(0u, sort_violations(one("src/disk/a.cc", "sort_stably(all, less);  // as stable_sort does\n")).size());

  EXPECT_EQ(1u, call_violations(one("src/disk/a.cc", "auto x = std::getenv(\"HOME\");\n")).size());
  EXPECT_EQ(1u, call_violations(one("src/disk/a.cc", "if (bad) std::abort();\n")).size());
  EXPECT_EQ(1u, call_violations(one("src/text/a.cc", "  std::cerr << 1;\n")).size());
  EXPECT_EQ(1u, call_violations(one("src/api/a.cc", "auto* x = dynamic_cast<FileStore*>(&store);\n")).size());
  EXPECT_EQ(0u, call_violations(one("src/store/engine.h", "return dynamic_cast<FileStore*>(&store);\n")).size());
  EXPECT_EQ(0u, call_violations(
                    one("src/disk/a.cc", "// abort(); getenv()\nlet(\"printf(\");\n /* exit(1); */ commit.abort();\n"))
                    .size());
  EXPECT_EQ(0u, call_violations(one("src/doors/cli/a.cc", "std::getenv(\"HOME\");\n")).size());

  const auto two = [](std::string a, std::string b) {
    return name_violations({{"src/disk/a.h", std::move(a)}, {"src/layout/b.cc", std::move(b)}}).size();
  };
  const std::string step = "namespace holdfast::inline v1 {\nstruct Step {\n  int x;\n};\n}\n";
  EXPECT_EQ(1u, two(step, step));
  EXPECT_EQ(1u,
            two(step, "namespace holdfast {\ninline namespace v1 {\nclass Step final : public Base<int> {};\n}}\n"));
  EXPECT_EQ(
      1u, two(step,
              "#define X {\nauto text = R\"({)\";\nnamespace holdfast::inline v1 {\nenum class Step : char {};\n}\n"));
  EXPECT_EQ(0u, two(step, "namespace holdfast::inline v1 {\nstruct Step;\nnamespace {\nstruct Step {};\n}\n}\n"));
  EXPECT_EQ(0u, two(step, "namespace holdfast::inline v1::native {\nstruct Step {};\n}\n"));
  EXPECT_EQ(0u, two(step,
                    "namespace holdfast::inline v1 {\nclass Walk {\n  struct Step {};\n};\nvoid f() {\n  struct Step "
                    "{};\n}\n}\n"));

  EXPECT_EQ(1u, agent_violations(one("src/api/a.cc", "if (layout == \"codex\") return;\n")).size());
  EXPECT_EQ(1u, agent_violations(one("src/api/a.cc", "return rescue_opencode(feed);\n")).size());
  EXPECT_EQ(1u, agent_violations(one("src/transfer/a.cc", "class ContinueTools {};\n")).size());
  EXPECT_EQ(1u, agent_violations(one("src/cli/a.cc", "add(\"~/.continue\");\n")).size());
  EXPECT_EQ(1u, agent_violations(one("src/cli/a.cc", "auto x = R\"(\"pi\")\";\n")).size());
  EXPECT_EQ(1u, agent_violations(one("src/cli/a.cc", "#include \"layout/qwen/tools.h\"\n")).size());
  EXPECT_EQ(0u, agent_violations(one("src/cli/a.cc",
                                     "// as Codex does\nif (x) continue;\nsay(\"to continue, \");\n"
                                     "pid_t pid; /* pi */\n"))
                    .size());
  EXPECT_EQ(0u, agent_violations(one("src/layout/codex/a.cc", "\"codex\"\n")).size());
  EXPECT_EQ(0u, agent_violations(one("src/cli/a_test.cc", "\"codex\"\n")).size());

  EXPECT_EQ(1u, environment_violations(one("tests/a.cc", std::string("(\"env ") + "-i HOME=")).size());
  EXPECT_EQ(1u, environment_violations(one("tests/a.cc", std::string("variables{") + "\"PATH=/bin\"};")).size());

  std::string long_text;
  for (std::size_t i = 0; i < kMaxLines; ++i) long_text += "\n";
  EXPECT_EQ(0u, length_violations(one("src/disk/a.cc", long_text)).size());
  EXPECT_EQ(1u, length_violations(one("src/disk/a.cc", long_text + "\n")).size());
}

}  // namespace
