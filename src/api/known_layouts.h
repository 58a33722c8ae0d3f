// The layouts of this build, as doors name them to people. Thread-safety: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace holdfast::inline v1 {

struct KnownLayout {
  std::string_view name;   // "claude-code"
  std::string_view agent;  // "Claude Code"
};

// In the order of the table in layout/layouts.cc.
std::vector<KnownLayout> known_layouts();

// Those whose agents find a session of another agent that is written into their place.
std::vector<std::string_view> layouts_that_take_sessions();

// The agent of a layout; the name itself when there is no such layout.
std::string agent_of(std::string_view layout);

}  // namespace holdfast::inline v1
