// Replaces secrets in what is sent with placeholders (decision 21); the record on this
// machine stays unchanged. Thread-safety: pure functions.
#pragma once

#include "layout/sync_map.h"

namespace holdfast::inline v1 {

// Returns whether anything was hidden. Redaction changes the hash of an attached text;
// the record is updated to refer to the new hash.
bool redact_payload(SyncPayload& payload);

}  // namespace holdfast::inline v1
