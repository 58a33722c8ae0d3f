// session.show as a stream of text: a large session is told while it is read, so
// that it begins at once and memory stays small.
#pragma once

#include <optional>
#include <string>

#include "api/call.h"
#include "transfer/transcript_text.h"

namespace holdfast::inline v1 {

// Bytes of a log from which on its text is told in pieces, with its totals last.
inline constexpr std::uint64_t kLargeSession = std::uint64_t{8} << 20;

// The answer of session.show once its text was told to `call.items`, or nobody read on. Nothing: nothing was told, for
// the session is small, is not one log, cannot be found, or has no message `at`; or it is not wanted as text.
Result<std::optional<std::string>> tell_large_session(const Call& call);

// What the parameters of session.show say about its text.
TextStyle text_style_of(const Call& call);

}  // namespace holdfast::inline v1
