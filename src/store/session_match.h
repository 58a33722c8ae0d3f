// Finds the session of a store that an id or a prefix of one names. Thread-safety: that of Layout.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "layout/layout.h"

namespace holdfast::inline v1 {

struct SessionMatch {
  std::optional<SessionRef> ref = {};  // set if exactly one matches
  std::size_t count = 0;               // number of matches: several if `id` is only a prefix
  std::vector<std::string> ids = {};   // the first ids that have it as a prefix
};

// True if `text` may abbreviate `id` in a change: it is a prefix, and does not end in a number that `id` merely
// continues with more digits. With session-1 gone, session-1 must not become session-10.
bool abbreviates(std::string_view text, std::string_view id);

// People may abbreviate: freely to read (prefix), more strictly to change something (sure_prefix). The engine requires
// whole ids for changes: if a session goes away between the lookup and the change, another one must not be taken for
// it.
enum class Naming { whole, sure_prefix, prefix };

// Reads names only, no session. A whole id wins over ids that it is a prefix of. Without `ref`, `count` is the number
// of ids with that prefix, whichever naming was asked for. An id that is `overlooked` matches only if no other does.
Result<SessionMatch> match_session(const Layout& layout, Feed& feed, std::string_view id, Naming naming,
                                   const std::function<bool(std::string_view id)>& overlooked = {});

// A not_found error that lists the first of `candidates`, one per line.
Error ambiguous_session(std::string_view id, std::size_t count, const std::vector<std::string>& candidates,
                        const std::string& store = {});

// A not_found error: there is none, or more than one.
Error session_match_error(const SessionMatch& match, std::string_view id, const std::string& store);

}  // namespace holdfast::inline v1
