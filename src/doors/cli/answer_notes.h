// What an answer says beside the data that was asked for (decision 54): warnings, corrections, drift, what was pruned,
// findings. People read it on standard error, programs in the answer. Thread-safety: pure functions.
#pragma once

#include <string>
#include <string_view>

#include "text/json_value.h"

namespace holdfast::inline v1 {

// Whether a finding is about one place of a file, also when that is its first byte.
bool is_at_a_place(JsonView finding);

// Whether that field of the answer is such a note. None is where notes are all that was asked for (store findings).
bool is_note(JsonView answer, std::string_view key);

// The notes, a line each; empty when there are none. Of findings the first few are named; where many stores are
// searched or counted, only those that say what could not be read.
std::string notes_of(JsonView answer);

}  // namespace holdfast::inline v1
