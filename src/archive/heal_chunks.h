// Writes damaged chunks again out of other versions of the same files. Of a file that has grown, the chunks after its
// last whole block are cut differently each time, so capturing it again does not write them. Thread-safety: as the
// writer's.
#pragma once

#include "archive/archive_writer.h"

namespace holdfast::inline v1 {

// Heals what it can. Does nothing if no damage is known, or if it was tried in vain and nothing was captured since;
// otherwise reads all of the log.
Result<void> heal_from_other_versions(const Context& context, ArchiveWriter& writer);

}  // namespace holdfast::inline v1
