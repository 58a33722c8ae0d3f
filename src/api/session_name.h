// What a session is called on every machine. Plain values.
#pragma once

#include <compare>
#include <map>
#include <string>

namespace holdfast::inline v1 {

struct SessionName {
  std::string layout = {}, id = {};
  auto operator<=>(const SessionName&) const = default;
};

// Sessions that were handed off, and those that they came from.
using HandOffs = std::map<SessionName, SessionName>;

}  // namespace holdfast::inline v1
