// Prints the list of sessions while it is made.
#pragma once

#include <functional>
#include <string_view>

#include "api/listed_sessions.h"
#include "doors/cli/render.h"

namespace holdfast::inline v1 {

struct ListStyle {
  bool json = false;   // the answer of session.list and a newline
  bool names = false;  // only names, each followed by a NUL
  RenderStyle render = {};
};

using OutputSink = std::function<bool(std::string_view text)>;

// Passes the text to `write` in pieces until it returns false. Throws no exception.
Result<void> print_sessions(const ListedSessions& sessions, const ListStyle& style, const OutputSink& write);

}  // namespace holdfast::inline v1
