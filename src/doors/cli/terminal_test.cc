#include "doors/cli/terminal.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/paths_testing.h"
#include "text/secrets_testing.h"

namespace holdfast::inline v1 {
namespace {

TEST(ErrorText, IsCleanForPeopleAndEscapedForPrograms) {
  const Error error{Code::not_found,
                    "no \x1b]0;t\x07\xC2\x9B"
                    "2Jsession\xE2\x80\xAE",
                    "/a\nb\x1b[2J", 0};
  EXPECT_EQ(error_text(error, false), "holdfast: no session (/a b)\n");
  const std::string json = error_text(error, true);
  EXPECT_NE(json.find("no \\u001b]0;t\\u0007\\u009b2Jsession\\u202e"), std::string::npos) << json;
}

TEST(ErrorText, HidesSecrets) {
  const std::string key = "ghp_" + testing::made_up(testing::kLetters, 36);
  for (const bool json : {false, true})
    EXPECT_EQ(error_text({Code::invalid_argument, "holdfast x does not take \"" + key + "\"", {}, 0}, json).find(key),
              std::string::npos);
}

TEST(SanitizeOutput, KeepsOnlyAllowedColours) {
  EXPECT_EQ(sanitize_output("\x1b[1mx\x1b[0m\x1b[2J\n", OutputKind::text), "x\n");
  allow_colours(true);
  EXPECT_EQ(sanitize_output("\x1b[1mx\x1b[0m\x1b[2J\n", OutputKind::text), "\x1b[1mx\x1b[0m\n");
  allow_colours(false);
  EXPECT_EQ(sanitize_output("\"\xC2\x9B\"", OutputKind::json), "\"\\u009b\"");
}

// There is only one way out: anything else that wrote to a descriptor would not be cleaned.
TEST(Output, OnlyTerminalFilesWriteOutput) {
  namespace fs = std::filesystem;
  std::size_t looked_at = 0;
  for (const auto& entry : fs::directory_iterator(paths::source() + "/src/doors/cli")) {
    const std::string name = entry.path().filename().string();
    if (name.ends_with("_test.cc") || name == "terminal.cc" || name == "pager.cc" || name == "raw_terminal.cc")
      continue;
    std::ifstream file(entry.path());
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    ++looked_at;
    for (const std::string_view way :
         {"fmt::print", "std::cout", "std::cerr", "printf(", "fputs", "fwrite", "puts(", "stderr,"})
      EXPECT_EQ(text.find(way), std::string::npos) << name << " uses " << way;
  }
  EXPECT_GT(looked_at, 50U);
}

}  // namespace
}  // namespace holdfast::inline v1
