// Answers in the format of seed 004 (Maestro), for callers that use its names.
#pragma once

#include <holdfast/message.h>

#include <string>
#include <string_view>

#include "api/call.h"

namespace holdfast::inline v1 {

// Added to the parameters of a seed's list: a caller with the seed's parameters has no cursor to send, so it gets all.
inline constexpr std::string_view kWholeList = R"("limit":9007199254740991)";
inline constexpr std::string_view kWholeListAsMaestro = R"("as":"maestro","limit":9007199254740991)";

// Threads with camelCase names, sessions as a SessionRecord, messages as MessageRecords; everything else unchanged.
Result<std::string> as_maestro(Call& call, std::string_view answer);

// The fields of such an answer, in the notation of shape.h.
std::string result_as_maestro(const Operation& operation);

// A MessageRecord on one line: the stored one if the layout has them (`message.raw`), else converted from the
// message. Blocks that are not text are in `blocks`.
std::string maestro_message(const Message& message, std::string_view thread, std::string_view session);

}  // namespace holdfast::inline v1
