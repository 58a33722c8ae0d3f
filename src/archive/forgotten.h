// What must never be captured again: whole sessions, and lines wherever they occur. For
// a line only a salted hash is kept, so the list does not reveal it.
// Format: docs/formats/archive.md. Thread-safety: plain values.
#pragma once

#include <holdfast/root.h>

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_set>

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

// Empty if there is no list. Fails with corrupt if the list cannot be read, so that nothing is captured.
Result<Forgotten> load_forgotten(Directory& directory);
Result<void> save_forgotten(const Context& context, Root& root, const Forgotten& forgotten);
// Pieces that no line of the log names may be what was forgotten, in a pack that was put back. nullopt if there are
// none, or if nothing is forgotten.
Result<std::optional<Finding>> pieces_after_forgetting(const Context& context, Directory& directory);

}  // namespace holdfast::inline v1
