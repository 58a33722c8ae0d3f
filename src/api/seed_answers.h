// Answers spelled as seed 004 (Maestro) does, for those who call by its names.
#pragma once

#include <holdfast/message.h>

#include <string>
#include <string_view>

#include "api/call.h"

namespace holdfast::inline v1 {

// What a seed's list is always given: a caller with the seed's parameters has no cursor to send, and gets all of it.
inline constexpr std::string_view kWholeList = R"("limit":9007199254740991)";
inline constexpr std::string_view kWholeListAsMaestro = R"("as":"maestro","limit":9007199254740991)";

// Threads with camelCase names, sessions as a SessionRecord, messages as MessageRecords; everything else as it is.
Result<std::string> as_maestro(Call& call, std::string_view answer);

// The fields of such an answer, as shape.h spells them.
std::string result_as_maestro(const Operation& operation);

// A MessageRecord on one line: the one that is stored where the layout has them (`message.raw`), else made of the
// message. Blocks that a text cannot hold are there as `blocks`.
std::string maestro_message(const Message& message, std::string_view thread, std::string_view session);

}  // namespace holdfast::inline v1
