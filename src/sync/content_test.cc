#include "sync/content.h"

#include <gtest/gtest.h>

#include "archive/archive.h"
#include "archive/archive_writer.h"
#include "base/hash.h"
#include "crash/disk/sim_file_system.h"

namespace holdfast::inline v1 {
namespace {

// What a device of bad will can sign must not stop its readers.
TEST(SegmentContent, AppliesRowWithSpaces) {
  const std::pair<std::string, std::string> rows[] = {{"{}", "{}"},
                                                      {"{\t\t}", "{}"},
                                                      {R"({ "title" : "t" })", R"({"title":"t"})"},
                                                      {R"({"title":"a \" } b"})", R"({"title":"a \" } b"})"},
                                                      {R"({"a":"\"", "b":1})", R"({"a":"\"","b":1})"},
                                                      {R"({"a":"\\" ,"b":1})", R"({"a":"\\","b":1})"}};
  for (const auto& [row, compact] : rows) {
    const auto content = read_content(
        R"({"machine":"m","ops":[{"op":"session","state":{"n":1,"base":0,"at":"2026-11-16T00:00:00Z","layout":"made-up",)"
        R"("store":"/s","session":"x","row":)" +
        row + R"(,"origin":{"policy":"full"},"files":[{"root":"home","path":"x.jsonl","size":0,"mode":384,)" +
        R"("mtime_ns":0,"hash":")" + sha256_hex("") + R"(","keep":0,"add":[]}]}}]})");
    ASSERT_TRUE(content.has_value());
    SimFileSystem disk;
    auto writer = ArchiveWriter::open({}, disk, "/data/from", ArchiveOrder::lines_first);
    ASSERT_TRUE(writer.has_value());
    AppliedOps applied;
    const auto done = apply_ops({}, **writer, 1, *content, applied);
    ASSERT_TRUE(done.has_value()) << done.error().message;
    EXPECT_EQ(applied.sessions.size(), 1U) << row;
    const auto closed = (*writer)->close({});
    ASSERT_TRUE(closed.has_value()) << row << closed.error().message;
    const auto archive = Archive::open({}, disk, "/data/from");
    ASSERT_TRUE(archive.has_value()) << row << archive.error().message;
    ASSERT_EQ((*archive)->state().sessions.size(), 1U) << row;
    EXPECT_EQ((*archive)->state().sessions.begin()->second.row, compact);
  }
}

// They are kept with the cursor.
TEST(SegmentContent, OtherFormOfDroppedSessionIsAHash) {
  const std::string of = sha256_hex("of"), other = sha256_hex("other");
  const auto forms = [&](const std::string& key, const std::string& name) {
    SimFileSystem disk;
    auto writer = ArchiveWriter::open({}, disk, "/data/from", ArchiveOrder::lines_first);
    AppliedOps applied;
    const std::string op = R"({"op":"drop","n":1,"of":")" + of + R"(",")" + key + R"(":")" + name + R"("})";
    EXPECT_TRUE(apply_ops({}, **writer, 1, {.ops = {op}}, applied));
    return applied.forms;
  };
  using Forms = decltype(AppliedOps::forms);
  EXPECT_EQ(forms("to", other), (Forms{{of, {of, other}}}));
  EXPECT_EQ(forms("as", other), (Forms{{of, {other, of}}}));
  for (const std::string& name : {std::string(), std::string("made up"), other + "0", std::string(1 << 20, 'a')})
    for (const char* const key : {"to", "as"}) EXPECT_TRUE(forms(key, name).empty()) << key;
}

}  // namespace
}  // namespace holdfast::inline v1
