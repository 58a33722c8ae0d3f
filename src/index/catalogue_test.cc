#include "index/catalogue.h"

#include <gtest/gtest.h>

#include "disk/sim_testing.h"

namespace holdfast::inline v1 {
namespace {

Session full_row() {
  Session row;
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
  row.usage = {10, 20, 30, 40, 50};
  row.git_branch = "main";
  row.parent = Parent{"ses_0", ParentKind::subagent, "msg_1"};
  row.subagents = 6;
  row.bytes = 7;
  row.damage = 8;
  row.pending = Pending::tool;
  row.archived = true;
  row.summary = "s";
  row.metadata = "{}";
  return row;
}

struct CatalogueFile : testing::Test {
  SimFileSystem disk;
  std::unique_ptr<Directory> directory;
  RootDirectories roots;
  const SessionRef ref{"ses_1", {"data", "a.jsonl"}, {}, {}};
  Catalogue catalogue{"holdfast:/s"};

  void SetUp() override {
    must(disk.put_file("/s/a.jsonl", "{}\n"));
    directory = must(disk.open_directory("/s", false));
    roots["data"] = directory.get();
    catalogue.put(ref, {{ref.place, Fingerprint::of(must(directory->stat("a.jsonl")))}}, INT64_MAX / 2, full_row());
  }
};

TEST_F(CatalogueFile, ComesBackTheSame) {
  const Catalogue again = Catalogue::from_bytes("holdfast:/s", catalogue.to_bytes());
  const Session* row = again.fresh(ref, roots);
  ASSERT_NE(row, nullptr);
  const Session want = full_row();
  EXPECT_EQ(row->title, want.title);
  EXPECT_EQ(row->counts, want.counts);
  EXPECT_EQ(row->usage, want.usage);
  EXPECT_EQ(row->models, want.models);
  EXPECT_EQ(row->parent, want.parent);
  EXPECT_EQ(row->status, want.status);
  EXPECT_EQ(row->pending, want.pending);
  EXPECT_EQ(row->bytes, want.bytes);
  EXPECT_EQ(row->damage, want.damage);
  EXPECT_EQ(row->archived, want.archived);
  EXPECT_EQ(row->metadata, want.metadata);
  EXPECT_EQ(row->updated_at, want.updated_at);
}

TEST_F(CatalogueFile, IsEmptyWhenAnyByteIsWrongOrMissing) {
  const std::string bytes = catalogue.to_bytes();
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::string wrong = bytes;
    wrong[at] = static_cast<char>(wrong[at] ^ 1);
    EXPECT_EQ(Catalogue::from_bytes("holdfast:/s", wrong).fresh(ref, roots), nullptr) << at;
    EXPECT_EQ(Catalogue::from_bytes("holdfast:/s", bytes.substr(0, at)).fresh(ref, roots), nullptr) << at;
  }
  EXPECT_EQ(Catalogue::from_bytes("holdfast:/other", bytes).fresh(ref, roots), nullptr);
}

TEST_F(CatalogueFile, TrustsNothingThatChanged) {
  ASSERT_NE(catalogue.fresh(ref, roots), nullptr);
  must(disk.foreign_append("/s/a.jsonl", "{}\n"));
  EXPECT_EQ(catalogue.fresh(ref, roots), nullptr);
}

TEST_F(CatalogueFile, TrustsNothingThatChangedJustBeforeItWasRead) {
  const Fingerprint print = Fingerprint::of(must(directory->stat("a.jsonl")));
  catalogue.put(ref, {{ref.place, print}}, print.mtime_ns + 1'000'000'000, full_row());
  EXPECT_EQ(catalogue.fresh(ref, roots), nullptr);
}

TEST_F(CatalogueFile, TrustsNothingWhenTheLayoutHeardOtherwise) {
  SessionRef renamed = ref;
  renamed.hint = "another title";
  EXPECT_EQ(catalogue.fresh(renamed, roots), nullptr);
}

TEST_F(CatalogueFile, ForgetsSessionsThatAreGone) {
  catalogue.keep_only({});
  EXPECT_EQ(catalogue.fresh(ref, roots), nullptr);
}

}  // namespace
}  // namespace holdfast::inline v1
