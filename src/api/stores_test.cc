#include "api/stores.h"

#include <gtest/gtest.h>
#include <holdfast/root.h>

#include <future>
#include <set>
#include <thread>

#include "crash/disk/sim_testing.h"
#include "layout/layout.h"

namespace holdfast::inline v1 {
namespace {

struct StoresTest : testing::Test {
  SimFileSystem files;
  Context context;
  StoreSettings settings() {
    StoreSettings all;
    all.files = &files;
    all.keep = true;
    return all;
  }
  static StoreOptions at(const std::string& path, const std::string& layout = "holdfast") {
    StoreOptions options;
    options.layout = layout;
    options.roots[""] = path;
    return options;
  }
};

// Opening a root that has leftover files waits for its lock.
TEST_F(StoresTest, OneStoreDoesNotWaitForTheLockOfAnother) {
  Stores stores(settings());
  must(stores.open(context, at("/a"), Use::create));
  must(stores.close(context));
  must(files.put_file("/a/.side/tmp/left.over", "x"));
  std::promise<void> locked, release;
  std::thread holder([&] {
    const auto root = must(Root::open(context, files, "/a", {.side = ".side", .write = false}));
    const auto lock = must(root->lock(context));
    locked.set_value();
    release.get_future().wait();
  });
  locked.get_future().wait();
  auto first = std::async(std::launch::async, [&] { return stores.open(context, at("/a"), Use::write); });
  // If the first thread does not wait yet, this proves nothing, but it never fails.
  std::this_thread::yield();
  EXPECT_TRUE(stores.open(context, at("/b"), Use::create));
  EXPECT_NE(std::future_status::ready, first.wait_for(std::chrono::milliseconds(0)));
  release.set_value();
  holder.join();
  EXPECT_TRUE(first.get());
}

TEST_F(StoresTest, OpeningByNameFindsStoreWithAllRoots) {
  StoreSettings all = settings();
  all.home.layout = "linggen";
  for (const RootName& root : find_layout("linggen")->roots())
    all.home.roots.emplace(root.name, "/" + std::string(root.name));
  ASSERT_GT(all.home.roots.size(), 1U);
  Stores stores(all);
  const auto store = must(stores.open(context, all.home, Use::create));
  EXPECT_EQ(store, must(stores.open(context, must(parse_store_name(store->name())), Use::write)));
}

TEST_F(StoresTest, ConcurrentOpensShareStoreAndWriter) {
  Stores stores(settings());
  std::vector<std::future<std::shared_ptr<Store>>> openings;
  for (int i = 0; i < 4; ++i)
    openings.push_back(
        std::async(std::launch::async, [&] { return must(stores.open(context, at("/a"), Use::create)); }));
  std::set<std::shared_ptr<Store>> opened;
  for (auto& opening : openings) opened.insert(opening.get());
  EXPECT_EQ(1U, opened.size());
  const auto store = *opened.begin();
  const std::string id = must(store->create(context, {}));
  std::vector<std::future<std::shared_ptr<SessionWriter>>> writings;
  for (int i = 0; i < 4; ++i)
    writings.push_back(std::async(
        std::launch::async, [&] { return must(stores.writer(context, store, id, {.lease = LeaseRequest::take})); }));
  std::set<std::shared_ptr<SessionWriter>> writers;
  for (auto& writing : writings) writers.insert(writing.get());
  EXPECT_EQ(1U, writers.size()) << "nobody is told that it is in use by this very process";
}

}  // namespace
}  // namespace holdfast::inline v1
