// An observer that makes the first sync below a path fail, and no other.
#pragma once

#include <cerrno>
#include <string>
#include <string_view>

#include "crash/disk/sim_observer.h"

namespace holdfast::lab {

struct Sick final : SimObserver {
  explicit Sick(std::string_view place) : where(place) {}
  Injection before(const SimCall& call) override {
    const bool sync = call.kind == SimCallKind::sync || call.kind == SimCallKind::sync_directory;
    if (!due || !sync || !call.path.starts_with(where)) return {};
    due = false;
    return {Injection::Kind::fail, EIO};
  }
  bool due = true;
  const std::string where;
};

}  // namespace holdfast::lab
