// Captured sessions as the policy `redacted` tells them: read as their agent's, out of the archive.
// Lifetime: the settings of the stores outlive it. Thread-safety: one thread.
#pragma once

#include "api/call.h"
#include "sync/redacted_sessions.h"

namespace holdfast::inline v1 {

RedactSession redact_captured(const Call& call);

}  // namespace holdfast::inline v1
