// The notes in an answer, beside the requested data (decision 54): warnings, corrections, drift, what was
// pruned, findings. People get them on standard error, programs in the answer. Thread-safety: pure functions.
#pragma once

#include <string>
#include <string_view>

#include "text/json_value.h"

namespace holdfast::inline v1 {

// Whether a finding is about one place in a file, even if that is its first byte.
bool has_file_position(JsonView finding);

// Whether that field of the answer is a note. No field is if the answer consists only of notes (store findings).
bool is_note(JsonView answer, std::string_view key);

// The notes, one per line; empty if there are none. Names the first few findings; if many stores were
// searched or counted, only those about data that could not be read.
std::string notes_of(JsonView answer);

}  // namespace holdfast::inline v1
