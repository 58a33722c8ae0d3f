// The name of a session, the same on every machine. Plain values.
#pragma once

#include <compare>
#include <map>
#include <string>

namespace holdfast::inline v1 {

struct SessionName {
  std::string layout = {}, id = {};
  auto operator<=>(const SessionName&) const = default;
};

// Maps each session that was handed off to the one it came from.
using HandOffs = std::map<SessionName, SessionName>;

}  // namespace holdfast::inline v1
