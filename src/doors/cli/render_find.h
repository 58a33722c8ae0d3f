// Hits of a search and rows of statistics for people. Thread-safety: pure functions.
#pragma once

#include <string>

#include "doors/cli/render.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {

// Grouped by session, the match marked, the number that `show --at` takes.
std::string render_hits(JsonView answer, const RenderStyle& style);

// The same, hit by hit.
class HitLines {
 public:
  explicit HitLines(const RenderStyle& style) : style_(style) {}
  std::string of(JsonView hit);

 private:
  RenderStyle style_;
  std::string session_;  // of the hit before
};

// A table with a bar for the tokens that came out.
std::string render_stats(JsonView answer, const RenderStyle& style);

}  // namespace holdfast::inline v1
