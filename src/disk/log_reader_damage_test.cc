// T7 for the reader: a rich log, damaged at every byte.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "disk/memory_log_testing.h"
#include "text/json_scan.h"

namespace holdfast {
namespace {

const std::vector<std::string>& rich_records() {
  static const std::vector<std::string> records{
      R"({"id":"1","type":"user","text":"plain"})",
      R"({"id":"2","text":"quotes \" and \\ and \/ and \n and \u00e9\ud83d\ude00"})",
      R"({"id":"3","text":"emoji 😀 umlaut ü, 漢字, J* newline neighbours"})",
      R"({"id":"4","nested":{"a":{"b":[{"c":1},{"d":[]},{}]}},"n":-0.5e-3,"t":true,"z":null})",
      R"({})",
      R"({"id":"5","text":"json in a string: {\"a\":{\"b\":1}} and {} and }{","last":{"x":{}}})",
      R"({"id":"6","tool":{"name":"run","args":{"cmd":"f() { echo \"$1\"; }"}},"list":[1,2,[3,{"k":"v"}]]})",
  };
  return records;
}

std::string rich_log(const std::vector<std::string>& records = rich_records()) {
  std::string bytes;
  for (const std::string& record : records) bytes += record + "\n";
  return bytes;
}

// Accepts records with the key that every record of the log except `{}` has.
bool has_id(std::string_view record) { return record.starts_with(R"({"id":)"); }

TEST(LogReaderDamage, CutAtEveryByteKeepsOtherRecords) {
  const std::string log = rich_log();
  const std::string glued = R"({"id":"9","text":"glued","in":{"k":{}}})";
  MemoryDirectory directory;
  std::size_t cases = 0;
  for (std::size_t cut = 0; cut <= log.size(); ++cut) {
    const std::size_t to_page = (4096 - cut % 4096) % 4096;
    const std::vector<std::string> fillers{"", std::string(to_page, '\0'), std::string(64, '\0'),
                                           std::string(64, '\0') + "\n"};
    for (const std::string& filler : fillers) {
      for (const bool schema : {false, true}) {
        for (const Check check : {Check::whole, Check::framing, Check::objects}) {
          directory.bytes() = log.substr(0, cut) + filler + glued + "\n";
          ReadOptions options;
          options.check = check;
          if (schema) options.accept_salvaged = has_id;
          auto read = read_log(directory, options);
          ASSERT_TRUE(read);
          ++cases;
          // Required: every line that was complete, and the line that lacks only its newline.
          std::vector<OwnedRecord> expected;
          std::size_t at = 0;
          for (const std::string& record : rich_records()) {
            const bool complete = at + record.size() + 1 <= cut;
            const bool whole = at + record.size() <= cut;
            if (complete || (whole && (!schema || has_id(record)))) expected.push_back({record, at, !complete});
            at += record.size() + 1;
          }
          const bool fragment = cut > 0 && log[cut - 1] != '\n';
          const bool own_line = filler.ends_with('\n') || (filler.empty() && !fragment);
          const std::string line = directory.bytes().substr(log.rfind('\n', cut == 0 ? 0 : cut - 1) + 1);
          const bool unparsed = check == Check::framing && filler.empty() && fragment;
          if (unparsed) {
            // Looks like {...}: returned as it is. Only the lines before it matter.
            if (!expected.empty() && expected.back().salvaged) expected.pop_back();
            ASSERT_EQ(read->records.size(), expected.size() + 1) << cut;
            read->records.pop_back();
            ASSERT_EQ(read->records, expected) << cut;
            continue;
          }
          // A cut where a value is expected, so the glued record reads as that value: only a schema can tell.
          const bool open_place =
              fragment && filler.empty() && !schema && check_json(line).fault == JsonFault::unterminated;
          if (!open_place) expected.push_back({glued, cut + filler.size(), !own_line});
          ASSERT_EQ(read->records, expected) << "cut " << cut << " filler " << filler.size() << " schema " << schema;
        }
      }
    }
  }
  EXPECT_EQ(cases, 24 * (log.size() + 1));
}

TEST(LogReaderDamage, FlippedBitDamagesOnlyItsLine) {
  const std::string log = rich_log();
  MemoryDirectory directory;
  std::size_t unseen = 0;
  for (std::size_t at = 0; at < log.size(); ++at) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string bytes = log;
      bytes[at] = static_cast<char>(bytes[at] ^ (1 << bit));
      directory.bytes() = bytes;
      auto read = read_log(directory);
      ASSERT_TRUE(read);
      std::size_t start = 0;
      std::size_t next = 0;
      for (const std::string& record : rich_records()) {
        const std::size_t end = start + record.size();
        const bool hit = at >= start && at < end;
        if (!hit && start <= bytes.rfind('\n')) {
          // Found byte for byte, even if the newline beside it was hit.
          ASSERT_LT(next, read->records.size()) << at << " " << bit;
          ASSERT_EQ(read->records[next].bytes, record) << at << " " << bit;
          ASSERT_EQ(read->records[next].offset, start);
          ++next;
        } else if (hit && next < read->records.size() && read->records[next].offset < end) {
          // The damaged line may still be a record, but only as the whole line.
          ASSERT_EQ(read->records[next].offset, start) << at << " " << bit;
          ASSERT_EQ(read->records[next].bytes, bytes.substr(start, record.size())) << at << " " << bit;
          unseen += read->records[next].salvaged ? 0 : 1;
          ++next;
        }
        start = end + 1;
      }
      ASSERT_EQ(next, read->records.size()) << "invented a record: " << at << " " << bit;
    }
  }
  EXPECT_GT(unseen, log.size());  // the reason for the checksum side-car
}

TEST(LogReaderDamage, GarbageDamagesOnlyTheLinesItTouches) {
  const std::string log = rich_log();
  MemoryDirectory directory;
  for (const std::string& garbage :
       {std::string(1, '\0'), std::string(16, '\xff'), std::string("}{\"\n{\""), std::string("{}")}) {
    for (std::size_t at = 0; at + garbage.size() <= log.size(); ++at) {
      directory.bytes() = log;
      directory.bytes().replace(at, garbage.size(), garbage);
      auto read = read_log(directory);
      ASSERT_TRUE(read);
      std::size_t start = 0;
      for (const std::string& record : rich_records()) {
        const bool hit = at < start + record.size() + 1 && at + garbage.size() >= start;
        const bool found = std::ranges::any_of(
            read->records, [&](const OwnedRecord& r) { return r.bytes == record && r.offset == start; });
        ASSERT_TRUE(hit || found) << at;
        start += record.size() + 1;
      }
    }
  }
}

}  // namespace
}  // namespace holdfast
