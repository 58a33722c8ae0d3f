// The end of ArchiveWriter::replace_log, for whoever finds it begun. Thread-safety: under the archive's lock.
#pragma once

#include <holdfast/root.h>

#include <cstdint>
#include <string_view>
#include <vector>

namespace holdfast::inline v1 {

// Notes, before the log is replaced, which packs go once its bytes are these.
Result<void> note_rewrite(const Context& context, Root& root, std::string_view log,
                          const std::vector<std::uint32_t>& packs);
// Removes them if the log is that one, and the note. Nothing when there is none.
Result<void> finish_rewrite(const Context& context, Root& root);

}  // namespace holdfast::inline v1
