// Many processes that want to write at the same moment: all succeed.
#include <gtest/gtest.h>
#include <stdio.h>

#include <filesystem>
#include <string>

#include "base/paths_testing.h"
#include "disk/real_testing.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;

struct ConcurrentWriters : testing::Test {
  TemporaryDirectory scratch;
  const std::string holdfast = "HOME=" + scratch.path() + " " + paths::binary() + " call ";
  const std::string store = "maestro:" + scratch.path("store");

  ConcurrentWriters() { fs::create_directories(scratch.path("store")); }
  ~ConcurrentWriters() override { fs::remove_all(scratch.path()); }

  static std::string run(const std::string& command) {
    FILE* out = ::popen(command.c_str(), "r");
    std::string text;
    char buffer[4096];
    for (std::size_t count = 0; (count = ::fread(buffer, 1, sizeof buffer, out)) > 0;) text.append(buffer, count);
    EXPECT_EQ(::pclose(out), 0) << text;
    return text;
  }
};

TEST_F(ConcurrentWriters, AllSucceedWhenManyWait) {
  const std::string made =
      run(holdfast + "session.create '{\"store\":\"" + store + "\",\"project\":\"" + scratch.path() + "\"}'");
  const std::string id = JsonView(made).find("id").as_string().value_or("");
  ASSERT_FALSE(id.empty()) << made;
  constexpr int kMany = 60;
  const std::string append = holdfast + R"(message.append '{"store":")" + store + R"(","session":")" + id +
                             R"(","role":"user","text":"one of many"}' 2>&1 || echo refused)";
  const std::string said = run("for i in $(seq " + std::to_string(kMany) + "); do { " + append + "; } & done; wait");
  EXPECT_FALSE(said.contains("refused")) << said;
  std::size_t messages = 0;
  for (const auto& entry : fs::recursive_directory_iterator(scratch.path("store/messages")))
    messages += entry.is_regular_file() ? 1 : 0;
  EXPECT_EQ(messages, static_cast<std::size_t>(kMany));
}

}  // namespace
}  // namespace holdfast::inline v1
