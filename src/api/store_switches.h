// The settings for redaction, the sync queue and records for operators, which apply to every store:
// $HOLDFAST_REDACT_INPUTS and the like, else `redact_inputs` in the project's
// configuration, else in the user's.
#pragma once

#include "api/configuration.h"

namespace holdfast::inline v1 {

// redact_inputs, redact_outputs, metrics, sync_enabled, sync_redact: true or
// false. log_file, spans_file, sync_directory: a path, relative to the working directory or to the file's directory.
// The message of invalid_argument names the setting and where it was found.
Result<void> read_store_switches(const Configuration& configuration, StoreSettings& settings);

}  // namespace holdfast::inline v1
