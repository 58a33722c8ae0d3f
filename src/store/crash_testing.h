// Events that change several files, on a disk that dies after every changing
// call: afterwards the store shows all of the event or nothing of it, and once
// the event was acknowledged, all of it.
#pragma once

#include <gtest/gtest.h>
#include <holdfast/store.h>

#include <functional>
#include <mutex>
#include <set>
#include <string>

#include "crash/disk/sim_testing.h"
#include "layout/layout.h"

namespace holdfast::inline v1 {

using StorePtr = std::shared_ptr<Store>;

inline StorePtr open_on(SimFileSystem& disk, const std::string& layout) {
  StoreOptions options;
  options.layout = layout;
  for (const RootName& root : find_layout(layout)->roots()) {
    options.roots.emplace(root.name, "/" + std::string(root.name));
    const std::string there = "/" + std::string(root.name) + "/there";
    if (!root.make && !disk.exists(there)) must(disk.put_file(there, ""));
  }
  options.write = true;
  options.create = true;
  options.sync = true;
  return must(Store::open({}, disk, options));
}

struct CrashEvent {
  std::string layout;
  std::function<void(Store&)> prepare;
  std::function<Result<void>(Store&)> happen;
  std::function<std::string(Store&)> picture;  // what a user can see
};

// Examines the crash states after each call of the event. Calls come from any thread:
// an index is written in the background, even after the event.
class CrashWatch final : public SimObserver {
 public:
  CrashWatch(SimFileSystem& disk, const CrashEvent& event, std::string before)
      : disk_(disk), event_(event), before_(std::move(before)) {}

  void after(const SimCall&) override { look(false); }

  void look(bool acknowledged) {
    const std::scoped_lock guard(mutex_);
    for (const CrashModel model : kAllModels) {
      Chooser chooser = Chooser::random(12, ++seed_);
      do {
        const auto crashed = disk_.crash(model, chooser);
        const StorePtr store = open_on(*crashed, event_.layout);
        const std::string seen = event_.picture(*store);
        (acknowledged ? finals_ : seen_).insert(seen);
        ++states_;
      } while (chooser.next());
    }
  }

  void judge(const std::string& after) {
    seen_.insert(before_);
    EXPECT_EQ(seen_, (std::set<std::string>{before_, after})) << "a part of the event was visible after a crash";
    EXPECT_EQ(finals_, std::set<std::string>{after}) << "an acknowledged event was lost";
    EXPECT_GT(states_, 20u);  // otherwise hardly any crash was tried
  }

 private:
  SimFileSystem& disk_;
  const CrashEvent& event_;
  std::string before_;
  std::mutex mutex_;  // guards the next four members
  std::set<std::string> seen_, finals_;
  std::uint64_t seed_ = 0;
  std::uint64_t states_ = 0;
};

inline void all_or_none(const CrashEvent& event) {
  SimFileSystem disk;
  StorePtr store = open_on(disk, event.layout);
  event.prepare(*store);
  disk.sync_all();
  CrashWatch crashes(disk, event, event.picture(*store));
  disk.set_observer(&crashes);
  must(event.happen(*store));
  disk.set_observer(nullptr);
  crashes.look(true);
  const std::string after = event.picture(*store);
  store.reset();
  crashes.judge(after);
}

inline Message said_by_a_person(std::string text) {
  Message message;
  message.blocks.push_back({.kind = BlockKind::text, .text = std::move(text)});
  return message;
}

}  // namespace holdfast::inline v1
