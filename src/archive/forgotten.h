// What is never captured again: whole sessions, and lines wherever they stand. Of a line
// only a salted hash is kept, so that the list does not say what was forgotten.
// Format: docs/formats/archive.md. Thread-safety: plain values.
#pragma once

#include <holdfast/root.h>

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <unordered_set>

#include "archive/capture.h"

namespace holdfast::inline v1 {

// A longer line is never looked up: who wants it forgotten forgets its session.
inline constexpr std::size_t kMaxForgottenLine = std::size_t{16} << 20;

struct ForgottenLines {
  std::string salt = {};  // hex; made with the first line
  std::unordered_set<std::string> hashes = {};
  // They may still be in the archive: what makes them go was begun and not finished.
  bool pending = false;

  std::string hash_of(std::string_view line) const;  // without its end
  bool contains(std::string_view line) const { return !hashes.empty() && hashes.contains(hash_of(line)); }
};

struct Forgotten {
  std::set<CaptureKey> sessions = {};
  ForgottenLines lines = {};
};

// Nothing when there is no list; corrupt, so that nothing is captured, when it cannot be read.
Result<Forgotten> load_forgotten(Directory& directory);
Result<void> save_forgotten(const Context& context, Root& root, const Forgotten& forgotten);

}  // namespace holdfast::inline v1
