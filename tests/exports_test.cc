// The shared library exports what its public headers declare, and nothing else.
#include <gtest/gtest.h>
#include <holdfast.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "src/base/paths_testing.h"

namespace {

using Names = std::set<std::string>;

std::string output_of(const std::string& command) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(::popen(command.c_str(), "r"), ::pclose);
  std::string text;
  std::array<char, 4096> part{};
  for (std::size_t count = 1; pipe != nullptr && count > 0;) {
    count = std::fread(part.data(), 1, part.size(), pipe.get());
    text.append(part.data(), count);
  }
  return text;
}

std::string without_comments(const std::string& text) {
  static const std::regex gone(
      R"(//[^\n]*|/\*[^*]*(?:\*[^*/]+)*\*/|"[^"\n]*"|^[ \t]*#(?:\\\n|[^\n])*|\bHOLDFAST_\w+\b)", std::regex::multiline);
  return std::regex_replace(text, gone, "");
}

// The text before a name and its '(' shows whether it is a function, and not a value or a type.
bool is_function(const std::string& before) {
  return before.find('=') == std::string::npos && before.find("using ") == std::string::npos &&
         before.find("typedef ") == std::string::npos &&
         std::count(before.begin(), before.end(), '<') == std::count(before.begin(), before.end(), '>');
}

struct Header {
  Names names = {};    // "Root" and "Root::open": its classes and functions, as nm names them
  Names defined = {};  // the functions that the library must define
};

void read_header(const std::string& text, Header& header) {
  static const std::regex elsewhere(R"(=\s*(0|default|delete)\s*$|\bfriend\b)");
  static const std::regex type(R"(\b(?:class|struct)\s+(\w+)(?:\s+final)?(?:\s*:[^:].*)?\s*$)");
  static const std::regex function(R"(((?:operator\s*[^\s\w(]+)|~?\w+)\s*\()");
  static const std::regex space(R"(\bnamespace\s+([\w: ]+?)\s*$)");
  std::vector<std::string> scopes;  // "" for the namespaces that all share, "{" for a body
  std::string statement;
  int depth = 0;  // of parentheses: "= {}" there is a default, not a body
  const auto outer = [&] {
    std::string path;
    for (const auto& scope : scopes) path += scope.empty() ? "" : scope + "::";
    return path;
  };
  const auto inside = [&] { return std::find(scopes.begin(), scopes.end(), "{") != scopes.end(); };
  for (const char c : without_comments(text)) {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (depth > 0 || (c != '{' && c != '}' && c != ';')) {
      statement += c == '\n' ? ' ' : c;
      continue;
    }
    std::string scope = "{";
    std::smatch match;
    if (!inside() && c != '}') {
      if (c == '{' && std::regex_search(statement, std::regex("^\\s*extern\\s*$"))) {
        scope.clear();  // extern "C"
      } else if (c == '{' && std::regex_search(statement, match, space)) {
        scope = std::regex_replace(match.str(1), std::regex("^holdfast::inline v1(::)?"), "");
      } else if (c == '{' && std::regex_search(statement, match, type)) {
        scope = match.str(1);
        header.names.insert(outer() + scope);
      } else if (std::regex_search(statement, match, function) && is_function(match.prefix())) {
        header.names.insert(outer() + match.str(1));
        if (c == ';' && !std::regex_search(statement, elsewhere)) header.defined.insert(outer() + match.str(1));
      }
    }
    if (c == '{') scopes.push_back(scope);
    if (c == '}' && !scopes.empty()) scopes.pop_back();
    statement.clear();
  }
}

const Header& declared() {
  static const Header header = [] {
    Header all;
    std::ifstream for_c(holdfast::paths::source() + "/include/holdfast.h");
    read_header(std::string(std::istreambuf_iterator<char>(for_c), {}), all);
    for (const auto& entry : std::filesystem::directory_iterator(holdfast::paths::source() + "/include/holdfast")) {
      std::ifstream file(entry.path());
      read_header(std::string(std::istreambuf_iterator<char>(file), {}), all);
    }
    return all;
  }();
  return header;
}

// Returns the symbols of a library's dynamic table, without parameters, versions and our namespace.
std::vector<std::string> exported(const std::string& library) {
  static const std::regex noise(R"(\[abi:\w+\]|@.*$|^(typeinfo name|typeinfo|vtable) for )");
  std::vector<std::string> all;
  std::istringstream lines(output_of("nm -D --defined-only -C '" + library + "'"));
  for (std::string line; std::getline(lines, line);) {
    if (line.size() < 20 || line[17] == 'A') continue;  // the name of the version
    std::string name = std::regex_replace(line.substr(19), noise, "");
    name = name.substr(0, name.find('('));
    if (name.starts_with("holdfast::v1::")) name = name.substr(14);
    all.push_back(name);
  }
  return all;
}

TEST(Exports, AreDeclaredInPublicHeaders) {
  const auto symbols = exported(holdfast::paths::library());
  EXPECT_GT(symbols.size(), 100u) << "nothing to compare in " << holdfast::paths::library();
  for (const auto& symbol : symbols) EXPECT_TRUE(declared().names.contains(symbol)) << symbol;
}

TEST(Exports, AreAllThatPublicHeadersDeclare) {
  const auto symbols = exported(holdfast::paths::library());
  const Names there(symbols.begin(), symbols.end());
  EXPECT_GT(declared().defined.size(), 80u) << "the checker has become blind";
  for (const auto& name : declared().defined) EXPECT_TRUE(there.contains(name)) << name << " (HOLDFAST_EXPORT)";
}

// Programs compiled against an earlier library continue to work with this one. A change here needs a new
// soname (cmake/package.cmake); a new function needs only a line.
static_assert(std::is_same_v<decltype(hf_open), int(const char*, hf_client**, char**)>);
static_assert(std::is_same_v<decltype(hf_call), int(hf_client*, std::uint64_t, const char*, const char*, char**)>);
static_assert(std::is_same_v<decltype(hf_stream),
                             int(hf_client*, std::uint64_t, const char*, const char*, hf_item, void*, char**)>);
static_assert(std::is_same_v<hf_item, int (*)(void*, const char*)>);
static_assert(std::is_same_v<decltype(hf_cancel), void(hf_client*, std::uint64_t)>);
static_assert(std::is_same_v<decltype(hf_free), void(void*)>);
static_assert(std::is_same_v<decltype(hf_version), const char*()>);

TEST(Exports, CInterfaceIsUnchanged) {
  const Names expected{"hf_call@@HOLDFAST_0", "hf_cancel@@HOLDFAST_0", "hf_free@@HOLDFAST_0",
                       "hf_open@@HOLDFAST_0", "hf_stream@@HOLDFAST_0", "hf_version@@HOLDFAST_0"};
  Names found;
  std::istringstream lines(
      output_of("nm -D --defined-only --with-symbol-versions '" + holdfast::paths::library() + "'"));
  for (std::string line; std::getline(lines, line);)
    if (const auto at = line.find(" hf_"); at != std::string::npos) found.insert(line.substr(at + 1));
  EXPECT_EQ(found, expected);
}

TEST(Exports, LibraryHasSoname) {
  EXPECT_NE(output_of("objdump -p '" + holdfast::paths::library() + "'").find("SONAME               libholdfast.so."),
            std::string::npos);
}

TEST(Exports, HeaderParserFindsDeclarations) {
  Header header;
  read_header(R"(
namespace holdfast::inline v1 {
// void commented(int);
HOLDFAST_EXPORT Result<std::vector<int>> free_one(const std::function<void(int)>& each, int other = {});
class HOLDFAST_EXPORT Door : public std::enable_shared_from_this<Door> {
 public:
  ~Door();
  Door& operator+=(const Door& other);
  using Look = std::function<bool(int)>;
  std::function<bool(int)> member;
  int value = free_one({});
  bool inline_one() const { return hidden(1); }
  struct Impl;
};
namespace api {
struct Plain { int member = 0; };
}
})",
              header);
  EXPECT_EQ(header.names,
            (Names{"free_one", "Door", "Door::~Door", "Door::operator+=", "Door::inline_one", "api::Plain"}));
  EXPECT_EQ(header.defined, (Names{"free_one", "Door::~Door", "Door::operator+="}));
}

}  // namespace
