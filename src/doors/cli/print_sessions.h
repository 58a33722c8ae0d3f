// The list of sessions, written while it is made.
#pragma once

#include <functional>
#include <string_view>

#include "api/listed_sessions.h"
#include "doors/cli/render.h"

namespace holdfast::inline v1 {

struct ListStyle {
  bool json = false;   // the answer of session.list and a line end
  bool names = false;  // only names, each with a NUL behind it
  RenderStyle render = {};
};

using TakeText = std::function<bool(std::string_view text)>;

// `write` takes the text in pieces; false: nobody reads on. No exception leaves.
Result<void> print_sessions(const ListedSessions& sessions, const ListStyle& style, const TakeText& write);

}  // namespace holdfast::inline v1
