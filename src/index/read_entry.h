// Making the entry of a session: from its files, or from what was known and what
// its log has grown by since.
#pragma once

#include <holdfast/context.h>

#include <functional>

#include "index/session_entry.h"
#include "layout/layout.h"

namespace holdfast::inline v1 {

// Takes the messages of sessions that are read from their start: those are read
// whole then, every byte of them checked, and their entries are made on the way.
// Thread-safety: called from several threads, each session by one of them.
class ReadAlong {
 public:
  virtual ~ReadAlong() = default;
  virtual void message(const Message& message) = 0;
  // What this thread was told since the last end is all of this session; or it is to be forgotten.
  virtual void end(const SessionRef& ref, const SessionEntry& entry, const DirectoryFeed& feed) = 0;
  virtual void forget() = 0;
};

struct EntrySource {
  const Context& context;
  const Layout& layout;
  const RootDirectories& roots;
  // Makes a feed that looks at the framing of logs; one that shows what is kept in
  // memory only, or a backup, must say so itself.
  std::function<DirectoryFeed()> feed = {};
  bool kept = false;  // it shows what is not written: nothing may be remembered
  ReadAlong* along = nullptr;
  std::function<DirectoryFeed()> checking = {};  // for it: a feed that checks everything
};

// `before`: what was known last, or nullptr. A log whose old bytes hash the same is
// read from where it ended; everything else from its start. `generation`: a number
// that was never used before. A session that cannot be read to its end, but has said something
// (a header of its own), has an entry that says so and is made anew each time. The row has no store, and no project
// that only the store knows.
Result<SessionEntry> read_entry(const EntrySource& source, const SessionRef& ref, const SessionEntry* before,
                                std::uint64_t generation);

}  // namespace holdfast::inline v1
