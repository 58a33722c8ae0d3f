#include "store/repair.h"

#include <gtest/gtest.h>

#include "crash/disk/sim_testing.h"
#include "rules/runs/runs.h"

namespace holdfast::inline v1 {
namespace {

std::shared_ptr<Store> open_on(SimFileSystem& disk, const std::string& layout, const std::string& root) {
  StoreOptions options;
  options.layout = layout;
  options.roots[""] = root;
  options.write = options.create = true;
  return must(Store::open({}, disk, options));
}

TEST(Repair, RebuildsIndexes) {
  SimFileSystem disk;
  const auto store = open_on(disk, "open-agent", "/home");
  const std::string id = must(store->create({}, {.project = "/p"}));
  Message prompt;
  prompt.blocks.push_back({.text = "hello"});
  must(must(store->write({}, id))->append({}, prompt));
  must(disk.put_file("/home/projects/-p/sessions-index.json", "{\"projectPath\":\"\",\"sessions\":[]}"));
  EXPECT_EQ(must(repair_store({}, *store)).counts["indexes"], 1u);
  EXPECT_NE(must(disk.read_file("/home/projects/-p/sessions-index.json")).find(id), std::string::npos);
}

TEST(Repair, FindsNothingInHealthyStore) {
  SimFileSystem disk;
  const auto store = open_on(disk, "holdfast", "/data");
  must(store->create({}, {.project = "/p"}));
  const Repaired repaired = must(repair_store({}, *store));
  EXPECT_EQ(repaired.counts.at("failed_runs"), 0u);
  EXPECT_EQ(repaired.counts.at("indexes"), 0u);
  EXPECT_TRUE(repaired.findings.empty());
}

}  // namespace
}  // namespace holdfast::inline v1
