// The options of `holdfast tail`.
#pragma once

#include <cstddef>
#include <string>

namespace holdfast::inline v1 {

struct TailSession {
  std::string id;          // empty: the latest, and with `follow` each that begins later
  std::string store;       // LAYOUT:ROOT, or empty
  std::size_t count = 10;  // messages to begin with
  bool follow = false;     // continue with new messages
};

}  // namespace holdfast::inline v1
