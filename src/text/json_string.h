// The JSON string token: from bytes to text and back.
// Thread-safety: pure functions. Safe on any bytes.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace holdfast::inline v1 {

// Decodes one string token, quotes included in `token`; nullopt if it is not one whole
// token. Lone surrogate escapes and bytes that are not UTF-8 become U+FFFD in this
// copy, so the result is always valid UTF-8.
std::optional<std::string> decode_json_string(std::string_view token);

// Whether the token decodes to exactly `text`. A token with a lone surrogate equals
// nothing, not even U+FFFD: two different broken keys must never be treated as one.
bool json_string_equals(std::string_view token, std::string_view text);

// Whether a token of valid UTF-8 decodes without loss: it contains no lone surrogate,
// which UTF-8 cannot represent.
bool json_string_is_text(std::string_view token);

// Appends `text` as a quoted token. Escapes quote, backslash, controls below 0x20, and
// U+0085, U+2028, U+2029, U+FEFF, which some readers treat as line ends or drop. Every
// byte that is not UTF-8 becomes U+FFFD: check the text with utf8_fault first if that
// loss matters.
void append_json_string(std::string& out, std::string_view text);

// Whether append_json_string appends exactly this token for the text that it decodes to, as for nearly all tokens.
bool is_own_json_token(std::string_view token);

}  // namespace holdfast::inline v1
