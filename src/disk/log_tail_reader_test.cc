#include <gtest/gtest.h>
#include <holdfast/log_reader.h>

#include <random>
#include <string>
#include <vector>

#include "disk/memory_log_testing.h"

namespace holdfast {
namespace {

using namespace std::string_literals;

Tail last(MemoryDirectory& directory, std::size_t count, ReadOptions options = {}, std::uint64_t before = UINT64_MAX) {
  auto tail = read_last({}, directory, "log", count, std::move(options), before);
  EXPECT_TRUE(tail) << tail.error().text();
  return tail ? std::move(*tail) : Tail{};
}

std::string numbered(int from, int to) {
  std::string bytes;
  for (int number = from; number < to; ++number) bytes += "{\"n\":" + std::to_string(number) + "}\n";
  return bytes;
}

// The records that the contract requires, computed from a forward read.
std::vector<OwnedRecord> expected(const ReadLog& log, std::size_t count, std::uint64_t before) {
  std::vector<OwnedRecord> records;
  for (const OwnedRecord& record : log.records) {
    if (record.offset + record.bytes.size() <= before) records.push_back(record);
  }
  if (records.size() > count) records.erase(records.begin(), records.end() - static_cast<std::ptrdiff_t>(count));
  return records;
}

TEST(ReadLast, ReturnsLastRecordsOldestFirst) {
  MemoryDirectory directory(numbered(0, 10));
  const Tail tail = last(directory, 3);
  EXPECT_EQ(tail.records, (std::vector<OwnedRecord>{
                              {R"({"n":7})", 56, false}, {R"({"n":8})", 64, false}, {R"({"n":9})", 72, false}}));
  EXPECT_FALSE(tail.reached_start);
  EXPECT_EQ(tail.in_flight, 0U);
  EXPECT_TRUE(last(directory, 10).reached_start);
  EXPECT_TRUE(last(directory, 99).reached_start);
  EXPECT_EQ(last(directory, 99).records.size(), 10U);
  EXPECT_EQ(last(directory, SIZE_MAX).records.size(), 10U);
  EXPECT_TRUE(last(directory, 0).records.empty());
}

TEST(ReadLast, EmptyLogHasNoRecords) {
  MemoryDirectory directory;
  EXPECT_TRUE(last(directory, 5).records.empty());
  EXPECT_TRUE(last(directory, 5).reached_start);
  directory.bytes() = "{\"a\"";
  EXPECT_TRUE(last(directory, 5).records.empty());
  EXPECT_EQ(last(directory, 5).in_flight, 4U);
}

TEST(ReadLast, WriteInFlightIsCountedNotReturned) {
  MemoryDirectory directory(numbered(0, 5) + "{\"n\":");
  const Tail tail = last(directory, 1);
  ASSERT_EQ(tail.records.size(), 1U);
  EXPECT_EQ(tail.records[0].bytes, R"({"n":4})");
  EXPECT_EQ(tail.in_flight, 5U);
}

TEST(ReadLast, WriteInFlightOfAnyLengthIsMeasured) {
  for (const std::size_t block : {4096U, 8192U, 12288U, 24576U, 65536U, 131072U}) {
    for (std::size_t size = block - 2; size <= block + 2; ++size) {
      for (const std::size_t count : {0U, 1U, 2U, 99U}) {
        MemoryDirectory directory("{\"n\":1}\n" + std::string(size, 'x'));
        const Tail tail = last(directory, count);
        EXPECT_EQ(tail.in_flight, size) << count;
        EXPECT_EQ(tail.records.size(), std::min<std::size_t>(count, 1)) << size;
      }
    }
  }
}

TEST(ReadLast, PagesBackwardsThroughDamage) {
  MemoryDirectory directory(numbered(0, 3) + "{\"torn\n{\"a\":1}{\"b\":2}\n\n" + numbered(3, 5) +
                            "{\"x\":\0\0{\"c\":3}\n"s + numbered(5, 6));
  const ReadLog all = read_log(directory).value();
  for (std::size_t count = 1; count < 5; ++count) {
    std::vector<OwnedRecord> records;
    std::uint64_t before = UINT64_MAX;
    for (;;) {
      const Tail tail = last(directory, count, {}, before);
      records.insert(records.begin(), tail.records.begin(), tail.records.end());
      if (tail.reached_start) break;
      ASSERT_FALSE(tail.records.empty());
      before = tail.records.front().offset;
    }
    EXPECT_EQ(records, all.records) << count;
  }
}

TEST(ReadLast, ReturnsNothingBeforeFrom) {
  const std::string bytes = numbered(0, 6);
  MemoryDirectory directory(bytes);
  for (std::size_t from = 0; from <= bytes.size() + 1; ++from) {
    ReadOptions options;
    options.from = from;
    const Tail tail = last(directory, 99, options);
    EXPECT_EQ(tail.records, read_log(directory, options).value().records) << from;
    EXPECT_TRUE(tail.reached_start);
  }
}

TEST(ReadLast, ReadsAcrossLongLinesAndLongDamage) {
  const std::string longer = "{\"l\":\"" + std::string(5 << 20, 'x') + "\"}";
  std::string damage;
  for (int line = 0; line < 20000; ++line) damage += line % 3 == 0 ? "\n" : "{\"torn\":\n";
  MemoryDirectory directory(numbered(0, 50) + longer + "\n" + damage + longer + "\n{\"n\":1}\n");
  const ReadLog all = read_log(directory).value();
  for (const std::size_t count : {1U, 2U, 3U, 4U, 40U, 60U}) {
    const Tail tail = last(directory, count);
    EXPECT_EQ(tail.records, expected(all, count, UINT64_MAX)) << count;
    EXPECT_EQ(tail.damage.size(), count <= 2 ? 0U : all.damage.size()) << count;
  }
}

// Counts bytes: the cost must not depend on what is before the requested records.
class CountingFile final : public File {
 public:
  CountingFile(std::unique_ptr<File> file, std::uint64_t& bytes) : file_(std::move(file)), bytes_(bytes) {}
  Result<std::size_t> read_at(std::uint64_t offset, std::span<char> into) override {
    auto count = file_->read_at(offset, into);
    bytes_ += count.value_or(0);
    return count;
  }
  Result<FileStat> stat() override { return file_->stat(); }
  Result<std::size_t> append(std::string_view bytes) override { return file_->append(bytes); }
  std::uint64_t append_end() const override { return file_->append_end(); }
  Result<void> write_at(std::uint64_t offset, std::string_view bytes) override {
    return file_->write_at(offset, bytes);
  }
  Result<void> truncate(std::uint64_t size) override { return file_->truncate(size); }
  Result<void> sync() override { return file_->sync(); }
  Result<void> set_mode(std::uint32_t mode) override { return file_->set_mode(mode); }
  Result<bool> try_lock(LockKind kind) override { return file_->try_lock(kind); }
  void unlock() override { file_->unlock(); }

