// The rules of LogReader one by one. Damage at every byte: log_reader_damage_test.cc.
#include <gtest/gtest.h>
#include <holdfast/log_reader.h>

#include <string>
#include <vector>

#include "crash/disk/sim_file_system.h"
#include "disk/line_buffer.h"
#include "disk/memory_log_testing.h"

namespace holdfast {
namespace {

using namespace std::string_literals;
using Texts = std::vector<std::string>;

ReadLog read(std::string bytes, ReadOptions options = {}) {
  MemoryDirectory directory(std::move(bytes));
  auto log = read_log(directory, std::move(options));
  EXPECT_TRUE(log) << log.error().text();
  return log ? std::move(*log) : ReadLog{};
}

Texts texts(const ReadLog& log) {
  Texts out;
  for (const OwnedRecord& record : log.records) out.push_back(record.bytes);
  return out;
}

ReadOptions framing() {
  ReadOptions options;
  options.check = Check::framing;
  return options;
}

TEST(LogReader, ReturnsRecordsWithTheirOffsets) {
  for (const ReadOptions& options : {ReadOptions{}, framing()}) {
    const ReadLog log = read("{\"a\":1}\n{\"b\":{}}\n{}\n", options);
    EXPECT_EQ(log.records,
              (std::vector<OwnedRecord>{{R"({"a":1})", 0, false}, {R"({"b":{}})", 8, false}, {"{}", 17, false}}));
    EXPECT_TRUE(log.damage.empty());
    EXPECT_EQ(log.position, 20U);
    EXPECT_EQ(log.in_flight, 0U);
  }
}

TEST(LogReader, EmptyLogHasNoRecords) { EXPECT_TRUE(read("").records.empty()); }

TEST(LogReader, MissingLogIsNotFound) {
  SimFileSystem sim;
  auto root = sim.open_directory("/", false);
  ASSERT_TRUE(root);
  EXPECT_EQ(LogReader::open({}, **root, "absent").error().code, Code::not_found);
}

TEST(LogReader, BlankLinesAreAcceptedSilently) {
  for (const ReadOptions& options : {ReadOptions{}, framing()}) {
    const ReadLog log = read("\n\n{\"a\":1}\n  \n\r\n\t\n{\"b\":2}\n\n", options);
    EXPECT_EQ(texts(log), (Texts{R"({"a":1})", R"({"b":2})"}));
    EXPECT_TRUE(log.damage.empty());
  }
}

TEST(LogReader, TrimsCarriageReturnsAndSurroundingSpaces) {
  for (const ReadOptions& options : {ReadOptions{}, framing()}) {
    const ReadLog log = read("{\"a\":1}\r\n  {\"b\":2} \t\r\n", options);
    EXPECT_EQ(log.records, (std::vector<OwnedRecord>{{R"({"a":1})", 0, false}, {R"({"b":2})", 11, false}}));
    EXPECT_TRUE(log.damage.empty());
  }
}

TEST(LogReader, WhitespaceInsideARecordIsNotDamage) {
  const ReadLog log = read("{ \"a\" :\t[ 1 ,\r2 ] }\n");
  EXPECT_EQ(texts(log), Texts{"{ \"a\" :\t[ 1 ,\r2 ] }"});
  EXPECT_TRUE(log.damage.empty());
}

TEST(LogReader, DamageIsReportedOnceAndSalvagedInOrder) {
  const std::string bad = R"({"a":1}{"b":2})";
  const ReadLog log = read("{\"x\":0}\n" + bad + "\n{\"y\":0}\n");
  EXPECT_EQ(
      log.records,
      (std::vector<OwnedRecord>{
          {R"({"x":0})", 0, false}, {R"({"a":1})", 8, true}, {R"({"b":2})", 15, true}, {R"({"y":0})", 23, false}}));
  EXPECT_EQ(log.damage, (std::vector<Damage>{{8, 14, DamageKind::glued, 2}}));
}

TEST(LogReader, ReportsEveryKindOfDamage) {
  const ReadLog log = read("{\"a\":1,\"te\n"s + "{\"a\":1,\"te{\"b\":2}\n" + "{\"c\":3}\0\0\n"s + "{\"d\":\"\xff\"}\n" +
                           "[1]\n" + "hello\n" + "{\"e\":5}\n");
  EXPECT_EQ(texts(log), (Texts{R"({"b":2})", R"({"c":3})", "{\"d\":\"\xff\"}", R"({"e":5})"}));
  EXPECT_EQ(log.damage, (std::vector<Damage>{{0, 10, DamageKind::torn, 0},
                                             {11, 17, DamageKind::glued, 1},
                                             {29, 9, DamageKind::nul, 1},
                                             {39, 9, DamageKind::bad_utf8, 1},
                                             {49, 3, DamageKind::not_json, 0},
                                             {53, 5, DamageKind::not_json, 0}}));
  EXPECT_TRUE(log.records[2].salvaged);
  EXPECT_FALSE(log.records[3].salvaged);
}

// The worked example of docs/formats/log.md.
TEST(LogReader, MatchesDocumentedExample) {
  const ReadLog log =
      read("{\"n\":1}\n{\"n\":2}\r\n\n{\"n\":3,\"text\":\"cu{\"n\":4}\n{\"n\":5}\0\0\0\0{\"n\":6}\n{\"n\":7,\"te"s);
  EXPECT_EQ(log.records, (std::vector<OwnedRecord>{{R"({"n":1})", 0, false},
                                                   {R"({"n":2})", 8, false},
                                                   {R"({"n":4})", 35, true},
                                                   {R"({"n":5})", 43, true},
                                                   {R"({"n":6})", 54, true}}));
  EXPECT_EQ(log.damage, (std::vector<Damage>{{18, 24, DamageKind::glued, 1}, {43, 18, DamageKind::nul, 2}}));
  EXPECT_EQ(log.in_flight, 10U);
}

TEST(LogReader, FramingChecksOnlyLineEndsAndNul) {
  const ReadLog log = read("{not json}\n{\"a\":1\n{\"b\":\0}{\"c\":1}\n12\n"s, framing());
  EXPECT_EQ(texts(log), (Texts{"{not json}", R"({"c":1})"}));
  EXPECT_EQ(log.damage,
            (std::vector<Damage>{
                {11, 6, DamageKind::torn, 0}, {18, 14, DamageKind::nul, 1}, {33, 2, DamageKind::not_json, 0}}));
}

TEST(LogReader, CallerCanRejectSalvagedRecords) {
  ReadOptions options;
  options.accept_salvaged = [](std::string_view record) { return record.contains("\"id\""); };
  const ReadLog log = read("{\"a\":1}{\"id\":2}\n{\"a\":3}\n{\"a\":{\"id\":4}\n", options);
  EXPECT_EQ(texts(log), (Texts{R"({"id":2})", R"({"a":3})", R"({"id":4})"}));
  EXPECT_EQ(log.damage[0].salvaged, 1U);
}

TEST(LogReader, LinesOverTheLimitAreSkippedAndReported) {
  ReadOptions options;
  options.max_line = 10;
  const std::string huge = "{\"a\":\"" + std::string(3 * kLineChunk, 'x') + "\"}";
  const ReadLog log = read("{\"a\":1}\n{\"b\":12345}\n" + huge + "\n{\"c\":1234}\n", options);
  EXPECT_EQ(texts(log), (Texts{R"({"a":1})", R"({"c":1234})"}));
  EXPECT_EQ(log.damage,
            (std::vector<Damage>{{8, 11, DamageKind::too_long, 0}, {20, huge.size(), DamageKind::too_long, 0}}));
}

TEST(LogReader, ReadsLinesAroundTheBufferSize) {
  for (std::size_t size = kLineChunk - 20; size < kLineChunk + 20; ++size) {
    const std::string first = "{\"a\":\"" + std::string(size - 8, 'x') + "\"}";
    const std::string second = "{\"b\":\"" + std::string(2 * size, 'y') + "\"}";
    const ReadLog log = read(first + "\n{\"c\":1}\n" + second + "\n{\"d\":2}\n" + first + "\n" + first);
    ASSERT_EQ(texts(log), (Texts{first, R"({"c":1})", second, R"({"d":2})", first})) << size;
    ASSERT_EQ(log.in_flight, first.size()) << size;
    ASSERT_TRUE(log.damage.empty()) << size;
  }
}

TEST(LogReader, LineAtTheSizeLimitIsRead) {
  const std::size_t limit = ReadOptions{}.max_line;
  MemoryDirectory directory("{\"a\":1}\n{\"b\":\"" + std::string(limit - 8, 'x') + "\"}\n{\"c\":1}\n");
  for (const Check check : {Check::whole, Check::framing, Check::objects}) {
    ReadOptions options;
    options.check = check;
    auto log = read_log(directory, options);
    ASSERT_TRUE(log);
    ASSERT_EQ(log->records.size(), 3U);
    EXPECT_EQ(log->records[1].bytes.size(), limit);
    EXPECT_EQ(log->records[2].offset, 8 + limit + 1);
    EXPECT_TRUE(log->damage.empty());
  }
  directory.bytes().insert(20, "x");
  auto log = read_log(directory);
  ASSERT_TRUE(log);
  EXPECT_EQ(log->records.size(), 2U);
  EXPECT_EQ(log->damage, (std::vector<Damage>{{8, limit + 1, DamageKind::too_long, 0}}));
}

TEST(LogReader, UnterminatedLastLineIsInFlightUntilItEnds) {
  MemoryDirectory directory("{\"a\":1}\n{\"b\":");
  auto reader = LogReader::open({}, directory, "log");
  ASSERT_TRUE(reader);
  Record record;
  ASSERT_TRUE(reader->next(record).value());
  EXPECT_FALSE(reader->next(record).value());
  EXPECT_EQ(reader->in_flight(), 5U);
  EXPECT_EQ(reader->position(), 8U);
  EXPECT_TRUE(reader->damage().empty());
  directory.bytes() += "2}";
  EXPECT_FALSE(reader->next(record).value());
  EXPECT_EQ(reader->in_flight(), 7U);
  directory.bytes() += "\n{\"c\":3}\n";
  ASSERT_TRUE(reader->next(record).value());
  EXPECT_EQ(record.bytes, R"({"b":2})");
  EXPECT_EQ(record.offset, 8U);
  EXPECT_EQ(reader->in_flight(), 0U);
  ASSERT_TRUE(reader->next(record).value());
  EXPECT_EQ(record.bytes, R"({"c":3})");
  EXPECT_FALSE(reader->next(record).value());
  EXPECT_EQ(reader->in_flight(), 0U);
}

// The writer's tail repair: bytes seen in flight are cut and replaced by others.
TEST(LogReader, RewrittenTailIsReadAgain) {
  for (const std::size_t size : {std::size_t{5}, kLineChunk, 3 * kLineChunk}) {
    MemoryDirectory directory("{\"a\":1}\n{\"b\":\"" + std::string(size, 'x'));
    auto reader = LogReader::open({}, directory, "log");
    ASSERT_TRUE(reader);
    Record record;
    ASSERT_TRUE(reader->next(record).value());
    EXPECT_FALSE(reader->next(record).value());
    directory.bytes().resize(8);
    directory.bytes() += "{\"c\":\"" + std::string(size, 'y') + "\"}\n";
    ASSERT_TRUE(reader->next(record).value());
    EXPECT_EQ(record.bytes, "{\"c\":\"" + std::string(size, 'y') + "\"}");
    EXPECT_TRUE(reader->damage().empty());
  }
}

// One read returned both lines; the second was still in flight then.
TEST(LogReader, RewrittenTailIsReadAgainBeforeReachingTheEnd) {
  MemoryDirectory directory("{\"a\":1}\n{\"b\":");
  auto reader = LogReader::open({}, directory, "log");
  ASSERT_TRUE(reader);
  Record record;
  ASSERT_TRUE(reader->next(record).value());
  directory.bytes().resize(8);
  directory.bytes() += "{\"c\":3333}\n";
  ASSERT_TRUE(reader->next(record).value());
  EXPECT_EQ(record.bytes, R"({"c":3333})");
}

TEST(LogReader, ShrunkenFileIsAtItsEnd) {
  MemoryDirectory directory("{\"a\":1}\n{\"b\":2}\n{\"c\":3}\n");
  ReadOptions options;
  options.from = 16;
  auto reader = LogReader::open({}, directory, "log", options);
  ASSERT_TRUE(reader);
  Record record;
  directory.bytes().resize(3);
  EXPECT_FALSE(reader->next(record).value());
  EXPECT_EQ(reader->in_flight(), 0U);
  directory.bytes() = "{\"a\":1}\n{\"b\":2}\n{\"d\":4}\n";
  ASSERT_TRUE(reader->next(record).value());
  EXPECT_EQ(record.bytes, R"({"d":4})");
}

TEST(LogReader, OffsetInsideALineStartsAtTheNext) {
  const std::string bytes = "{\"a\":1}\n\n{\"b\":2}{\"b\":3}\r\n{\"torn\n{\"c\":\"\xff\"}\nunterminated";
  const ReadLog all = read(bytes);
  for (std::size_t from = 0; from <= bytes.size() + 2; ++from) {
    ReadOptions options;
    options.from = from;
    const ReadLog log = read(bytes, options);
    const auto newline = bytes.find('\n', from == 0 ? 0 : std::min(from, bytes.size()) - 1);
    const std::size_t start = from == 0 ? 0 : newline == std::string::npos ? bytes.size() : newline + 1;
    ReadLog expected;
    for (const auto& record : all.records) {
      if (record.offset >= start) expected.records.push_back(record);
    }
    for (const auto& damage : all.damage) {
      if (damage.offset >= start) expected.damage.push_back(damage);
    }
    EXPECT_EQ(log.records, expected.records) << from;
    EXPECT_EQ(log.damage, expected.damage) << from;
  }
}

TEST(LogReader, OffsetInUnterminatedLineWaitsForItsEnd) {
  MemoryDirectory directory("{\"a\":1}\n{\"b\":");
  ReadOptions options;
  options.from = 10;
  auto reader = LogReader::open({}, directory, "log", options);
  ASSERT_TRUE(reader);
  Record record;
  EXPECT_FALSE(reader->next(record).value());
  EXPECT_EQ(reader->position(), 10U);
  EXPECT_EQ(reader->in_flight(), 3U);
  directory.bytes() += "2}\n{\"c\":3}\n";
  ASSERT_TRUE(reader->next(record).value());
  EXPECT_EQ(record.bytes, R"({"c":3})");
}

TEST(LogReader, PositionPassesDamagedLineAfterItsRecords) {
  MemoryDirectory directory("{\"a\":1}{\"b\":2}\n{\"c\":3}\n");
  auto reader = LogReader::open({}, directory, "log");
  ASSERT_TRUE(reader);
  Record record;
  ASSERT_TRUE(reader->next(record).value());
  EXPECT_EQ(reader->position(), 0U);
  ASSERT_TRUE(reader->next(record).value());
  EXPECT_EQ(record.bytes, R"({"b":2})");
  ASSERT_TRUE(reader->next(record).value());
  EXPECT_EQ(reader->position(), 23U);
}

TEST(LogReader, StopsWhenCancelled) {
  MemoryDirectory directory("{\"a\":1}\n");
  std::stop_source source;
  Context context;
  context.stop = source.get_token();
  auto reader = LogReader::open(context, directory, "log");
  ASSERT_TRUE(reader);
  source.request_stop();
  Record record;
  EXPECT_EQ(reader->next(record).error().code, Code::cancelled);
}

TEST(LogReader, ReadsTheSimulatedFileSystem) {
  SimFileSystem sim;
  ASSERT_TRUE(sim.put_file("/root/log", "{\"a\":1}\n{\"b\":"));
  auto directory = sim.open_directory("/root", false);
  ASSERT_TRUE(directory);
  auto reader = LogReader::open({}, **directory, "log");
  ASSERT_TRUE(reader);
  Record record;
  ASSERT_TRUE(reader->next(record).value());
  EXPECT_FALSE(reader->next(record).value());
  ASSERT_TRUE(sim.foreign_append("/root/log", "2}\n"));
  ASSERT_TRUE(reader->next(record).value());
  EXPECT_EQ(record.bytes, R"({"b":2})");
}

TEST(LogReader, KindsHaveNames) {
  EXPECT_EQ(damage_kind_name(DamageKind::torn), "torn");
  EXPECT_EQ(damage_kind_name(DamageKind::too_long), "too_long");
  EXPECT_EQ(damage_kind_name(DamageKind::bad_utf8), "bad_utf8");
}

}  // namespace
}  // namespace holdfast
