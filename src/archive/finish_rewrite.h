// The end of ArchiveWriter::replace_log, also for a writer that finds it unfinished. Thread-safety: under the archive's
// lock.
#pragma once

#include <holdfast/root.h>

#include <cstdint>
#include <string_view>
#include <vector>

namespace holdfast::inline v1 {

// Records, before the log is replaced, which packs to remove once the log has these bytes.
Result<void> note_rewrite(const Context& context, Root& root, std::string_view log,
                          const std::vector<std::uint32_t>& packs);
// If the log has those bytes, removes the packs. Then removes the note. Does nothing if there is no note.
Result<void> finish_rewrite(const Context& context, Root& root);

}  // namespace holdfast::inline v1
