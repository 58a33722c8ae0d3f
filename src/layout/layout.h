// A layout: where an agent's files are, how they are formatted, and what a store of
// this kind can hold. It opens no file, takes no lock and does not decide durability
// (rule 4). When reading, it asks a Feed and reports to Events; when writing, it
// returns bytes and Changes that the engine carries out.
//
// Every layout finds and reads sessions. Every other ability is an interface of its
// own, which the layout returns; nullptr if it lacks the ability.
//
// Layouts are constant, stateless objects that are never destroyed; any thread may use
// them. A new layout is a folder under src/layout and a line in layouts.cc.
#pragma once

#include <holdfast/error.h>

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "layout/feed.h"
#include "model/events.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {

// Identifies a session within its layout; returned by `find` and passed to `read`.
struct SessionRef {
  std::string id;
  Place place;            // its main file, or its database
  std::string project;    // the project's key in this layout if sessions are grouped; else empty
  std::string hint;       // private to the layout; opaque to the engine
  bool inner = false;     // the transcript of a sub-agent, part of another session
  std::string copy = {};  // set by the engine: ID@KEY if `id` means another file of the store (session_match.h)

  // What finds this session in its store.
  const std::string& name() const { return copy.empty() ? id : copy; }
};

struct RootName {
  std::string_view name;     // "home"
  std::string_view meaning;  // for messages: "the Linggen home"
  bool required = true;
  bool make = true;  // created with a new store; if false, a missing root stays missing
  // The side folder below this root (decision 2).
  std::string_view side = ".holdfast";
  // Default location below the first root; if empty, the root does not exist unless it is named.
  std::string_view below_first = {};
};

// How the texts of a session appear in its main log, for searches that look at raw
// bytes before they decode anything.
enum class RawText {
  elsewhere,  // no promise: a text may be assembled from other bytes
  lines,      // every text is in the strings of one record, except own_phrases
  records,    // and every message is one record that can be understood alone
};

// How the engine treats the stores of a layout.
struct LayoutTraits {
  RawText raw_text = RawText::elsewhere;
  // Phrases that the layout itself adds at the beginning of texts.
  std::span<const std::string_view> own_phrases = {};
  // Messages name no parents and no leaf is ever reported. A message says when it is
  // reported whether a rewind abandoned it, so the branch is known before the end.
  bool one_branch = false;
  // The main log only grows, and each message is reported when its record is read, from that record
  // and the files it names alone. Reading may begin at any record that the feed returns.
  bool seekable_log = false;
  // The same, and every record says at most one message: equal records say equal messages.
  bool one_record_each = false;
  // A fork may reference the history before it in other files (ReadOptions::history).
  bool references_history = false;
  // The first root is the project that all its sessions belong to.
  bool root_is_project = false;
  // Only Holdfast writes the logs (native), so torn tails may be cut (decision 1).
  bool owns_logs = false;
  // The worktrees of a repository use the state of its main directory (W13).
  bool shares_worktrees = false;
  // Work continues in memory while the store cannot be written (decisions 15 and 16).
  bool continues_unsaved = false;
  // Sessions have a summary. If false, none is made when a session ends.
  bool holds_summaries = true;
  // Sessions have a status. If false, ending one only releases its lease.
  bool holds_status = true;
  // Every session belongs to a thread, which is saved with every event of the session.
  bool sessions_in_threads = false;
  // Where an unreadable document is moved when somebody writes (decision 10); empty if it stays.
  std::string_view corrupt_folder = {};
  // The log of all typed prompts of all sessions, below the first root; empty if there is none.
  std::string_view prompt_history = {};
};

class WritableLayout;  // layout/writable_layout.h
class RecordKeeper;    // layout/record_keeper.h
class ThreadKeeper;    // layout/thread_keeper.h
class MessageFiles;    // layout/message_files.h
class IndexFiles;      // layout/index_files.h
class SessionMark;     // layout/session_mark.h
class PartialReader;   // layout/partial_reader.h
class SyncMap;         // layout/sync_map.h
class ToolDialect;     // layout/tool_dialect.h
class SessionRescue;   // layout/session_rescue.h
class NewSessions;     // layout/new_sessions.h
struct ToolName;       // layout/tool_names.h
struct AgentHome;      // layout/agent_home.h
struct WorkflowShape;  // layout/workflow_shape.h
struct RecordShape;    // layout/record_shape.h

