// Secrets in a JSON value: looked for in its strings as they read when decoded,
// so that no escape hides one. Only strings that hold one are spelled anew; all
// other bytes stay, and the value stays JSON. Thread-safety: pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace holdfast::inline v1 {

// Whose words a text is (decision 21).
enum class TextSide {
  unknown,  // hidden when either is
  input,    // what people type, arguments of tools, environments, options
  output,   // what models answer, results of tools
};

struct RedactOptions {
  bool inputs = false;
  bool outputs = false;

  bool any() const { return inputs || outputs; }
  bool of(TextSide side) const { return side == TextSide::input ? inputs : side == TextSide::output ? outputs : any(); }
};

// The value with placeholders; nullopt when there is nothing to hide, or when it
// is not JSON. Beside what text.secrets finds, values whose keys say that they
// are secrets go whatever they look like: {"env": {"API_KEY": "x"}}. Parts of it
// that say whose they are ("role", "type") are judged by that, the rest by `side`.
std::optional<std::string> redacted_json(std::string_view json, RedactOptions request = {true, true},
                                         TextSide side = TextSide::unknown);

}  // namespace holdfast::inline v1
