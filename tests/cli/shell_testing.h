// The real binary in lines of shell, in its own home.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <string>
#include <string_view>

#include "base/paths_testing.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {

// `until_in WORDS FILE` waits until another program has written WORDS to FILE, which may not exist yet. Gives up after
// a minute, so that the test fails with its own message.
inline constexpr std::string_view kUntilIn =
    "until_in() { for i in $(seq 1200); do grep -qs -e \"$1\" \"$2\" && return; sleep 0.05; done; "
    "echo \"no $1 in $2\" >&2; false; }\n";

// Runs in `home`/desk; $H is the binary.
struct Shell : testing::Test {
  explicit Shell(std::string desk) : desk_(std::move(desk)) {}
  void SetUp() override {
    char name[] = "/tmp/holdfast_shell_XXXXXX";
    ASSERT_NE(::mkdtemp(name), nullptr);
    home = name;
    std::filesystem::create_directory(home + "/" + desk_);
  }
  void TearDown() override {
    if (!home.empty()) std::filesystem::remove_all(home);
  }

  // Runs a line with only HOME, PATH and `more` in its environment, without a terminal; returns its exit code. The
  // order of locks is checked.
  int sh(const std::string& line, const std::string& more = {}) {
    std::ofstream(home + "/script") << kUntilIn << "cd " << home << "/" << desk_ << "\n" << line << "\n";
    const std::string command = "env -i HOLDFAST_LOCK_ORDER=abort PATH=/usr/bin:/bin HOME=" + home + " " + more +
                                " H=" + paths::binary() + " sh " + home + "/script >" + home + "/out 2>" + home +
                                "/err </dev/null";
    const int status = std::system(command.c_str());
    out = text("out");
    err = text("err");
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
  }
  // Returns the contents of a file of the home.
  std::string text(const std::string& name) const {
    std::ifstream file(home + "/" + name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  // Returns a value of the printed JSON.
  std::string field(std::initializer_list<std::string_view> path) const {
    JsonView view(out);
    for (const auto key : path) view = view.find(key);
    return view.as_string().value_or(std::string(view.raw()));
  }

  std::string home;
  std::string out;
  std::string err;

 private:
  std::string desk_;
};

}  // namespace holdfast::inline v1
