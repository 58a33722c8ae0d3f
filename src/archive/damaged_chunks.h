// The list of chunks that are known to be damaged or missing. verify and runs write it; a run rewrites the
// chunks whose bytes an agent still has. Also, which chunks in a missing pack were given up. Format:
// docs/formats/archive.md. Thread-safety: as the directory's.
#pragma once

#include <holdfast/root.h>

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "archive/archive.h"

namespace holdfast::inline v1 {

inline constexpr std::string_view kDamaged = "damaged.json";

// Empty if there is no readable list; verify can recreate it.
std::set<std::string> load_damaged(Directory& archive);
// What was given up stays. Removes the file if there is neither. `healing_tried`: ArchiveWriter::healing_tried().
Result<void> save_damaged(const Context& context, Root& archive, const std::set<std::string>& chunks,
                          std::uint64_t healing_tried = 0);
// What was saved with the list; 0 if there is none.
std::uint64_t load_healing_tried(Directory& archive);

// The chunks that files of captured sessions need and that are in no pack, because a pack is missing or was cut.
Result<std::set<std::string>> missing_chunks(const CaptureState& state, Packs& packs);
// The pieces that any version of these sessions needs and that may come back with a pack: no pack here has them, not
// even damaged, and nobody gave them up.
Result<std::set<std::string>> chunks_away(const Context& context, Directory& archive,
                                          const std::set<CaptureKey>& sessions);
// Gives those pieces up: `forget` does not wait for the pack any more.
Result<void> give_up_chunks_away(const Context& context, Root& archive, const CaptureState& state);
// Names the sessions that need any of these chunks, the first ten.
std::vector<Finding> incomplete_sessions(const CaptureState& state, const std::set<std::string>& chunks);

}  // namespace holdfast::inline v1
