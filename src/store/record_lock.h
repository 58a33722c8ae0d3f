// The right to plan and make edits of a store's records, across threads and
// processes. Documents that an edit changes are compared by revision anyway; the
// lock is for rules over records that an edit only looks at, or that are not
// there yet ("one mission is active"). Released on destruction.
#pragma once

#include <holdfast/root.h>

#include <memory>

namespace holdfast::inline v1 {

Result<std::unique_ptr<File>> lock_records(const Context& context, Root& root);

}  // namespace holdfast::inline v1
