// Whether lines of the archive's log are missing: the log was cut or lost, or a damaged line was removed from it. What
// the missing lines named cannot be told from what an interrupted capture left, so compact and prune keep all of it.
// Only for the archive of a home, not for what sync keeps. Format: docs/formats/archive.md.
// Thread-safety: as the directory's.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "archive/archive_writer.h"

namespace holdfast::inline v1 {

inline constexpr std::string_view kLogEnd = "log-end.json";
inline constexpr std::string_view kLostLines = "lost_lines";  // the kind of the finding

// What is remembered about the log.
struct LogEnd {
  std::uint64_t bytes = 0;   // its size once; until it is replaced it only grows
  std::string lost_at = {};  // when lines were found to be missing; empty if none are
  bool operator==(const LogEnd&) const = default;
};

// nullopt if nothing readable is there, as in an archive that was made before 0.3.
std::optional<LogEnd> load_log_end(Directory& archive);
Result<void> save_log_end(const Context& context, Root& archive, const LogEnd& end,
                          Durability durability = Durability::power);

// Whether the log is known to lack lines; does not look into the packs.
bool is_log_known_short(Directory& archive);

// What no line names.
struct LostLines {
  std::uint64_t chunks = 0, bytes = 0;
  std::uint64_t log_bytes = 0;  // what is left of the log
};
// nullopt if there is no sign of missing lines. An archive that remembers nothing about its log shows one if the log is
// not there (`had_log` is false), or if a run that ended normally wrote a last chunk that no line names.
Result<std::optional<LostLines>> find_lost_lines(const Context& context, Directory& archive, bool had_log);
Finding lost_lines_finding(const LostLines& lost);

// Every chunk in the packs that no line names, also where a writer would not trust it.
Result<std::map<std::string, ChunkPlace>> chunks_without_line(const Context& context, Directory& archive);

// For a writer that was just opened: records that lines are missing, before anything is added that would hide it, or
// remembers the size of a log of which nothing is remembered.
Result<std::optional<LostLines>> note_lost_lines(const Context& context, ArchiveWriter& writer);
// For a writer that was closed: remembers the size of the log. Lines no longer count as missing once every chunk has
// one.
Result<void> note_log_end(const Context& context, ArchiveWriter& writer);
// Stops keeping what no line names.
Result<void> give_up_lost_lines(const Context& context, ArchiveWriter& writer);

}  // namespace holdfast::inline v1
