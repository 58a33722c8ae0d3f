#include "index/session_index.h"

#include <gtest/gtest.h>

#include <array>

#include "crash/disk/sim_testing.h"
#include "index/read_entry.h"
#include "model/tally.h"

namespace holdfast::inline v1 {
namespace {

SessionEntry full_entry() {
  SessionEntry entry;
  Session& row = entry.row;
  row.id = "ses_1";
  row.layout = "holdfast";
  row.store = "holdfast:/s";
  row.path = "a.jsonl";
  row.project = "/p";
  row.title = "t";
  row.first_prompt = "f";
  row.status = Status::interrupted;
  row.created_at = "2026-11-15T03:15:00.042Z";
  row.updated_at = "2026-11-15T03:16:00.042Z";
  row.counts = {1, 2, 3, 4, 5};
  row.models = {"a", "b"};
  row.usage = {10, 20, 30, 40, 50, 4, 5};
  row.git_branch = "main";
  row.parent = Parent{"ses_0", ParentKind::subagent, "msg_1"};
  row.subagents = 6;
  row.bytes = 7;
  row.damage = 8;
  row.pending = Pending::tool;
  row.archived = true;
  row.summary = "s";
  row.metadata = "{}";
  row.lineage = {"m", "r", "2026-11-15T03:15:00Z"};
  entry.looked_ns = INT64_MAX / 2;
  entry.generation = 0xFEDCBA9876543210U;
  entry.findings.push_back({{"data", "a.jsonl"}, 3, 4, "torn", "skipped", 1});
  entry.log = LogTrack{3, 3, "0123"};
  entry.state = "state";
  entry.tally = std::string("ta\0lly", 6);
  return entry;
}

// Reports every line as a typed message, and rests at the end of the log.
class RestingLayout final : public Layout {
 public:
  std::string_view name() const override { return "resting"; }
  std::string_view agent() const override { return "Resting"; }
  std::span<const RootName> roots() const override { return {}; }
  Result<bool> recognise(Feed&) const override { return true; }
  Result<void> find(Feed&, const TakeRef&) const override { return {}; }
  Result<void> read(Feed& feed, const SessionRef& ref, const ReadOptions& options, Events& events) const override {
    std::string state(options.state);
    HOLDFAST_TRY(feed.records(ref.place, {options.from}, [&](const FeedRecord& record) {
      ++told;
      state += 'x';
      Message message;
      message.id = record.bytes;
      return events.message(std::move(message));
    }));
    events.rest(state);
    SessionFacts facts;
    facts.title = state;
    events.facts(facts);
    return {};
  }
  mutable int told = 0;
};

struct SessionIndexTest : testing::Test {
  SimFileSystem disk;
  std::unique_ptr<Directory> directory;
  RootDirectories roots;
  const SessionRef ref{"ses_1", {"data", "a.jsonl"}, {}, {}};
  const SessionKey key = SessionKey::of(ref);
  RestingLayout layout;

