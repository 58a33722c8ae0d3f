// A layout: where things live, how they are spelled, what a store of this kind
// can hold. It opens no file, takes no lock, decides no durability (rule 4):
// reading, it asks a Feed and speaks to Events; writing, it answers with bytes
// and Changes that the engine carries out.
//
// Layouts are constant objects without state, alive for ever, used by any
// thread. A new one is a folder under src/layout and a line in layouts.cc.
#pragma once

#include <holdfast/draft.h>
#include <holdfast/error.h>

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "layout/change.h"
#include "layout/feed.h"
#include "layout/record_shape.h"
#include "layout/workflow_shape.h"
#include "model/events.h"

namespace holdfast::inline v1 {

// Names a session to its layout; what `find` says and `read` needs.
struct SessionRef {
  std::string id;
  Place place;          // its main file or, in a database, the database
  std::string project;  // the project's key in this layout, when sessions are grouped; else empty
  std::string hint;     // anything that the layout wants handed back; opaque to the engine
  bool inner = false;   // the transcript of a sub-agent that is part of another session, not one of its own
};

struct RootName {
  std::string_view name;     // "home"
  std::string_view meaning;  // for messages: "the Linggen home"
  bool required = true;
  bool make = true;  // made with a new store; false: one that is missing stays missing
};

// The present, as far as a layout may know it.
struct Moment {
  std::chrono::system_clock::time_point now;
  std::function<std::uint64_t()> entropy;  // 64 random bits a call
  // The next number of a series of this store, at least `floor`: handed out once, ever.
  std::function<Result<std::uint64_t>(std::string_view series, std::uint64_t floor)> number = {};
};

struct NewSession {
  SessionRef ref;
  Changes changes;  // all or none
};

// The lines of one append, and what has to be durable before them.
struct Spelling {
  std::vector<std::string> lines;  // usually one; more when a header goes first
  std::string id;                  // of the message
  // A message that is a file of its own (Layout::spell_message); of a line, what
  // Pen::beside has told of before, if the layout says it again.
  Changes first;
};

// Spells the messages of one session. One thread at a time; the engine keeps it
// as long as the session is open for writing.
class Pen {
 public:
  virtual ~Pen() = default;
  virtual Place log() const = 0;
  // True when the line names the message before it and the draft does not: the
  // engine then passes the last record of the log, read under the log's lock.
  virtual bool wants_last(const Message& draft) const = 0;
  // What the line will only refer to (blobs, spilled outputs) and where it goes. The
  // engine makes it durable before it takes the log's lock; the draft, which may be
  // changed to name it, is spelled after that.
  virtual Result<Changes> beside(Message& draft) = 0;
  // `last`: the log's last record, empty for an empty log or when not wanted.
  virtual Result<Spelling> spell(const Message& draft, std::string_view last, const Moment& moment) = 0;
  // Files that the draft names and that must be there already.
  virtual std::vector<Place> refers_to(const Message& /*draft*/) const { return {}; }
  // The id of the message that a record of the log is; empty: it is none, or has none.
  virtual std::string id_in(std::string_view record) const = 0;
  // A line given verbatim; checked, and stamped where the layout insists (O01).
  virtual Result<Spelling> spell_raw(std::string_view line, std::string_view last, const Moment& moment) = 0;
};

class SyncMap;  // layout/sync_map.h

class Layout {
 public:
  virtual ~Layout() = default;

