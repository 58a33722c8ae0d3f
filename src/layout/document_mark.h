// A byte-order mark in front of a document: Holdfast reads over it, JSON.parse of an agent does not.
#pragma once

#include <string_view>

#include "layout/feed.h"
#include "text/json_scan.h"

namespace holdfast::inline v1 {

inline void complain_of_mark(Feed& feed, const Place& document, std::string_view text) {
  if (without_bom(text).size() != text.size())
    feed.complain(document, 0, "not_json", "it starts with a byte-order mark, so its agent does not load it");
}

}  // namespace holdfast::inline v1
