// A temporary directory for tests of the real file system, removed at the end.
#pragma once

#include <gtest/gtest.h>
#include <holdfast/file_system.h>
#include <stdlib.h>

#include <cstdio>
#include <string>

namespace holdfast::inline v1 {

class TemporaryDirectory {
 public:
  TemporaryDirectory() {
    char name[] = "/tmp/holdfast_test_XXXXXX";
    if (::mkdtemp(name) != nullptr) path_ = name;
    EXPECT_FALSE(path_.empty());
  }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  ~TemporaryDirectory() {
    // If the test changed the owner of its root or moved it, it stays.
    if (const auto opened = real_file_system().open_directory(path_, false)) clear(**opened, "");
    (void)std::remove(path_.c_str());
  }

  const std::string& path() const { return path_; }
  std::string path(std::string_view name) const { return path_ + "/" + std::string(name); }

 private:
  static void clear(Directory& directory, const std::string& path) {
    const auto entries = directory.list(path);
    for (const auto& entry : entries ? *entries : std::vector<DirectoryEntry>{}) {
      const std::string below = path.empty() ? entry.name : path + "/" + entry.name;
      if (entry.kind == FileKind::directory) {
        clear(directory, below);
        (void)directory.remove_directory(below);
      } else {
        (void)directory.remove(below);
      }
    }
  }

  std::string path_;
};

inline std::string read_whole(File& file) {
  std::string text(1 << 16, '\0');
  const auto count = file.read_at(0, text);
  EXPECT_TRUE(count) << count.error().text();
  text.resize(count ? *count : 0);
  return text;
}

template <typename T>
testing::AssertionResult failed_with(const Result<T>& result, Code code) {
  if (result) return testing::AssertionFailure() << "succeeded instead of " << code_name(code);
  if (result.error().code == code) return testing::AssertionSuccess();
  return testing::AssertionFailure() << result.error().text() << " instead of " << code_name(code);
}

template <typename T>
testing::AssertionResult succeeded(const Result<T>& result) {
  if (result) return testing::AssertionSuccess();
  return testing::AssertionFailure() << result.error().text();
}

#define EXPECT_CODE(result, code) EXPECT_TRUE(failed_with((result), (code)))
#define EXPECT_OK(result) EXPECT_TRUE(succeeded((result)))

}  // namespace holdfast::inline v1