  virtual std::string_view name() const = 0;   // "open-agent"
  virtual std::string_view agent() const = 0;  // for people: "Open Agent SDK"
  virtual bool writable() const = 0;
  virtual std::span<const RootName> roots() const = 0;  // the first one is ROOT of LAYOUT:ROOT
  // The side folder below a root (decision 2).
  virtual std::string_view side_folder(std::string_view /*root*/) const { return ".holdfast"; }
  // Where a root lies that nobody names: this below the first one; empty: the store then has none of that name.
  virtual std::string_view below_first(std::string_view /*root*/) const { return {}; }
  // The worktrees of a repository have the state of its main directory (W13).
  virtual bool shares_worktrees() const { return false; }
  // Work goes on in memory while the store cannot be written (decisions 15 and 16).
  virtual bool goes_on_unwritten() const { return false; }
  // Only Holdfast writes its logs (native), so torn tails may be cut (decision 1).
  virtual bool owns_logs() const { return false; }
  // False: this directory is not a store of this layout, whatever it is.
  virtual Result<bool> recognise(Feed& feed) const = 0;

  // What a new store of this layout begins with; nothing for most.
  virtual Result<Changes> found(Feed& /*feed*/, const Moment& /*moment*/) const { return Changes(); }

  // ---- reading
  using TakeRef = std::function<bool(SessionRef)>;
  // Every session, in any order, from names and small documents; opens no log.
  virtual Result<void> find(Feed& feed, const TakeRef& take) const = 0;
  // The session of exactly that id, without looking at all the others; a layout
  // that must look at all of them leaves it as it is.
  virtual Result<std::optional<SessionRef>> locate(Feed& /*feed*/, std::string_view /*id*/) const {
    return std::nullopt;
  }
  // Everything that the session's own files say; with `history`, what it
  // references in other files (a fork) comes first, in order.
  struct ReadOptions {
    bool history = false;
    bool raw = false;   // fill Message::raw
    bool whole = true;  // read spilled outputs back; false: previews will do
    // Images, documents and audio that lie in files of their own: not looked at; read, to see whether
    // they are what they should be; and told (Block::data).
    enum class Media { name, check, data } media = Media::name;
    // Goes on where an earlier read of the same session rested (Events::rest):
    // records of its main log from there, with the state that was told then.
    // Only a layout that rests is ever asked.
    std::uint64_t from = 0;
    std::string_view state = {};
  };
  virtual Result<void> read(Feed& feed, const SessionRef& ref, const ReadOptions& options, Events& events) const = 0;
  // The last `count` messages at the cost of those; layouts that cannot do
  // better than reading all leave it as it is (the engine then keeps the last).
  virtual Result<bool> read_last(Feed& /*feed*/, const SessionRef& /*ref*/, std::size_t /*count*/,
                                 Events& /*events*/) const {
    return false;  // did nothing
  }
  // How the texts of a session stand in its main log, for searches that look at
  // raw bytes before they decode anything.
  enum class RawText {
    elsewhere,  // texts may be put together from other bytes than are told here
    lines,      // every text is in the strings of one record, but for own_phrases()
    records,    // and every message is one record that is understood without the others
  };
  virtual RawText raw_text() const { return RawText::elsewhere; }
  // What this layout itself adds at the beginning of texts.
  virtual std::span<const std::string_view> own_phrases() const { return {}; }
  // Facts of the session without its messages; false: only `read` knows.
  virtual Result<bool> read_head(Feed& /*feed*/, const SessionRef& /*ref*/, Events& /*events*/) const { return false; }

