#include "disk/line_buffer.h"

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "disk/memory_log_testing.h"

namespace holdfast {
namespace {

std::unique_ptr<LineBuffer> lines_of(std::shared_ptr<std::string> bytes, std::size_t max_line = SIZE_MAX,
                                     std::function<void(std::uint64_t)> before_read = {}) {
  auto file = std::make_unique<MemoryFile>(std::move(bytes));
  file->before_read = std::move(before_read);
  return std::make_unique<LineBuffer>(std::move(file), 0, max_line);
}

TEST(LineBuffer, LineOverTheLimitIsMeasuredButNotRead) {
  const auto bytes = std::make_shared<std::string>(std::string(2 * kLineChunk, 'x') + "\nshort\n");
  const auto lines = lines_of(bytes, kLineChunk);
  Line line;
  ASSERT_TRUE(lines->next({}, line).value());
  EXPECT_TRUE(line.too_long);
  EXPECT_TRUE(line.text.empty());
  EXPECT_EQ(line.length, 2 * kLineChunk);
  ASSERT_TRUE(lines->next({}, line).value());
  EXPECT_EQ(line.text, "short");
  EXPECT_FALSE(line.too_long);
}

TEST(LineBuffer, LinesHaveReadablePadding) {
  // Fails under the address sanitizer if there is none.
  for (const std::size_t size : {std::size_t{10}, kFirstLineChunk - 1, kLineChunk - 1, kLineChunk, 3 * kLineChunk}) {
    const auto lines = lines_of(std::make_shared<std::string>(std::string(size, 'x') + "\n"));
    Line line;
    ASSERT_TRUE(lines->next({}, line).value());
    volatile char last = 0;
    for (std::size_t at = 0; at < kLinePadding; ++at) last = line.text.data()[size + at];
    (void)last;
  }
}

TEST(LineBuffer, LongLineCutDuringReadIsInFlight) {
  const auto bytes = std::make_shared<std::string>(std::string(2 * kLineChunk, 'x') + "\n");
  bool measured = false;
  const auto lines = lines_of(bytes, SIZE_MAX, [&](std::uint64_t offset) {
    if (offset == 0 && std::exchange(measured, false)) bytes->resize(100);
    measured = measured || offset >= kLineChunk;
  });
  Line line;
  EXPECT_FALSE(lines->next({}, line).value());
  EXPECT_EQ(lines->in_flight(), 100U);
  *bytes += "y\n";
  ASSERT_TRUE(lines->next({}, line).value());
  EXPECT_EQ(line.length, 101U);
}

TEST(LineBuffer, LongLineRewrittenDuringReadEndsAtNewNewline) {
  const auto bytes = std::make_shared<std::string>(std::string(2 * kLineChunk, 'x') + "\n");
  bool measured = false;
  const auto lines = lines_of(bytes, SIZE_MAX, [&](std::uint64_t offset) {
    if (offset == 0 && measured) (*bytes)[100] = '\n';
    measured = measured || offset >= kLineChunk;
  });
  Line line;
  ASSERT_TRUE(lines->next({}, line).value());
  EXPECT_EQ(line.text, std::string(100, 'x'));
  ASSERT_TRUE(lines->next({}, line).value());
  EXPECT_EQ(line.offset, 101U);
}

}  // namespace
}  // namespace holdfast
