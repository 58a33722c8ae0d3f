// session.show as text for a door that prints it: a large session is said while it
// is read, so that it begins at once and memory stays small.
#pragma once

#include <holdfast/context.h>

#include <cstdint>
#include <string_view>

#include "api/call.h"
#include "api/stores.h"
#include "transfer/transcript_stream.h"

namespace holdfast::inline v1 {

// Bytes of a log from which on its text is said in pieces, with its totals last.
inline constexpr std::uint64_t kLargeSession = std::uint64_t{8} << 20;

// Answers what is damaged when it was said, or nobody read on. Nothing: nothing was said, and session.show
// answers as ever: the session is small, is not one log, cannot be found, or has no message `at`.
// `params` are those of session.show. No exception leaves.
Result<std::optional<std::vector<Finding>>> show_streamed(const Context& context, Stores& stores,
                                                          std::string_view params, const TextPieces& sink,
                                                          std::uint64_t large = kLargeSession);

// What the parameters of session.show say about its text.
TextStyle text_style_of(const Call& call);

}  // namespace holdfast::inline v1
