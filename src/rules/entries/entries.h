// Entries: JSON objects of somebody else, kept verbatim and in order under (project, session, stream), for programs
// that bring their own idea of a session (docs/guides/libraries.md). A write is one line of one log, so it is durable
// and visible whole or not at all. Natively only: `unsupported` on other layouts.
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
  // Of a replacement: the entries at the end of the stream that these take the place of; conflict when others are.
  std::optional<std::vector<std::string>> expected = {};
  // Applied at most once: the same write again answers `applied` false, another one is already_exists.
  std::string operation = {};
  std::string summary = {};               // any JSON; takes the place of the one before, in the same commit
  std::optional<std::string> after = {};  // a version, empty for none yet: conflict when the stream has another one
};

struct EntryWritten {
  bool applied = false;        // false: it was there already
  std::size_t appended = 0;    // entries that are new
  std::size_t duplicates = 0;  // entries whose uuid is there
  std::size_t total = 0;
  std::string version = {};
  std::int64_t mtime = 0;  // milliseconds since 1970
};

// A write of nothing (no entries, operation or summary) makes nothing; it says how the stream stands.
// Whether write_entries would refuse it as the stream is now; `store` may be nullptr: there is none yet.
Result<void> check_entries(const Context& context, Store* store, const EntryKey& key, const EntryWrite& write);
Result<EntryWritten> write_entries(const Context& context, Store& store, const EntryKey& key, const EntryWrite& write);

struct EntryStream {
  bool written = false;  // false: nobody ever wrote to it
  std::vector<std::string> entries = {};
  std::string summary = {};  // JSON; empty: none
  std::string version = {};
  std::int64_t mtime = 0;
  std::vector<Finding> findings = {};
};
Result<EntryStream> load_entries(const Context& context, Store& store, const EntryKey& key);

struct EntrySession {
  std::string session = {};
  std::int64_t mtime = 0;
  std::string summary = {};  // JSON; only where it was asked for
};
struct EntrySessions {
  std::vector<EntrySession> sessions = {};  // newest first
  std::vector<Finding> findings = {};
};
// Those with a main stream.
Result<EntrySessions> list_entry_sessions(const Context& context, Store& store, const std::string& project,
                                          bool with_summaries);

// Names of a session's streams, without the main one; in order.
Result<std::vector<std::string>> list_entry_streams(const Context& context, Store& store, const EntryKey& key);

// The stream; of the main one all streams of the session. False: there was nothing. For good: it does not go to the
// trash.
Result<bool> delete_entries(const Context& context, Store& store, const EntryKey& key);

}  // namespace holdfast::inline v1
