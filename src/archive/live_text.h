// Where the agents' own files hold a text: what the next run would capture, whether or not one has captured it yet.
// Reads every session of the store. Thread-safety: as the store's.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "archive/capture_store.h"
#include "archive/find_text.h"
#include "store/file_store.h"

namespace holdfast::inline v1 {

struct LiveText {
  std::set<CaptureKey> whole = {};              // sessions that hold it in no line that could go alone
  std::unordered_set<std::string> hashes = {};  // of the lines that hold it elsewhere
  std::vector<std::string> files = {};          // that hold it; absolute
  std::vector<Finding> findings = {};           // files that could not be read
};

// Adds to `found`. What `rules` exclude is not read: it is never captured.
Result<void> find_live_text(const Context& context, FileStore& store, const ArchiveRules& rules, std::string_view text,
                            const ForgottenLines& lines, LiveText& found);

}  // namespace holdfast::inline v1
