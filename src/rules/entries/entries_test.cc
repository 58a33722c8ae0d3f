#include "rules/entries/entries.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "crash/disk/sim_testing.h"
#include "disk/counting_file_system_testing.h"
#include "disk/real_testing.h"
#include "text/secrets_testing.h"

namespace holdfast::inline v1 {
namespace {

struct StoredEntries : ::testing::Test {
  TemporaryDirectory scratch;
  CountingFileSystem files;
  const EntryKey key{.project = "p", .session = "s"};

  std::shared_ptr<Store> open() {
    StoreOptions options{.layout = "holdfast", .roots = {{"", scratch.path("store")}}, .write = true, .create = true};
    return must(Store::open({}, files, options));
  }
  std::shared_ptr<Store> store = open();

  std::string log() const { return scratch.path("store/" + entry_log_path(key)); }
  std::string bytes() const {
    std::ifstream file(log());
    return {std::istreambuf_iterator<char>(file), {}};
  }
  static std::string text(int number) { return "{\"n\":" + std::to_string(number) + "}"; }
  EntryWriteResult append(Store& to, int number, const std::string& operation = "") {
    return must(write_entries({}, to, key, {.entries = {text(number)}, .operation = operation}));
  }
  std::vector<std::string> entries() { return must(load_entries({}, *open(), key)).entries; }
};

using Texts = std::vector<std::string>;

// The cost of a replacement does not grow with the stream.
TEST_F(StoredEntries, ReplacementReadsOnlyWhatItReplaces) {
  const std::string large = "{\"text\":\"" + std::string(1000, 'x') + "\"}";
  must(write_entries({}, *store, key, {.entries = std::vector<std::string>(5000, large)}));
  append(*store, 1);
  append(*store, 2);
  append(*store, 3);
  must(write_entries({}, *store, key, {.entries = {}, .expected = Texts{text(3)}}));
  const std::uint64_t before = files.bytes_read;
  const auto done = must(write_entries({}, *store, key, {.entries = {text(4)}, .expected = Texts{text(1), text(2)}}));
  EXPECT_LT(files.bytes_read - before, 500'000U);
  EXPECT_EQ(done.total, 5001U);
  EXPECT_EQ(entries().back(), text(4));
}

// Of a line whose last entries were replaced, the first ones are left.
TEST_F(StoredEntries, ReplacesTheRestOfALine) {
  must(write_entries({}, *store, key, {.entries = {text(1), text(2), text(3)}}));
  must(write_entries({}, *store, key, {.entries = {text(4), text(5)}, .expected = Texts{text(3)}}));
  must(write_entries({}, *store, key, {.entries = {}, .expected = Texts{text(5)}}));
  EXPECT_CODE(write_entries({}, *store, key, {.entries = {}, .expected = Texts{text(3), text(4)}}), Code::conflict);
  must(write_entries({}, *store, key, {.entries = {text(6)}, .expected = Texts{text(2), text(4)}}));
  EXPECT_EQ(entries(), (Texts{text(1), text(6)}));
}

// A write that was glued to a fragment does not begin a line.
TEST_F(StoredEntries, ReplacesEntriesOfASalvagedWrite) {
  append(*store, 1);
  append(*store, 2);
  std::string glued = bytes();
  glued.insert(glued.rfind("{\"type\":\"write\""), "{\"type\":\"wr");
  std::ofstream(log()) << glued;
  const auto next = open();
  must(write_entries({}, *next, key, {.entries = {text(3)}, .expected = Texts{text(2)}}));
  EXPECT_EQ(entries(), (Texts{text(1), text(3)}));
}

TEST_F(StoredEntries, RepeatedWritesAddNothingToTheLog) {
  append(*store, 1, "one");
  must(write_entries({}, *store, key, {.entries = {R"({"uuid":"u"})"}}));
  const std::string before = bytes();
  const auto other = open();
  for (Store* const each : {store.get(), other.get()}) {
    EXPECT_FALSE(append(*each, 1, "one").applied);
    EXPECT_FALSE(must(write_entries({}, *each, key, {.entries = {R"({"uuid":"u"})"}})).applied);
  }
  EXPECT_EQ(bytes(), before);
}

// A process whose reading was cut short counts no line twice afterwards, and misses none.
TEST_F(StoredEntries, FailedReadLeavesNothingHalfKnown) {
  for (std::uint64_t n = 0; n < 300; ++n)
    must(write_entries({}, *store, key, {.entries = {"{\"text\":\"" + std::string(2000, 'x') + "\"}"}}));
  std::uint64_t total = 300;
  int failed = 0;
  for (bool again = true; again; ++failed) {
    const auto other = open();
    files.reads_left = failed;
    const auto cut = write_entries({}, *other, key, {.entries = {text(1)}});
    files.reads_left = INT64_MAX;
    again = !cut && failed < 200;
    total += cut ? 2 : 1;
    ASSERT_EQ(append(*other, 2).total, total) << "only " << failed << " reads";
  }
  EXPECT_GT(failed, 5);
}

// Somebody puts an older log in place of the one that was read: what is acknowledged is in that one.
TEST_F(StoredEntries, OlderLogInItsPlaceIsReadAnew) {
  for (const bool renamed : {false, true}) {
    append(*store, 1, "first" + std::to_string(renamed));
    const std::string old = bytes();
    append(*store, 2, "last" + std::to_string(renamed));
    append(*store, 3);  // now it has read that one as well
    std::ofstream(renamed ? log() + ".old" : log()) << old;
    if (renamed) std::filesystem::rename(log() + ".old", log());
    EXPECT_TRUE(append(*store, 2, "last" + std::to_string(renamed)).applied);
    EXPECT_EQ(entries().back(), text(2));
  }
}

// The same, when another process has written so much since that the file is no shorter.
TEST_F(StoredEntries, OlderLogInTheSameFileIsReadAnew) {
  const auto other = open();
  append(*store, 1, "first");
  const std::string old = bytes();
  append(*store, 2, "last");
  append(*store, 3);
  const std::size_t size = bytes().size();
  std::ofstream(log()) << old;
  while (bytes().size() < size) append(*other, 4);
  EXPECT_TRUE(append(*store, 2, "last").applied);
  EXPECT_EQ(entries().back(), text(2));
  EXPECT_FALSE(append(*store, 1, "first").applied) << "it is in the older one too";
}

// The caller has what it gave, the stream what may be stored of it.
TEST_F(StoredEntries, ReplacesEntriesThatWereRedacted) {
  StoreOptions options{.layout = "holdfast", .roots = {{"", scratch.path("store")}}, .write = true, .create = true};
  options.redact_inputs = options.redact_outputs = true;
  const auto careful = must(Store::open({}, files, options));
  const std::string secret = "ghp_" + testing::made_up(testing::kLetters, 36);
  const std::string entry = R"({"role":"user","content":"use )" + secret + "\"}";
  must(write_entries({}, *careful, key, {.entries = {entry}}));
  ASSERT_FALSE(bytes().contains(secret));
  const std::string stored = entries().front();
  must(write_entries({}, *careful, key, {.entries = {entry, text(1)}, .expected = Texts{entry}}));
  must(write_entries({}, *careful, key, {.entries = {}, .expected = Texts{stored, text(1)}}));
  EXPECT_TRUE(entries().empty());
}

// What was stored before secrets were redacted can be replaced, but comes back redacted.
TEST_F(StoredEntries, ReplacesEntriesFromBeforeRedaction) {
  const std::string secret = "ghp_" + testing::made_up(testing::kLetters, 36);
  const std::string entry = R"({"role":"user","content":"use )" + secret + "\"}";
  must(write_entries({}, *store, key, {.entries = {entry, text(1)}}));
  ASSERT_TRUE(bytes().contains(secret));
  StoreOptions options{.layout = "holdfast", .roots = {{"", scratch.path("store")}}, .write = true, .create = true};
  options.redact_inputs = options.redact_outputs = true;
  const auto careful = must(Store::open({}, files, options));
  must(write_entries({}, *careful, key, {.entries = {entry}, .expected = Texts{entry, text(1)}}));
  ASSERT_EQ(entries().size(), 1U);
  EXPECT_FALSE(entries().front().contains(secret));
  EXPECT_CODE(write_entries({}, *careful, key, {.entries = {}, .expected = Texts{text(1)}}), Code::conflict);
}

TEST_F(StoredEntries, ReplacingNothingByNothingCreatesNothing) {
  const auto done = must(write_entries({}, *store, key, {.entries = {}, .expected = Texts()}));
  EXPECT_FALSE(done.applied);
  EXPECT_FALSE(std::filesystem::exists(log()));
  append(*store, 1);
  EXPECT_EQ(must(list_entry_sessions({}, *store, "p", false)).sessions.size(), 1U);
}

}  // namespace
}  // namespace holdfast::inline v1