  // ---- writing sessions; `unsupported` unless a layout can
  virtual Result<NewSession> create(Feed& feed, const SessionDraft& draft, const Moment& moment) const;
  virtual Result<std::unique_ptr<Pen>> pen(Feed& feed, const SessionRef& ref) const;
  virtual Result<Changes> update(Feed& feed, const SessionRef& ref, const SessionPatch& patch,
                                 const Moment& moment) const;
  virtual Result<Changes> remove(Feed& feed, const SessionRef& ref) const;
  // A session of its own with the messages up to and including `draft.parent->message`.
  virtual Result<NewSession> fork(Feed& feed, const SessionRef& from, const SessionDraft& draft,
                                  const Moment& moment) const;
  // Rebuilds an index file that the layout prescribes, from all sessions of one
  // group (a project); nothing by default. `rows` come newest first.
  virtual Result<Changes> write_index(Feed& feed, std::string_view group, std::span<const Session> rows,
                                      const Moment& moment) const;
  // The group whose index a session is in; empty: there is no index.
  virtual std::string index_group(const SessionRef& /*ref*/) const { return {}; }

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
  // ---- workflows
  // nullptr: sessions of this layout go through no steps.
  virtual const WorkflowShape* workflow() const { return nullptr; }
  // The session that the store itself marks as the one worked on last (lopen:
  // `latest`), when it is there; and the changes that make it another one.
  virtual Result<std::optional<SessionRef>> current(Feed& /*feed*/) const { return std::nullopt; }
  virtual Result<Changes> make_current(Feed& /*feed*/, const SessionRef& /*ref*/) const { return Changes(); }
  // What has to change on opening for writing, so that the mark is right: it dangles.
  virtual Result<Changes> mend_current(Feed& /*feed*/) const { return Changes(); }
  // The first root is the project that all its sessions belong to.
  virtual bool root_is_project() const { return false; }

  // Moves a session to the folder of a project (empty: the one that it names itself).
  virtual Result<Changes> regroup(Feed& feed, const SessionRef& ref, std::string_view project,
                                  const Moment& moment) const;
  // The log of everything typed, across all sessions; nullopt: the layout has none.
  virtual std::optional<Place> prompt_history() const { return std::nullopt; }

  // Sessions have a summary; where they have not, none is made at their end.
  virtual bool holds_summaries() const { return true; }

  // ---- layouts with threads, and with a file a message (maestro)
  // The thread that a session belongs to; empty: none.
  virtual Result<std::string> thread_of(Feed& /*feed*/, const SessionRef& /*ref*/) const { return std::string(); }
  // Every session belongs to a thread, which is saved with every event of the session.
  virtual bool sessions_in_threads() const { return false; }
  // Messages are documents, not lines of a log: pen() is never asked, and
  // spell_message says everything in Spelling::first, without lines. It is a
  // plan: it reads what it needs through the feed and is asked again after a
  // conflict. Empty changes: the same message is there already.
  virtual bool message_files() const { return false; }
  virtual Result<Spelling> spell_message(Feed& feed, const SessionRef& ref, const Message& draft,
                                         const Moment& moment) const;
  virtual Result<Spelling> spell_raw_message(Feed& feed, const SessionRef& ref, std::string_view record,
                                             const Moment& moment) const;
  // The messages of all sessions of a thread, in the order of their times.
  virtual Result<void> read_thread(Feed& feed, std::string_view thread, const ReadOptions& options,
                                   Events& events) const;
  // An index of threads that the layout prescribes, right for these threads as
  // they will be (nullopt: gone); `anew`: read from all of them. Nothing by default.
  using SavedThreads = std::map<std::string, std::optional<std::string>>;
  virtual Result<Changes> index_threads(Feed& /*feed*/, const SavedThreads& /*saved*/, bool /*anew*/,
                                        const Moment& /*moment*/) const {
    return Changes();
  }
  // Where a document that cannot be read goes when somebody writes (decision 10); empty: it stays.
  virtual std::string_view corrupt_folder() const { return {}; }

  // ---- everything that is a document: runs, missions, projects, ...
  // The key of a project in paths ({project}); the real path is looked at for
  // encodings that two paths share (decision 19).
  virtual Result<std::string> project_key(Feed& feed, std::string_view real_path) const;
  virtual std::span<const RecordShape> shapes() const { return {}; }
  const RecordShape* shape(std::string_view kind) const;

  // What of it a remote may be told, and where its queue lies; nullptr: it has no queue.
  virtual const SyncMap* sync_map() const { return nullptr; }

 protected:
  // "layout codex cannot hold: new sessions"
  Failure cannot(std::string_view thing) const;
};

// Every layout of this build; the table is in layouts.cc.
std::span<const Layout* const> layouts();
const Layout* find_layout(std::string_view name);

}  // namespace holdfast::inline v1
