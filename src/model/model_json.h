// The model as the contract's JSON, and messages back from it.
// Thread-safety: pure functions.
#pragma once

#include <holdfast/error.h>
#include <holdfast/session.h>

#include "text/json_value.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {

void write_session(JsonWriter& json, const Session& session);
void write_message(JsonWriter& json, const Message& message, std::int64_t ordinal);
void write_usage(JsonWriter& json, const Usage& usage);

// A message as callers give it: {"role", "text" | "content" | "blocks", "id",
// "parent", "timestamp", "model", "stop_reason", "usage", "context", "origin"}.
// invalid_argument names the field that is wrong.
Result<Message> message_from_json(JsonView json);
Result<Block> block_from_json(JsonView json);
// Both the model's names and the API's (input_tokens, ...); nullopt unless an object.
std::optional<Usage> usage_from_json(JsonView json);

std::string_view origin_name(Origin origin);
std::optional<Origin> origin_of(std::string_view name);

}  // namespace holdfast::inline v1
