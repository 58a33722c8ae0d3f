#include "rules/entries/entries.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "crash/disk/sim_testing.h"
#include "disk/counting_file_system_testing.h"
#include "disk/real_testing.h"

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

TEST_F(StoredEntries, ReplacingNothingByNothingCreatesNothing) {
  const auto done = must(write_entries({}, *store, key, {.entries = {}, .expected = Texts()}));
  EXPECT_FALSE(done.applied);
  EXPECT_FALSE(std::filesystem::exists(log()));
  append(*store, 1);
  EXPECT_EQ(must(list_entry_sessions({}, *store, "p", false)).sessions.size(), 1U);
}

}  // namespace
}  // namespace holdfast::inline v1
