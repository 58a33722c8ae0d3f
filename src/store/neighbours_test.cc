// Comparing a session with its neighbors shows whether it is a copy. That reads the neighbors once, not every time.
#include <gtest/gtest.h>
#include <holdfast/store.h>

#include <chrono>
#include <filesystem>
#include <fstream>

#include "disk/counting_file_system_testing.h"
#include "disk/real_testing.h"

namespace holdfast::inline v1 {
namespace {

// A file that was just written may change again without a trace and is read again, so this clock is an hour ahead.
class LaterClock final : public Clock {
 public:
  std::chrono::system_clock::time_point now() const override { return system_clock().now() + std::chrono::hours(1); }
  std::chrono::steady_clock::time_point ticks() const override { return system_clock().ticks(); }
  void sleep(std::chrono::nanoseconds time) const override { system_clock().sleep(time); }
};

TEST(Neighbours, AreReadInFullOnlyOnce) {
  const TemporaryDirectory scratch;
  constexpr int kMany = 20, kRecords = 500;
  constexpr std::size_t kLong = 1'000;
  std::filesystem::create_directories(scratch.path("c/projects/-p"));
  for (int i = 0; i < kMany; ++i) {
    const std::string id = "0abc" + std::to_string(i);
    std::ofstream log(scratch.path("c/projects/-p/" + id + ".jsonl"));
    for (int record = 0; record < kRecords; ++record)
      log << R"({"type":"user","cwd":"/p","sessionId":")" << id << R"(","uuid":"u)" << i << '-' << record
          << R"(","timestamp":"2026-01-01T00:00:00Z","message":{"role":"user","content":")" << std::string(kLong, 'x')
          << "\"}}\n";
  }
  CountingFileSystem files;
  const LaterClock later;
  Context context;
  context.clock = &later;
  const auto look = [&] {
    StoreOptions options;
    options.layout = "claude-code";
    options.roots[""] = scratch.path("c");
    options.cache = scratch.path("cache");
    files.bytes_read = 0;
    const auto store = Store::open(context, files, options);
    EXPECT_TRUE(store) << store.error().text();
    const auto row = (*store)->get(context, "0abc3");
    EXPECT_TRUE(row) << row.error().text();
    return files.bytes_read.load();
  };
  const auto first = look();
  EXPECT_GT(first, kMany * kRecords * kLong) << "all of them";
  EXPECT_LT(look(), first / 4) << "only where each begins";
}

}  // namespace
}  // namespace holdfast::inline v1