class Layout {
 public:
  virtual ~Layout() = default;

  virtual std::string_view name() const = 0;            // "open-agent"
  virtual std::string_view agent() const = 0;           // for people: "Open Agent SDK"
  virtual std::span<const RootName> roots() const = 0;  // the first one is ROOT of LAYOUT:ROOT
  virtual LayoutTraits traits() const { return {}; }
  // Returns false if the directory is not a store of this layout.
  virtual Result<bool> recognise(Feed& feed) const = 0;

  using TakeRef = std::function<bool(SessionRef)>;
  // Passes every session, in any order, using names and small documents; opens no log.
  virtual Result<void> find(Feed& feed, const TakeRef& take) const = 0;
  // Finds the session with exactly this id without listing the others. A layout that
  // would have to list them does not override this.
  virtual Result<std::optional<SessionRef>> locate(Feed& /*feed*/, std::string_view /*id*/) const {
    return std::nullopt;
  }
  // Passes every file with exactly this id, none if the others would have to be listed. Overridden instead of `locate`
  // where a project's folder can be copied with its sessions.
  virtual Result<void> locate_all(Feed& feed, std::string_view id, const TakeRef& take) const {
    HOLDFAST_LET(one, locate(feed, id));
    if (one) take(*std::move(one));
    return {};
  }
  // Reports everything in the session's own files; with `history`, first what the
  // session references in other files (a fork), in order.
  struct ReadOptions {
    bool history = false;
    bool raw = false;   // fill Message::raw
    bool whole = true;  // read spilled outputs back; if false, previews suffice
    // Images, documents and audio in separate files: `name` does not open them, `check` reads and
    // validates them, `data` also reports them (Block::data).
    enum class Media { name, check, data } media = Media::name;
    // Resumes where an earlier read of the same session stopped (Events::rest): reads
    // the main log from that offset, with the state reported then. Used only with a
    // layout that calls Events::rest.
    std::uint64_t from = 0;
    std::string_view state = {};
  };
  virtual Result<void> read(Feed& feed, const SessionRef& ref, const ReadOptions& options, Events& events) const = 0;
  // Reads only the last `count` messages. Not overridden by layouts that must read
  // everything (the engine then keeps the last ones).
  virtual Result<bool> read_last(Feed& /*feed*/, const SessionRef& /*ref*/, std::size_t /*count*/,
                                 Events& /*events*/) const {
    return false;  // did nothing
  }
  // Reports facts about the session without its messages; returns false if only `read` knows them.
  virtual Result<bool> read_head(Feed& /*feed*/, const SessionRef& /*ref*/, Events& /*events*/) const { return false; }
  // Returns whether an object is a record of this layout's logs, judged by its keys.
  // Objects inside a record must not have those keys.
  virtual bool is_record(JsonView /*object*/) const { return false; }

  // ---- optional interfaces
  virtual const PartialReader* partial_reader() const { return nullptr; }
  virtual const WritableLayout* writer() const { return nullptr; }
  virtual const RecordKeeper* records() const { return nullptr; }
  virtual const ThreadKeeper* threads() const { return nullptr; }
  virtual const MessageFiles* message_files() const { return nullptr; }
  virtual const IndexFiles* index_files() const { return nullptr; }
  virtual const SessionMark* mark() const { return nullptr; }
  virtual const WorkflowShape* workflow() const { return nullptr; }  // sessions follow its steps
  virtual const SyncMap* sync_map() const { return nullptr; }        // what may be sent to a remote
  virtual const ToolDialect* tools() const { return nullptr; }
  virtual const SessionRescue* rescue() const { return nullptr; }
  virtual const AgentHome* home() const { return nullptr; }
  virtual const NewSessions* new_sessions() const { return nullptr; }
  virtual std::span<const ToolName> tool_names() const;

  bool writable() const { return writer() != nullptr; }
  // The shape of a kind of record; nullptr if the layout does not hold it.
  const RecordShape* shape(std::string_view kind) const;

  // "layout codex cannot hold: new sessions"
  Failure cannot(std::string_view thing) const;
};

// Every layout of this build; the table is in layouts.cc.
std::span<const Layout* const> layouts();
const Layout* find_layout(std::string_view name);

}  // namespace holdfast::inline v1
