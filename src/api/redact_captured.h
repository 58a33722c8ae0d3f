// Redacts captured sessions for the policy `redacted`: reads them from the archive with the agent's layout.
// Lifetime: the settings of the stores must outlive it. Thread-safety: one thread.
#pragma once

#include "api/call.h"
#include "sync/redacted_sessions.h"

namespace holdfast::inline v1 {

RedactSession redact_captured(const Call& call);

}  // namespace holdfast::inline v1
