// What must never be captured again: whole sessions, and lines wherever they occur. For
// a line only a salted hash is kept, so the list does not reveal it. The log repeats the list in
// lines before its captures, so that either of the two may be lost or replaced by an older one.
// Format: docs/formats/archive.md. Thread-safety: plain values.
#pragma once

#include <holdfast/root.h>

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "archive/capture.h"

namespace holdfast::inline v1 {

// Longer lines are never looked up; to forget one, forget its session.
inline constexpr std::size_t kMaxForgottenLine = std::size_t{16} << 20;

struct ForgottenLines {
  std::string salt = {};  // hex; created with the first line
  std::unordered_set<std::string> hashes = {};
  // The lines may still be in the archive: their removal was started and not finished.
  bool pending = false;

  std::string hash_of(std::string_view line) const;  // `line` without its newline
  bool contains(std::string_view line) const { return !hashes.empty() && hashes.contains(hash_of(line)); }
};

struct Forgotten {
  std::set<CaptureKey> sessions = {};
  // Those of them whose removal was started and not finished: from the archive, or of what belongs to them elsewhere.
  std::set<CaptureKey> unfinished = {};
  ForgottenLines lines = {};
};

// What the list and the log know together. Fails with corrupt if the list cannot be read, or is that of another
// archive, so that nothing is captured.
struct KnownForgotten {
  Forgotten all = {};
  bool list_is_older = false;  // it lacks something that the log has: it was lost, or an older one was put back
  // The log lacks something that was removed from the archive. That is unfinished now, because an older log names it.
  bool log_is_older = false;
  // The same of a log that Holdfast before 0.3 wrote, which did not repeat the list. Nothing is wrong then.
  bool log_never_had_it = false;
};
Result<KnownForgotten> load_known_forgotten(const Context& context, Directory& archive);
Result<Forgotten> load_forgotten(const Context& context, Directory& archive);
// For readers; a run mends both.
std::vector<Finding> forgotten_findings(const KnownForgotten& known);

Result<void> save_forgotten(const Context& context, Root& root, const Forgotten& forgotten);
bool is_forgotten_line(std::string_view line);
std::vector<std::string> lines_for_log(const Forgotten& forgotten);

// Pieces that no line of the log names may be what was forgotten, in a pack that was put back. nullopt if there are
// none, or if nothing is forgotten.
Result<std::optional<Finding>> pieces_after_forgetting(const Context& context, Directory& directory);

}  // namespace holdfast::inline v1