 private:
  std::unique_ptr<File> file_;
  std::uint64_t& bytes_;
};

TEST(ReadLast, CostIsIndependentOfLogSize) {
  std::vector<std::uint64_t> costs;
  for (const int size : {1000, 100000, 1000000}) {
    std::uint64_t bytes = 0;
    MemoryDirectory directory(numbered(1000000, 1000000 + size));
    directory.wrap = [&](std::unique_ptr<File> file) { return std::make_unique<CountingFile>(std::move(file), bytes); };
    EXPECT_EQ(last(directory, 100).records.size(), 100U);
    costs.push_back(bytes);
  }
  EXPECT_EQ(costs[1], costs[2]);
  // Nor on what is behind them.
  std::uint64_t bytes = 0;
  MemoryDirectory directory(numbered(1000000, 2000000));
  directory.wrap = [&](std::unique_ptr<File> file) { return std::make_unique<CountingFile>(std::move(file), bytes); };
  EXPECT_EQ(last(directory, 100, {}, 500001).records.size(), 100U);
  EXPECT_LE(bytes, std::uint64_t{80} << 10);
  EXPECT_LE(costs[2], std::uint64_t{70} << 10);
}

TEST(ReadLast, MatchesForwardReadOnRandomDamagedLogs) {
  const std::vector<std::string> lines{"{\"a\":1}",
                                       "{\"b\":{\"c\":[1,2]}}",
                                       "",
                                       " ",
                                       "{\"torn",
                                       "{\"a\":1}{\"b\":2}",
                                       "{\"te{\"b\":2}",
                                       "\0\0\0"s,
                                       "{\"a\":1}\0\0{\"b\":2}"s,
                                       "[1]",
                                       "{\"u\":\"\xff\"}",
                                       " {\"s\":1} \r",
                                       "{\"long\":\"" + std::string(9000, 'y') + "\"}",
                                       "{\"too\":\"" + std::string(20000, 'z') + "\"}"};
  std::mt19937 random(7);
  for (int round = 0; round < 3000; ++round) {
    std::string bytes;
    const auto size = random() % 40;
    for (std::size_t line = 0; line < size; ++line) bytes += lines[random() % lines.size()] + "\n";
    if (random() % 2 == 0) bytes += lines[random() % lines.size()];
    MemoryDirectory directory(bytes);
    ReadOptions options;
    options.max_line = 16000;
    options.check = random() % 4 == 0 ? Check::framing : Check::whole;
    const ReadLog all = read_log(directory, options).value();
    const std::size_t count = random() % 45;
    const std::uint64_t before = random() % 2 == 0 ? UINT64_MAX : random() % (bytes.size() + 2);
    const Tail tail = last(directory, count, options, before);
    ASSERT_EQ(tail.records, expected(all, count, before)) << round;
    if (before == UINT64_MAX) {
      ASSERT_EQ(tail.in_flight, all.in_flight) << round;
    }
    // Damage is reported as by the forward read, starting at the oldest record returned.
    const std::uint64_t oldest = tail.reached_start     ? 0
                                 : tail.records.empty() ? UINT64_MAX
                                                        : tail.records.front().offset;
    std::vector<Damage> damage;
    for (const Damage& item : all.damage) {
      if (item.offset + item.length > oldest && (before == UINT64_MAX || item.offset + item.length < before))
        damage.push_back(item);
    }
    for (const Damage& item : tail.damage) ASSERT_GE(item.offset + item.length, oldest) << round;
    for (const Damage& item : damage) ASSERT_TRUE(std::ranges::find(tail.damage, item) != tail.damage.end()) << round;
    if (before == UINT64_MAX && tail.reached_start) {
      ASSERT_EQ(tail.damage, all.damage) << round;
    }
  }
}

}  // namespace
}  // namespace holdfast
