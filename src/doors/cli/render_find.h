// Renders search hits and rows of statistics. Thread-safety: pure functions.
#pragma once

#include <set>
#include <string>
#include <utility>

#include "doors/cli/render.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {

// Grouped by session, with the match marked and the number for `show --at`.
std::string render_hits(JsonView answer, const RenderStyle& style);

// The same, hit by hit.
class HitLines {
 public:
  explicit HitLines(const RenderStyle& style) : style_(style) {}
  std::string of(JsonView hit);
  // Of the hits so far; "" stands for this one.
  const std::set<std::string>& machines() const { return machines_; }
  // Layout and id of the sessions of the hits so far.
  const std::set<std::pair<std::string, std::string>>& sessions() const { return sessions_; }

 private:
  RenderStyle style_;
  std::string session_;  // of the previous hit
  std::set<std::string> machines_;
  std::set<std::pair<std::string, std::string>> sessions_;
};

// A table with a bar for the output tokens.
std::string render_stats(JsonView answer, const RenderStyle& style);

}  // namespace holdfast::inline v1
