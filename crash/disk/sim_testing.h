// Helpers for the tests of the simulated file system.
#pragma once

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "crash/disk/sim_file_system.h"

namespace holdfast::inline v1 {

inline constexpr CrashModel kAllModels[] = {CrashModel::ordered, CrashModel::ext4_nul, CrashModel::weak};

template <typename T>
T must(Result<T> result) {
  EXPECT_TRUE(result) << result.error().text();
  return std::move(result).value();
}
inline void must(const Result<void>& result) { ASSERT_TRUE(result) << result.error().text(); }

// "/f=abc /d/", with '0' for each NUL.
inline std::string picture(const SimFileSystem& disk) {
  std::string out;
  for (const SimEntry& entry : disk.tree()) {
    if (!out.empty()) out += ' ';
    out += entry.path;
    if (entry.kind == FileKind::directory) out += '/';
    if (entry.kind == FileKind::file) out += '=';
    if (entry.kind == FileKind::symlink) out += "->";
    for (const char byte : entry.bytes) out += byte == '\0' ? '0' : byte;
  }
  return out;
}

// Every state that a crash can leave.
inline std::set<std::string> outcomes(const SimFileSystem& disk, CrashModel model) {
  std::set<std::string> all;
  Chooser chooser = Chooser::exhaustive();
  do {
    all.insert(picture(*disk.crash(model, chooser)));
  } while (chooser.next());
  EXPECT_TRUE(chooser.complete());
  return all;
}

using States = std::set<std::string>;

// Injects one fault into one call.
class OneFault final : public SimObserver {
 public:
  OneFault(SimCallKind kind, Injection injection, int skip = 0) : kind_(kind), injection_(injection), skip_(skip) {}
  Injection before(const SimCall& call) override {
    if (call.kind != kind_ || skip_-- != 0) return {};
    return injection_;
  }

 private:
  SimCallKind kind_;
  Injection injection_;
  int skip_;
};

}  // namespace holdfast::inline v1
