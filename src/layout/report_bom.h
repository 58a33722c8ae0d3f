// Reports a byte-order mark at the start of a document: Holdfast skips it, but an agent's JSON.parse rejects it.
#pragma once

#include <string_view>

#include "layout/feed.h"
#include "text/json_scan.h"

namespace holdfast::inline v1 {

inline void report_bom(Feed& feed, const Place& document, std::string_view text) {
  if (without_bom(text).size() != text.size())
    feed.complain(document, 0, "not_json", "it starts with a byte-order mark, so its agent does not load it");
}

}  // namespace holdfast::inline v1
