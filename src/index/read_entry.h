// Makes the entry of a session: from its files, or from the previous entry and
// what was appended to its log since.
#pragma once

#include <holdfast/context.h>

#include <functional>

#include "index/session_entry.h"
#include "layout/layout.h"

namespace holdfast::inline v1 {

// Receives the messages of sessions that are read from their start: such sessions are then
// read completely, with every byte checked, and their entries are made along the way.
// Thread-safety: called from several threads, each session by one of them.
class FullReadListener {
 public:
  virtual ~FullReadListener() = default;
  // How to read them. Only what is in the session's own files may be requested.
  virtual Layout::ReadOptions options() const { return {}; }
  virtual void message(Message message) = 0;
  virtual void leaf(std::string_view /*message_id*/) {}
  // end(): the messages reported on this thread since the last end() or forget() are all of this session. forget():
  // they must be dropped.
  virtual void end(const SessionRef& ref, const SessionEntry& entry, const DirectoryFeed& feed) = 0;
  virtual void forget() = 0;
};

struct EntrySource {
  const Context& context;
  const Layout& layout;
  const RootDirectories& roots;
  // Makes a feed that checks the framing of logs, not every byte. Whether it shows
  // backups, or changes that are only in memory (see `kept`), is up to this function.
  std::function<DirectoryFeed()> feed = {};
  bool kept = false;  // the feed shows unwritten changes: nothing may be cached
  FullReadListener* along = nullptr;
  std::function<DirectoryFeed()> checking = {};  // for `along`: a feed that checks everything
};

// `before` is the previous entry, or nullptr. If the old bytes of the log have the same hash, the log is read from
// where it ended; everything else is read from its start. `generation` is a number that was never used before. A
// session that cannot be read to its end, but reported something (such as a header), gets an entry that says so and
// is made again each time. The row has no store, and no project that only the store knows.
Result<SessionEntry> read_entry(const EntrySource& source, const SessionRef& ref, const SessionEntry* before,
                                std::uint64_t generation);

}  // namespace holdfast::inline v1
