// Tracks renames from one directory to another. A file system may make the two
// ends durable independently, although the simulated disk does not: a move is
// durable only once both directories have been synced since.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "crash/disk/sim_file_system.h"

namespace holdfast::lab {

class Moves final : public SimObserver {
 public:
  // Tracks names that are moved to a path containing `into`. Staged files are ignored: they have no name
  // that could come back.
  Moves(SimFileSystem& disk, std::string_view into) : disk_(disk), into_(into) { disk_.set_observer(this); }
  ~Moves() override { disk_.set_observer(nullptr); }
  Moves(const Moves&) = delete;
  Moves& operator=(const Moves&) = delete;

  void after(const SimCall& call) override {
    if (call.kind == SimCallKind::sync_directory) {
      std::erase_if(sources_, [&](const auto& each) { return each.second == call.path; });
      std::erase_if(targets_, [&](const auto& each) { return each.second == call.path; });
    }
    if (call.kind != SimCallKind::rename || !call.to.contains(into_) || call.path.contains("/tmp/")) return;
    sources_[call.path] = call.path.substr(0, call.path.rfind('/'));
    targets_[call.to] = call.to.substr(0, call.to.rfind('/'));
    ++count_;
  }

  std::size_t count() const { return count_; }
  // Whether no sync has covered yet that they left, or that they arrived.
  bool may_be_back() const { return !sources_.empty(); }
  bool may_be_lost() const { return !targets_.empty(); }

 private:
  SimFileSystem& disk_;
  const std::string into_;
  std::map<std::string, std::string> sources_, targets_;  // name -> directory
  std::size_t count_ = 0;
};

}  // namespace holdfast::lab
