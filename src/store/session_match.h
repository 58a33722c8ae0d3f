// Which session of a store an id or a prefix of one names. Thread-safety: as Layout.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "layout/layout.h"

namespace holdfast::inline v1 {

struct SessionMatch {
  std::optional<SessionRef> ref = {};  // when it is one
  std::size_t count = 0;               // sessions that are meant: several when they only begin so
  std::vector<std::string> ids = {};   // the first of those that only begin so
};

// Whether `text` is short for `id` where something is changed: it begins so, and does not end in a number of which `id`
// only has more digits. With session-1 gone, session-1 must not become session-10.
bool abbreviates(std::string_view text, std::string_view id);

// People may abbreviate: to look (prefix), and with more care to change something (sure_prefix). The engine takes whole
// ids for changes: a session that goes between the look and the change must not be taken for another.
enum class Naming { whole, sure_prefix, prefix };

// Looks at names; reads no session. An id that is whole wins over those that begin with it. Without `ref`, `count` is
// how many begin so, whichever naming was asked for.
Result<SessionMatch> match_session(const Layout& layout, Feed& feed, std::string_view id, Naming naming);

// not_found that names the first of `candidates`, one a line.
Error ambiguous_session(std::string_view id, std::size_t count, const std::vector<std::string>& candidates,
                        const std::string& store = {});

// not_found: there is none, or more than one.
Error not_one_session(const SessionMatch& match, std::string_view id, const std::string& store);

}  // namespace holdfast::inline v1
