// The power to write sessions: a layout that has it answers with Changes and
// lines, which the engine carries out. What a layout cannot do of it is refused
// as `unsupported`, by name.
#pragma once

#include <holdfast/draft.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "layout/change.h"
#include "layout/layout.h"
#include "layout/moment.h"

namespace holdfast::inline v1 {

struct NewSession {
  SessionRef ref;
  Changes changes;  // all or none
};

// The lines of one append, and what has to be durable before them.
struct Spelling {
  std::vector<std::string> lines;  // usually one; more when a header goes first
  std::string id;                  // of the message
  // A message that is a file of its own (MessageFiles); of a line, what
  // LineWriter::beside has told of before, if the layout says it again.
  Changes first;
};

// Spells the messages of one session. One thread at a time; the engine keeps it
// as long as the session is open for writing.
class LineWriter {
 public:
  virtual ~LineWriter() = default;
  virtual Place log() const = 0;
  // True when the line names the message before it and the draft does not: the
  // engine then passes the last record of the log, read under the log's lock.
  virtual bool wants_last(const Message& draft) const = 0;
  // What the line will only refer to (blobs, spilled outputs) and where it goes. The
  // engine makes it durable before it takes the log's lock; the draft, which may be
  // changed to name it, is spelled after that.
  virtual Result<Changes> beside(Message& draft) = 0;
  // Whether the record says what the next message follows. One that does not is passed over: the next message
  // follows the last record that does (log_end.h).
  virtual bool tells_end(std::string_view /*record*/) const { return true; }
  // `last`: the log's last record that tells the end, empty for an empty log or when not wanted.
  virtual Result<Spelling> spell(const Message& draft, std::string_view last, const Moment& moment) = 0;
  // Files that the draft names and that must be there already.
  virtual std::vector<Place> refers_to(const Message& /*draft*/) const { return {}; }
  // The id of the message that a record of the log is; empty: it is none, or has none.
  virtual std::string id_in(std::string_view record) const = 0;
  // A line given verbatim; checked, and stamped where the layout insists (O01).
  virtual Result<Spelling> spell_raw(std::string_view line, std::string_view last, const Moment& moment) = 0;
};

class WritableLayout : public Layout {
 public:
  const WritableLayout* writer() const final { return this; }

  // What a new store of this layout begins with; nothing for most.
  virtual Result<Changes> found(Feed& /*feed*/, const Moment& /*moment*/) const { return Changes(); }

  // Members of the draft that are given and have no place in this layout, by name. The engine refuses them, and an
  // import says that it left them out: create() may ignore them.
  virtual std::vector<std::string> cannot_keep(const SessionDraft& /*draft*/) const { return {}; }
  // What the session was made with, as far as Session does not tell: model, agent, provider.
  virtual Result<SessionDraft> made_with(Feed& /*feed*/, const SessionRef& /*ref*/) const { return SessionDraft(); }
  virtual Result<NewSession> create(Feed& feed, const SessionDraft& draft, const Moment& moment) const;
  // Never asked of a layout with message_files().
  virtual Result<std::unique_ptr<LineWriter>> line_writer(Feed& feed, const SessionRef& ref) const;
  virtual Result<Changes> update(Feed& feed, const SessionRef& ref, const SessionPatch& patch,
                                 const Moment& moment) const;
  virtual Result<Changes> remove(Feed& feed, const SessionRef& ref) const;
  // A session of its own with the messages up to and including `draft.parent->message`.
  virtual Result<NewSession> fork(Feed& feed, const SessionRef& from, const SessionDraft& draft,
                                  const Moment& moment) const;
  // Moves a session to the folder of a project (empty: the one that it names itself).
  virtual Result<Changes> regroup(Feed& feed, const SessionRef& ref, std::string_view project,
                                  const Moment& moment) const;

  // A header on the first line of a log (decision 12): what it should be by now,
  // with what the side folder holds of it; `after` is due once it is written.
  // nullopt: this log has no such line.
  struct HeaderLine {
    Place log;
    std::string before;  // the line as it is
    std::string line;
    Changes after;
  };
  virtual Result<std::optional<HeaderLine>> header_line(Feed& /*feed*/, const SessionRef& /*ref*/,
                                                        bool /*without_secrets*/) const {
    return std::nullopt;
  }
};

// For those that plan a change; `unsupported` where nothing is ever written.
Result<const WritableLayout*> writer_of(const Layout& layout);

}  // namespace holdfast::inline v1
