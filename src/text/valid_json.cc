#include "text/valid_json.h"

#include "text/json_copy.h"
#include "text/json_scan.h"
#include "text/one_line.h"
#include "text/utf8.h"

namespace holdfast::inline v1 {
std::string valid_json(std::string_view given) {
  JsonWriter out;
  write_valid_json(out, given);
  return out.take();
}

JsonWriter& write_valid_json(JsonWriter& out, std::string_view given, std::string_view fallback) {
  if (given.empty()) return out.raw(fallback);
  const JsonFault fault = check_json(given).fault;
  if (fault != JsonFault::none && fault != JsonFault::bad_utf8) return out.string(given);
  std::string clean;
  if (fault == JsonFault::bad_utf8) {
    append_clean_utf8(clean, given);
    given = clean;
  }
  // Line breaks are escaped inside strings: a raw one is between tokens.
  return is_one_line(given) ? out.raw(given) : out.raw(compact_json(JsonView(given)));
}

}  // namespace holdfast::inline v1