  void SetUp() override {
    must(disk.put_file("/s/a.jsonl", "{}\n"));
    directory = must(disk.open_directory("/s", false));
    roots["data"] = directory.get();
  }
  SessionIndex open(std::string_view store = "holdfast:/s") { return {disk, "/cache", std::string(store)}; }
  Fingerprint print() { return Fingerprint::of(must(directory->stat("a.jsonl"))); }
  void save(std::int64_t looked_ns = INT64_MAX / 2) {
    SessionIndex index = open();
    SessionEntry entry = full_entry();
    entry.files = {{ref.place, print()}};
    entry.looked_ns = looked_ns;
    index.put(key, entry);
    index.settle();
    index.save();
  }
  SessionEntry read(const SessionEntry* before) {
    const Context context;
    const EntrySource source{context, layout, roots, [&] { return DirectoryFeed(context, roots, Check::objects); }};
    return must(read_entry(source, ref, before, before == nullptr ? 1 : 2));
  }
};

TEST_F(SessionIndexTest, EntryRoundTrips) {
  save();
  const SessionIndex index = open();
  ASSERT_TRUE(index.fresh(key, roots));
  const auto again = index.known(key);
  ASSERT_TRUE(again);
  const SessionEntry want = full_entry();
  EXPECT_EQ(again->row.title, want.row.title);
  EXPECT_EQ(again->row.counts, want.row.counts);
  EXPECT_EQ(again->row.usage, want.row.usage);
  EXPECT_EQ(again->row.models, want.row.models);
  EXPECT_EQ(again->row.parent, want.row.parent);
  EXPECT_EQ(again->row.status, want.row.status);
  EXPECT_EQ(again->row.pending, want.row.pending);
  EXPECT_EQ(again->row.bytes, want.row.bytes);
  EXPECT_EQ(again->row.damage, want.row.damage);
  EXPECT_EQ(again->row.archived, want.row.archived);
  EXPECT_EQ(again->row.metadata, want.row.metadata);
  EXPECT_EQ(again->row.updated_at, want.row.updated_at);
  EXPECT_EQ(again->row.lineage, want.row.lineage);
  EXPECT_EQ(again->generation, want.generation);
  ASSERT_EQ(again->findings.size(), 1u);
  EXPECT_EQ(again->findings[0].kind, "torn");
  ASSERT_TRUE(again->log);
  EXPECT_EQ(again->log->hash, "0123");
  EXPECT_EQ(again->state, want.state);
  EXPECT_EQ(again->tally, want.tally);
  EXPECT_FALSE(open("holdfast:/other").fresh(key, roots));
}

TEST_F(SessionIndexTest, HeadMatchesFullRow) {
  save();
  const SessionIndex index = open();
  const auto head = index.fresh(key, roots);
  ASSERT_TRUE(head);
  const Session row = unpack_row(head->packed);
  EXPECT_EQ(row.title, full_entry().row.title);
  EXPECT_EQ(head->row.id, row.id);
  EXPECT_EQ(head->row.project, row.project);
  EXPECT_EQ(head->row.created_at, row.created_at);
  EXPECT_EQ(head->row.updated_at, row.updated_at);
  EXPECT_EQ(head->row.first_message, row.lineage.first_message);
  EXPECT_EQ(head->row.first_response, row.lineage.first_response);
  EXPECT_EQ(head->row.began_at, row.lineage.began_at);
  EXPECT_EQ(head->row.status, row.status);
  ASSERT_TRUE(head->row.has_parent);
  EXPECT_EQ(head->row.parent_id, row.parent->id);
  EXPECT_EQ(head->row.parent_kind, row.parent->kind);
  EXPECT_EQ(head->findings, 1u);
  EXPECT_EQ(head->generation, full_entry().generation);
  EXPECT_EQ(head->position, 3u);
}

TEST_F(SessionIndexTest, DamagedOrStaleCountsAreNotReturned) {
  save();
  std::string buffer;
  const auto counts = [&](SessionHead head) {
    const SessionIndex index = open();
    return index.counts(key, head, buffer).has_value();
  };
  const SessionIndex index = open();
  const SessionHead head = *index.fresh(key, roots);
  ASSERT_TRUE(counts(head));
  SessionHead other = head;
  ++other.generation;
  EXPECT_FALSE(counts(other));
  other = head;
  ++other.position;
  EXPECT_FALSE(counts(other));
  const auto cache = must(disk.open_directory("/cache", false));
  std::string path;
  for (const DirectoryEntry& entry : must(cache->list(""))) {
    if (entry.name.ends_with(".counts")) path = "/cache/" + entry.name;
  }
  const std::string good = must(disk.read_file(path));
  for (std::size_t at = 0; at < good.size(); ++at) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 0x10);
    must(disk.put_file(path, bad));
    EXPECT_FALSE(counts(head)) << at;
    EXPECT_FALSE(open().known(key)) << at;
    must(disk.put_file(path, std::string_view(good).substr(0, at)));
    EXPECT_FALSE(counts(head)) << "cut at " << at;
    EXPECT_TRUE(open().fresh(key, roots)) << "lists need no counts";
  }
}

TEST_F(SessionIndexTest, CountsStayInMemoryWithoutCache) {
  SessionIndex index(disk, "", "holdfast:/s");
  const SessionHead head = index.put(key, full_entry());
  index.settle();
  index.save();
  std::string buffer;
  const auto counts = index.counts(key, head, buffer);
  ASSERT_TRUE(counts);
  EXPECT_EQ(counts->tally, full_entry().tally);
  ASSERT_TRUE(index.known(key));
}

