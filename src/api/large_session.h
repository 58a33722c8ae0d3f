// session.show as a stream of text: a large session is shown while it is read, so
// output begins at once and memory stays small.
#pragma once

#include <optional>
#include <string>

#include "api/call.h"
#include "transfer/transcript_text.h"

namespace holdfast::inline v1 {

// From this size of a log in bytes, its text is shown in pieces, with its totals last.
inline constexpr std::uint64_t kLargeSession = std::uint64_t{8} << 20;

// Passes the text to `call.items` until the end or until it returns false; returns the answer of session.show. Returns
// nullopt, with nothing passed, if the session is small, is not one log, cannot be found or has no message `at`, or if
// the call does not want text.
Result<std::optional<std::string>> stream_large_session(const Call& call);

// The text style that the parameters of session.show request.
TextStyle text_style_of(const Call& call);

}  // namespace holdfast::inline v1
