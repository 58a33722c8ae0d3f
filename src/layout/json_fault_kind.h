// The name that `verify` uses for what is wrong with a text that should be one JSON value.
// Thread-safety: pure functions.
#pragma once

#include <string_view>

#include "text/json_scan.h"

namespace holdfast::inline v1 {

// `check` must not be ok.
inline std::string_view json_fault_kind(std::string_view text, const JsonCheck& check) {
  if (check.at < text.size() && text[check.at] == '\0') return "nul";
  switch (check.fault) {
    case JsonFault::empty:
    case JsonFault::unterminated: return "torn";
    case JsonFault::trailing: return "glued";
    case JsonFault::bad_utf8: return "bad_utf8";
    default: return "not_json";
  }
}

}  // namespace holdfast::inline v1
