// Writes the model as the contract's JSON, and reads messages from it.
// Thread-safety: pure functions.
#pragma once

#include <holdfast/error.h>
#include <holdfast/session.h>

#include <optional>

#include "model/message_view.h"
#include "text/json_value.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {

// How to write images, documents and audio: only the name of their bytes, or all of them.
enum class MediaData { blob, base64 };

void write_session(JsonWriter& json, const Session& session);
// `estimated` is the cost in US dollars computed from prices, if none was recorded.
void write_message(JsonWriter& json, const Message& message, std::int64_t ordinal, MediaData media = MediaData::blob,
                   std::optional<double> estimated = {});
// With the view's ordinal.
void write_message(JsonWriter& json, const MessageView& message, MediaData media = MediaData::blob,
                   std::optional<double> estimated = {});
void write_usage(JsonWriter& json, const Usage& usage);

// Reads a message as callers give it: ours, one of Anthropic, an item of OpenAI's Responses, a UI message of Vercel, a
// record of Maestro (docs/api.md, message.append). Every member is understood, kept in `extra`, or refused:
// invalid_argument names the wrong one. Only what reading adds (docs/formats/messages.md) is ignored.
Result<Message> message_from_json(JsonView json);
// As stored: our names or those of the API (input_tokens, …); nullopt unless an object.
std::optional<Usage> usage_from_json(JsonView json);

std::string_view origin_name(Origin origin);
std::optional<Origin> origin_of(std::string_view name);

}  // namespace holdfast::inline v1
