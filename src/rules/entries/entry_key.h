// The names of a stream of entries, and its location (docs/formats/holdfast.md, "Entries"). Names are opaque to
// Holdfast: in file names they appear only as letters and a hash. Thread-safety: pure functions.
#pragma once

#include <holdfast/error.h>

#include <string>
#include <string_view>

namespace holdfast::inline v1 {

struct EntryKey {
  std::string project = {};
  std::string session = {};
  std::string stream = {};  // empty: the main stream
};

// Fails with invalid_argument if a name is missing or too long.
Result<void> check_entry_key(const EntryKey& key);

std::string entry_project_folder(std::string_view project);
std::string entry_session_folder(const EntryKey& key);
std::string entry_log_path(const EntryKey& key);

inline constexpr std::string_view kEntryFolder = "entries";
inline constexpr std::string_view kMainEntries = "main.jsonl";
bool is_entry_log(std::string_view name);

}  // namespace holdfast::inline v1
