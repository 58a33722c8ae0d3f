// Secrets in what is sent become placeholders (decision 21): the record on this
// machine stays as it is. Thread-safety: pure functions.
#pragma once

#include "layout/sync_map.h"

namespace holdfast::inline v1 {

// Whether there was something to hide. A text that lies beside the record gets
// another hash by it, and the record names it by that.
bool redact_payload(SyncPayload& payload);

}  // namespace holdfast::inline v1
