// A layout: where things live, how they are spelled, what a store of this kind
// can hold. It opens no file, takes no lock, decides no durability (rule 4):
// reading, it asks a Feed and speaks to Events; writing, it answers with bytes
// and Changes that the engine carries out.
//
// Every layout finds and reads sessions. Whatever else one can do is a power, an
// interface of its own that it hands out; nullptr: it cannot.
//
// Layouts are constant objects without state, alive for ever, used by any
// thread. A new one is a folder under src/layout and a line in layouts.cc.
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
  // The side folder below it (decision 2).
  std::string_view side = ".holdfast";
  // Where it lies when nobody names it: this below the first root; empty: the store then has none of that name.
  std::string_view below_first = {};
};

// How the texts of a session stand in its main log, for searches that look at
// raw bytes before they decode anything.
enum class RawText {
  elsewhere,  // texts may be put together from other bytes than are told here
  lines,      // every text is in the strings of one record, but for own_phrases
  records,    // and every message is one record that is understood without the others
};

// How the engine treats the stores of a layout.
struct LayoutTraits {
  RawText raw_text = RawText::elsewhere;
  // What the layout itself adds at the beginning of texts.
  std::span<const std::string_view> own_phrases = {};
  // Messages name no parents and no leaf is ever told: each says itself, when it is
  // told, whether a rewind left it. So the branch is known without the end.
  bool one_branch = false;
  // The main log only grows, and a message is told when its record is met, from that record
  // and the files it names alone: reading may begin at any record that the feed hands out.
  bool from_anywhere = false;
  // The first root is the project that all its sessions belong to.
  bool root_is_project = false;
  // Only Holdfast writes its logs (native), so torn tails may be cut (decision 1).
  bool owns_logs = false;
  // The worktrees of a repository have the state of its main directory (W13).
  bool shares_worktrees = false;
  // Work goes on in memory while the store cannot be written (decisions 15 and 16).
  bool goes_on_unwritten = false;
  // Sessions have a summary; where they have not, none is made at their end.
  bool holds_summaries = true;
  // Every session belongs to a thread, which is saved with every event of the session.
  bool sessions_in_threads = false;
  // Where a document that cannot be read goes when somebody writes (decision 10); empty: it stays.
  std::string_view corrupt_folder = {};
  // The log of everything typed, across all sessions, below the first root; empty: there is none.
  std::string_view prompt_history = {};
};

class WritableLayout;  // layout/writable_layout.h
class RecordKeeper;    // layout/record_keeper.h
class ThreadKeeper;    // layout/thread_keeper.h
class MessageFiles;    // layout/message_files.h
class IndexFiles;      // layout/index_files.h
class SessionMark;     // layout/session_mark.h
class ReadInParts;     // layout/read_in_parts.h
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
  // False: this directory is not a store of this layout, whatever it is.
  virtual Result<bool> recognise(Feed& feed) const = 0;

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
  // Facts of the session without its messages; false: only `read` knows.
  virtual Result<bool> read_head(Feed& /*feed*/, const SessionRef& /*ref*/, Events& /*events*/) const { return false; }
  // Whether an object is a record of this layout's logs, by the keys that it has;
  // objects inside a record must not have them.
  virtual bool is_record(JsonView /*object*/) const { return false; }

  // ---- powers
  virtual const ReadInParts* in_parts() const { return nullptr; }
  virtual const WritableLayout* writer() const { return nullptr; }
  virtual const RecordKeeper* records() const { return nullptr; }
  virtual const ThreadKeeper* threads() const { return nullptr; }
  virtual const MessageFiles* message_files() const { return nullptr; }
  virtual const IndexFiles* index_files() const { return nullptr; }
  virtual const SessionMark* mark() const { return nullptr; }
  virtual const WorkflowShape* workflow() const { return nullptr; }  // sessions go through its steps
  virtual const SyncMap* sync_map() const { return nullptr; }        // what a remote may be told
  virtual const ToolDialect* tools() const { return nullptr; }
  virtual const SessionRescue* rescue() const { return nullptr; }
  virtual const AgentHome* home() const { return nullptr; }
  virtual const NewSessions* new_sessions() const { return nullptr; }
  virtual std::span<const ToolName> tool_names() const;

  bool writable() const { return writer() != nullptr; }
  // Of a kind of record; nullptr: the layout does not hold it.
  const RecordShape* shape(std::string_view kind) const;

  // "layout codex cannot hold: new sessions"
  Failure cannot(std::string_view thing) const;
};

// Every layout of this build; the table is in layouts.cc.
std::span<const Layout* const> layouts();
const Layout* find_layout(std::string_view name);

}  // namespace holdfast::inline v1
