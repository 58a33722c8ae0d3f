// Secrets in a JSON value: searches its decoded strings, so no escape hides one.
// Rewrites only strings that contain a secret; all other bytes stay, and the value
// stays JSON. Thread-safety: pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace holdfast::inline v1 {

// Where a text comes from (decision 21).
enum class TextSide {
  unknown,  // redacted if inputs or outputs are
  input,    // what people type, tool arguments, environments, options
  output,   // what models answer, tool results
};

struct RedactOptions {
  bool inputs = false;
  bool outputs = false;

  bool any() const { return inputs || outputs; }
  bool of(TextSide side) const { return side == TextSide::input ? inputs : side == TextSide::output ? outputs : any(); }
};

// Returns the value with placeholders; nullopt if there is nothing to hide or it is not
// JSON. In addition to what text.secrets finds, hides every value whose key names a
// secret: {"env": {"API_KEY": "x"}}. Parts that state their origin ("role", "type") are
// judged by that, the rest by `side`.
std::optional<std::string> redacted_json(std::string_view json, RedactOptions request = {true, true},
                                         TextSide side = TextSide::unknown);

}  // namespace holdfast::inline v1
