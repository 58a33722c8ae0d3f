// JSON that is nested deeper than kJsonMaxDepth. Nothing here reads inside of it, but it is JSON: agents load it, and a
// record that holds such a value must not be taken for damage.
// Thread-safety: pure function. Memory: a bit for each level.
#pragma once

#include "text/json_scan.h"

namespace holdfast::inline v1 {

// As check_json, and never too_deep.
JsonCheck check_json_of_any_depth(std::string_view text);

// check_json, then check_json_of_any_depth where that says too_deep. `deep`: it was asked.
inline JsonCheck check_deep_json(std::string_view text, bool& deep) {
  const JsonCheck check = check_json(text);
  deep = check.fault == JsonFault::too_deep;
  return deep ? check_json_of_any_depth(text) : check;
}

}  // namespace holdfast::inline v1
