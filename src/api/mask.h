// Secrets in what leaves the house, hidden in one place: a door that asks dispatch for it gets every answer and every
// item without them, whatever the operation and the format. Thread-safety: pure functions.
#pragma once

#include <holdfast/store.h>

#include <string>

#include "api/operation.h"

namespace holdfast::inline v1 {

// An answer or an item, JSON. Strings are judged as they read when decoded; so is text inside base64.
std::string masked(std::string json);

// The bytes of an attachment. Text is told by its content, as git does: no NUL among its first 8000 bytes.
std::string masked_bytes(std::string bytes);

// `redact`. An operation that spells messages as anything but JSON, or cuts them, takes it and masks them first: what
// is escaped, folded or half there looks like no secret afterwards. dispatch sets it where secrets must not leave.
Parameter redact_parameter();

// The record as it is stored and bytes of attachments are part of it.
void mask(Message& message);
void mask(Transcript& transcript);

}  // namespace holdfast::inline v1
