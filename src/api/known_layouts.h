// The layouts of this build, with names for people. Thread-safety: pure functions.
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

// The layouts whose agents find a session of another agent once it is written into their place, without an import.
std::vector<std::string_view> handoff_target_layouts();

// The agent of a layout; the name itself if there is no such layout.
std::string agent_of(std::string_view layout);

}  // namespace holdfast::inline v1
