// Entries: JSON objects of other programs, stored verbatim and in order under (project, session, stream), for
// programs with their own notion of a session (docs/guides/libraries.md). A write is one line of one log, so it
// becomes durable and visible as a whole or not at all. Native layout only: `unsupported` on other layouts.
// Durability: power when a call that writes returns. Thread-safety: as Store; any number of processes.
#pragma once

#include <holdfast/store.h>

#include <optional>
#include <string>
#include <vector>

#include "rules/entries/entry_key.h"

namespace holdfast::inline v1 {

struct EntryWrite {
  std::vector<std::string> entries = {};  // JSON objects
  // For a replacement: the entries at the end of the stream to replace; conflict if the stream ends with others.
  std::optional<std::vector<std::string>> expected = {};
  // Applied at most once: repeating the same write sets `applied` to false, a different write is already_exists.
  std::string operation = {};
  std::string summary = {};               // any JSON; replaces the previous summary in the same commit
  std::optional<std::string> after = {};  // a version, empty for none yet: conflict if the stream has another one
};

struct EntryWriteResult {
  bool applied = false;        // false: the write was there already
  std::size_t appended = 0;    // new entries
  std::size_t duplicates = 0;  // entries whose uuid was there already
  std::size_t total = 0;
  std::string version = {};
  std::int64_t mtime = 0;  // milliseconds since 1970
};

// A write of nothing (no entries, operation or summary) changes nothing and returns the state of the stream.
Result<EntryWriteResult> write_entries(const Context& context, Store& store, const EntryKey& key,
                                       const EntryWrite& write);

struct EntryStream {
  bool written = false;  // false: never written to
  std::vector<std::string> entries = {};
  std::string summary = {};  // JSON; empty if none
  std::string version = {};
  std::int64_t mtime = 0;
  std::vector<Finding> findings = {};
};
Result<EntryStream> load_entries(const Context& context, Store& store, const EntryKey& key);

struct EntrySession {
  std::string session = {};
  std::int64_t mtime = 0;
  std::string summary = {};  // JSON; only if requested
};
struct EntrySessions {
  std::vector<EntrySession> sessions = {};  // newest first
  std::vector<Finding> findings = {};
};
// Lists the sessions with a main stream.
Result<EntrySessions> list_entry_sessions(const Context& context, Store& store, const std::string& project,
                                          bool with_summaries);

// Returns the names of a session's streams, sorted, without the main one.
Result<std::vector<std::string>> list_entry_streams(const Context& context, Store& store, const EntryKey& key);

// Deletes the stream; for the main one, all streams of the session. Returns false if there was nothing. Permanent:
// entries do not go to the trash.
Result<bool> delete_entries(const Context& context, Store& store, const EntryKey& key);

}  // namespace holdfast::inline v1
