// JSON that is nested deeper than kJsonMaxDepth. Nothing here reads inside it, but it is JSON: agents load it, and a
// record that holds such a value must not be treated as damage.
// Thread-safety: pure function. Memory: one bit per level.
#pragma once

#include "text/json_scan.h"

namespace holdfast::inline v1 {

// Like check_json, but never returns too_deep.
JsonCheck check_json_of_any_depth(std::string_view text);

// Runs check_json, then check_json_of_any_depth if that returned too_deep. Sets `deep` to whether it did.
inline JsonCheck check_deep_json(std::string_view text, bool& deep) {
  const JsonCheck check = check_json(text);
  deep = check.fault == JsonFault::too_deep;
  return deep ? check_json_of_any_depth(text) : check;
}

}  // namespace holdfast::inline v1