TEST_F(SessionIndexTest, ChangedFileIsNotFresh) {
  save();
  ASSERT_TRUE(open().fresh(key, roots));
  must(disk.foreign_append("/s/a.jsonl", "{}\n"));
  EXPECT_FALSE(open().fresh(key, roots));
  EXPECT_TRUE(open().known(key));
}

TEST_F(SessionIndexTest, FileChangedJustBeforeReadIsNotFresh) {
  save(print().mtime_ns + 1'000'000'000);
  EXPECT_FALSE(open().fresh(key, roots));
}

TEST_F(SessionIndexTest, ChangedHintIsNotFresh) {
  save();
  SessionRef renamed = ref;
  renamed.hint = "another title";
  EXPECT_FALSE(open().fresh(SessionKey::of(renamed), roots));
}

TEST_F(SessionIndexTest, CompactsStaleEntriesAndForgetsRemovedSessions) {
  const auto cache_size = [&](std::string_view ending) {
    const auto cache = must(disk.open_directory("/cache", false));
    for (const DirectoryEntry& entry : must(cache->list(""))) {
      if (entry.name.ends_with(ending)) return must(cache->stat(entry.name)).size;
    }
    return std::uint64_t{0};
  };
  for (int i = 0; i < 3000; ++i) save();
  EXPECT_LT(cache_size(".index"), 600'000u);
  SessionIndex index = open();
  index.keep_only({});
  EXPECT_FALSE(index.fresh(key, roots));
}

TEST_F(SessionIndexTest, StaleCountsAreRemovedAndTheRestIsKept) {
  const SessionKey other = SessionKey::of({"ses_2", {"data", "a.jsonl"}, {}, {}});
  SessionEntry large = full_entry();
  large.files = {{ref.place, print()}};
  large.tally.assign(300'000, 't');
  {
    SessionIndex index = open();
    index.put(other, large);
    index.settle();
    index.save();
  }
  std::uint64_t most = 0;
  const auto cache = must(disk.open_directory("/cache", false));
  for (int i = 0; i < 60; ++i) {
    SessionIndex index = open();
    index.put(key, large);
    index.settle();
    index.save();
    for (const DirectoryEntry& entry : must(cache->list(""))) {
      if (entry.name.ends_with(".counts")) most = std::max(most, must(cache->stat(entry.name)).size);
    }
  }
  EXPECT_GT(most, 4'000'000u);
  EXPECT_LT(most, 6'000'000u) << "18 MB were written";
  const SessionIndex index = open();
  for (const SessionKey& one : {key, other}) {
    const auto entry = index.known(one);
    ASSERT_TRUE(entry);
    EXPECT_EQ(entry->tally, large.tally);
  }
}

TEST_F(SessionIndexTest, GrownLogIsReadFromItsOldEnd) {
  const SessionEntry first = read(nullptr);
  EXPECT_EQ(layout.told, 1);
  must(disk.foreign_append("/s/a.jsonl", "{\"a\":1}\n{\"b\":2}\n"));
  const SessionEntry second = read(&first);
  EXPECT_EQ(layout.told, 3);  // two more, not three
  EXPECT_EQ(second.row.counts.records, 3);
  EXPECT_EQ(second.row.title, "xxx");
  EXPECT_EQ(second.row.bytes, 19u);
  EXPECT_EQ(second.generation, first.generation);
  const SessionEntry third = read(&second);
  EXPECT_EQ(layout.told, 3);
  EXPECT_EQ(third.row.counts, second.row.counts);
  EXPECT_EQ(third.tally, second.tally);
}

TEST_F(SessionIndexTest, ChangedLogIsReadFromTheStart) {
  const SessionEntry first = read(nullptr);
  must(disk.put_file("/s/a.jsonl", "{\"changed\":1}\n{}\n"));
  const SessionEntry second = read(&first);
  EXPECT_EQ(layout.told, 3);
  EXPECT_EQ(second.row.counts.records, 2);
  EXPECT_NE(second.generation, first.generation);
}

TEST_F(SessionIndexTest, UnfinishedLineIsNotAResumePoint) {
  must(disk.foreign_append("/s/a.jsonl", "{\"a\":1}"));
  const SessionEntry first = read(nullptr);
  EXPECT_EQ(first.row.counts.records, 2);
  EXPECT_FALSE(first.log);
}

}  // namespace
}  // namespace holdfast::inline v1
