// Describes what damage in a log means to its reader. Thread-safety: pure function.
#pragma once

#include <holdfast/log_reader.h>

#include <string>

namespace holdfast::inline v1 {

// `salvaged` is the number of whole records found in the damaged place.
inline std::string describe_damage(DamageKind kind, std::uint32_t salvaged) {
  const std::string what = [&]() -> std::string {
    switch (kind) {
      case DamageKind::torn: return "a record that ends in the middle";
      case DamageKind::glued: return "several records, or a piece of one, on one line";
      case DamageKind::nul: return "NUL bytes, as left by a power loss";
      case DamageKind::bad_utf8: return "bytes that are not UTF-8";
      case DamageKind::not_json: return "a line that is not a JSON object";
      case DamageKind::too_long: return "a line over the limit";
      case DamageKind::too_deep: return "a record that is nested deeper than 1,024 levels";
    }
    return "damage";
  }();
  if (kind == DamageKind::bad_utf8) return what + "; the record is still read";
  if (kind == DamageKind::too_deep) return what + "; data after that place may not be shown";
  if (salvaged == 0) return what + "; left out";
  return what + (salvaged == 1 ? "; one whole record in it is read"
                               : "; " + std::to_string(salvaged) + " whole records in it are read");
}

}  // namespace holdfast::inline v1
