// The rules of kinds of records, whoever edits them: one mission of a project is active at a time (G05),
// an initiative goes through its states (W08), a state file is of its type. Thread-safety: pure function.
#pragma once

#include <holdfast/store.h>

#include <span>

namespace holdfast::inline v1 {

// invalid_argument, with what the rule says, for edits that break one. `look`: the records as they are.
Result<void> check_record_rules(const Store::Look& look, std::span<const RecordEdit> edits);

}  // namespace holdfast::inline v1
