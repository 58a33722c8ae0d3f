// Hides secrets in everything that leaves through a door: if a door requests it from dispatch, no answer and no item
// contains secrets, whatever the operation and the format. Thread-safety: pure functions.
#pragma once

#include <holdfast/store.h>

#include <string>

#include "api/operation.h"

namespace holdfast::inline v1 {

// Masks an answer or an item, given as JSON. Examines strings in decoded form, and also text inside base64.
std::string masked(std::string json);

// Masks the bytes of an attachment if they are text: no NUL in the first 8000 bytes, as in git.
std::string masked_bytes(std::string bytes);

// `redact`. An operation that formats messages as anything but JSON, or cuts them, must take it and mask them first:
// an escaped, folded or truncated secret is not recognized later. dispatch sets it if secrets must not leave.
Parameter redact_parameter();

// Also masks the raw record and the bytes of attachments.
void mask(Message& message);
void mask(Transcript& transcript);

}  // namespace holdfast::inline v1
