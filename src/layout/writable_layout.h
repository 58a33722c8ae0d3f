// Optional interface of a layout that can write sessions: it returns Changes and lines,
// which the engine carries out. An operation that a layout does not support fails with
// `unsupported` and names it.
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

// The lines of one append, and what must be durable before them.
struct Spelling {
  std::vector<std::string> lines;  // usually one; more if a header goes first
  std::string id;                  // of the message
  // A message that is a file of its own (MessageFiles). For a line: what
  // LineWriter::beside has already returned, if the layout repeats it.
  Changes first;
};

// Formats the messages of one session. Used by one thread at a time; the engine keeps
// it as long as the session is open for writing.
class LineWriter {
 public:
  virtual ~LineWriter() = default;
  virtual Place log() const = 0;
  // Returns true if the line names the previous message and the draft does not: the
  // engine then passes the last record of the log, read under the log's lock.
  virtual bool needs_last_record(const Message& draft) const = 0;
  // Returns what the line will only refer to (blobs, spilled outputs), and may change
  // the draft to name it. The engine makes the changes durable before it takes the
  // log's lock, and calls spell() after that.
  virtual Result<Changes> beside(Message& draft) = 0;
  // Whether the record determines what the next message follows. Records that do not are skipped: the next
  // message follows the last record that does (log_end.h).
  virtual bool marks_end(std::string_view /*record*/) const { return true; }
  // `last` is the log's last record for which marks_end is true; empty if the log is empty or the record is not wanted.
  virtual Result<Spelling> spell(const Message& draft, std::string_view last, const Moment& moment) = 0;
  // Files that the draft names and that must already exist.
  virtual std::vector<Place> refers_to(const Message& /*draft*/) const { return {}; }
  // The id of the message in a record of the log; empty if the record is not a message or has no id.
  virtual std::string id_in(std::string_view record) const = 0;
  // Whether the offset of its line names a message without an id. Such a name is taken, but cannot be a parent.
  virtual bool names_by_offset() const { return false; }
  // Completes the error about a parent that is no message: which messages can be one. Empty if all can.
  virtual std::string_view parents_are() const { return {}; }
  // Formats a line given verbatim: checked, and stamped if the layout requires it (O01).
  virtual Result<Spelling> spell_raw(std::string_view line, std::string_view last, const Moment& moment) = 0;
};

class WritableLayout : public Layout {
 public:
  const WritableLayout* writer() const final { return this; }

  // The initial content of a new store of this layout; empty for most.
  virtual Result<Changes> found(Feed& /*feed*/, const Moment& /*moment*/) const { return Changes(); }

  // Names of members that the draft sets and this layout cannot store. The engine refuses them, and an import
  // reports that it left them out; create() may ignore them.
  virtual std::vector<std::string> unsupported_fields(const SessionDraft& /*draft*/) const { return {}; }
  // What the session was created with and Session does not contain: model, agent, provider.
  virtual Result<SessionDraft> creation_draft(Feed& /*feed*/, const SessionRef& /*ref*/) const {
    return SessionDraft();
  }
  // Clears what a line writer fills in if the draft leaves it empty, as far as it can be recognized: an id of its own
  // making, its usual agent. For formats that have no such members.
  virtual void clear_made_up(Message& /*message*/) const {}
  virtual Result<NewSession> create(Feed& feed, const SessionDraft& draft, const Moment& moment) const;
  // Never called on a layout with message_files().
  virtual Result<std::unique_ptr<LineWriter>> line_writer(Feed& feed, const SessionRef& ref) const;
  virtual Result<Changes> update(Feed& feed, const SessionRef& ref, const SessionPatch& patch,
                                 const Moment& moment) const;
  virtual Result<Changes> remove(Feed& feed, const SessionRef& ref) const;
  // Files that a session may have had before, and that remove() does not name once they are gone. What Holdfast keeps
  // of them goes with the session (store/deletion.h).
  virtual std::vector<Place> former_files(std::string_view /*id*/) const { return {}; }
  // A new session with the messages up to and including `draft.parent->message`.
  virtual Result<NewSession> fork(Feed& feed, const SessionRef& from, const SessionDraft& draft,
                                  const Moment& moment) const;
  // Moves a session to the folder of a project; if empty, of the project that the session names.
  virtual Result<Changes> regroup(Feed& feed, const SessionRef& ref, std::string_view project,
                                  const Moment& moment) const;

  // The header on the first line of a log (decision 12) as it should be now, including
  // what the side folder holds of it. `after` must be carried out once the line is
  // written. nullopt if this log has no such line.
  struct HeaderLine {
    Place log;
    std::string before;  // the current line
    std::string line;
    Changes after;
  };
  virtual Result<std::optional<HeaderLine>> header_line(Feed& /*feed*/, const SessionRef& /*ref*/,
                                                        bool /*without_secrets*/) const {
    return std::nullopt;
  }
};

// For callers that plan a change; fails with `unsupported` if the layout is read-only.
Result<const WritableLayout*> writer_of(const Layout& layout);

}  // namespace holdfast::inline v1
