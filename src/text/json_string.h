// The JSON string token: from bytes to text and back.
// Thread-safety: pure functions. Safe on any bytes.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace holdfast::inline v1 {

// The text of one string token, quotes included in `token`; nullopt when it is
// not one whole token. Lone surrogate escapes and bytes that are not UTF-8
// become U+FFFD in this copy, so the answer is always valid UTF-8.
std::optional<std::string> decode_json_string(std::string_view token);

// Whether the token stands for exactly `text`. A token that holds a lone
// surrogate stands for no text and equals nothing, not even U+FFFD: two
// different broken keys must never be taken for one.
bool json_string_equals(std::string_view token, std::string_view text);

// Whether a token of valid UTF-8 stands for a text: it holds no half of a surrogate
// pair, which no UTF-8 can hold.
bool json_string_is_text(std::string_view token);

// Appends `text` as a token, in quotes. Escaped: quote, backslash, controls
// below 0x20, and U+0085, U+2028, U+2029, U+FEFF, which some readers take for
// line ends or drop. Every byte that is not UTF-8 becomes U+FFFD: check the
// text with utf8_fault first where that loss matters.
void append_json_string(std::string& out, std::string_view text);

}  // namespace holdfast::inline v1
