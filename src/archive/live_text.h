// Finds a text in the agents' own files: what the next run would capture, whether or not it is in the archive
// yet, and the copies that rescue kept beside it. Reads every session of the store. Thread-safety: as the store's.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "archive/capture_store.h"
#include "archive/find_text.h"
#include "store/file_store.h"

namespace holdfast::inline v1 {

struct LiveText {
  std::set<CaptureKey> whole = {};              // sessions with the text outside of removable lines
  std::set<CaptureKey> in_lines = {};           // sessions with the text in removable lines, not forgotten yet
  std::unordered_set<std::string> hashes = {};  // of those lines
  std::set<CaptureKey> in_titles = {};          // sessions with the text only in the title or prompt of their row
  std::vector<std::string> files = {};          // absolute paths of files that contain it
  std::vector<Finding> findings = {};           // files that could not be read
};

// Adds to `found`. Skips what `rules` exclude, because it is never captured.
Result<void> find_live_text(const Context& context, FileStore& store, const ArchiveRules& rules, std::string_view text,
                            const ForgottenLines& lines, LiveText& found);

}  // namespace holdfast::inline v1
