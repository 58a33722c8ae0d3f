// NOTICE and the Debian package give credit for every library that is compiled in or linked statically.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include "src/base/paths_testing.h"

namespace {

std::string contents(const std::string& name) {
  std::ifstream file(holdfast::paths::source() + "/" + name);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

struct Libraries {
  std::set<std::string> all;     // in lower case, as CMake names them
  std::set<std::string> inside;  // those linked statically, or of headers alone
};

// What third_party.cmake requires. What it only looks for is for tests and benchmarks.
Libraries required_libraries(const std::string& cmake) {
  static const std::regex call(R"(\n(find_package|find_path|find_library)\((\w[\w-]*)([^)]*\bREQUIRED\b[^)]*)\))");
  Libraries found;
  std::set<std::string> with_headers, with_library;
  for (std::sregex_iterator match(cmake.begin(), cmake.end(), call), end; match != end; ++match) {
    const std::string kind = (*match)[1], arguments = (*match)[3];
    const std::string name = lower(std::regex_replace((*match)[2].str(), std::regex("_(INCLUDE_DIR|LIBRARY)$"), ""));
    if (name == "threads") continue;  // part of the C library
    found.all.insert(name);
    if (kind == "find_path") with_headers.insert(name);
    if (kind == "find_library") with_library.insert(name);
    const bool is_static = std::regex_search(arguments, std::regex(R"(\.a\b)")) ||
                           lower(cmake).find("set(" + name + "_use_static_libs true)") != std::string::npos;
    if (is_static) found.inside.insert(name);
  }
  std::ranges::set_difference(with_headers, with_library, std::inserter(found.inside, found.inside.end()));
  return found;
}

// Where NOTICE and Debian call a library something else than CMake does.
std::string name_in_notice(const std::string& library) {
  static const std::map<std::string, std::string> other{{"sqlite3", "sqlite"}, {"zstd", "zstandard"}};
  const auto found = other.find(library);
  return found == other.end() ? library : found->second;
}

std::string package_of(const std::string& work) {
  static const std::map<std::string, std::string> other{
      {"openssl", "libssl"}, {"toml++", "libtomlplusplus"}, {"libsodium", "libsodium"}};
  const auto found = other.find(work);
  return found == other.end() ? "lib" + work : found->second;
}

// The works in the table of NOTICE, in lower case.
std::set<std::string> works_inside(const std::string& notice) {
  static const std::regex row(R"(\n  (\S+).*https://)");
  std::set<std::string> works;
  for (std::sregex_iterator match(notice.begin(), notice.end(), row), end; match != end; ++match)
    works.insert(lower((*match)[1]));
  return works;
}

TEST(Notice, NamesEveryLibraryThatIsRequired) {
  const auto libraries = required_libraries(contents("cmake/third_party.cmake"));
  const std::string notice = lower(contents("NOTICE"));
  EXPECT_GE(libraries.all.size(), 10U);
  for (const auto& library : libraries.all)
    EXPECT_NE(notice.find(name_in_notice(library)), std::string::npos) << library << " is not in NOTICE";
}

TEST(Notice, ListsWhatIsCompiledInOrLinkedStatically) {
  const auto libraries = required_libraries(contents("cmake/third_party.cmake"));
  const auto works = works_inside(contents("NOTICE"));
  EXPECT_EQ(libraries.inside, (std::set<std::string>{"boost", "openssl", "sodium"}));
  for (const auto& library : libraries.inside)
    EXPECT_TRUE(works.contains(library) || works.contains("lib" + library)) << library << " is not in NOTICE's table";
  // Compiled in by #include alone, which CMake does not see.
  EXPECT_TRUE(works.contains("xxhash") && works.contains("toml++"));
}

TEST(Notice, PackageHasTheCopyrightOfEachWork) {
  const std::string debian = contents("cmake/debian.cmake"), installed = contents("tests/fresh_package.sh");
  for (const auto& work : works_inside(contents("NOTICE"))) {
    const std::regex package("[ .]" + package_of(work) + "\\b");
    EXPECT_TRUE(std::regex_search(debian, package)) << work << " has no copyright file in cmake/debian.cmake";
    EXPECT_TRUE(std::regex_search(installed, package)) << work << " is not looked for by tests/fresh_package.sh";
  }
}

TEST(Notice, NewLibraryIsNoticed) {
  const auto libraries = required_libraries(
      "\nfind_library(FOO_LIBRARY NAMES libfoo.a foo REQUIRED)\nfind_path(BAR_INCLUDE_DIR bar.h REQUIRED)\n"
      "find_package(baz REQUIRED)\nfind_package(tests QUIET)\n");
  EXPECT_EQ(libraries.all, (std::set<std::string>{"bar", "baz", "foo"}));
  EXPECT_EQ(libraries.inside, (std::set<std::string>{"bar", "foo"}));
}

}  // namespace
