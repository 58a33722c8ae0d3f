// A store: the sessions of one agent, or Holdfast's own, in one of the layouts.
// The same interface for all of them; what a layout cannot hold is an
// `unsupported` error that names the layout and the thing.
//
// Durability: every call that changes something is durable (power) when it
// returns, unless it takes a Durability and was given a weaker one. Reading
// never changes anything in a store (decision 9).
// Thread-safety: a Store may be used from any thread; a SessionWriter too.
// Any number of processes share a store. Lifetime: the FileSystem outlives the
// Store; writers keep their Store alive.
#pragma once

#include <holdfast/append_log.h>
#include <holdfast/context.h>
#include <holdfast/draft.h>
#include <holdfast/export.h>
#include <holdfast/file_system.h>
#include <holdfast/lease.h>
#include <holdfast/message.h>
#include <holdfast/session.h>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::inline v1 {

struct StoreOptions {
  std::string layout = "holdfast";
  // Absolute directories by the layout's names of its roots; the key "" is its first root.
  std::map<std::string, std::string, std::less<>> roots = {};
  bool write = false;      // recover, mend, take locks; needed by everything that changes something
  bool create = false;     // make the store when there is none
  std::string cache = {};  // a directory for derived data; empty: none is kept
  // What is saved is queued for a remote in the same commit, as far as its
  // privacy allows (docs/guides/sync-queue.md). Off unless somebody wants it.
  bool sync = false;
  // Secrets become placeholders before anything is spelled (docs/guides/privacy.md).
  bool redact_inputs = false;   // what people type, arguments of tools, environments, options
  bool redact_outputs = false;  // what models answer, results of tools
  // What the store did, for its operators (docs/formats/observability.md). Absolute files
  // outside the store, made when they are missing; empty: nothing is recorded.
  std::string log_file = {};
  std::string spans_file = {};
  std::string metrics_file = {};
  // While the store cannot be written (permission, disk full), layouts that say so go on in
  // memory; what is kept there is written with the next change that succeeds (decision 15).
  bool keep_unwritten = false;
};

struct SessionFilter {
  std::string project = {};       // real path, or the layout's key of it
  std::string also_project = {};  // another spelling of it, through a link: agents write down what they were told
  std::string since = {};         // ISO-8601; by updated_at
  std::string until = {};
  std::optional<Status> status = {};
  bool subagents = true;
  bool inner = false;     // with transcripts of sub-agents that their agent keeps as part of another session
  std::size_t limit = 0;  // 0: all
  std::size_t skip = 0;
};

struct SessionList {
  std::vector<Session> sessions = {};  // newest first: updated_at, then id
  std::size_t total = 0;               // before limit and skip
  std::vector<Finding> findings = {};
};

struct TranscriptQuery {
  bool history = true;      // what a fork references comes first
  bool raw = false;         // fill Message::raw
  std::string branch = {};  // a leaf; empty: the active one; "all": every message, as stored
  std::size_t last = 0;     // only the last so many messages; 0: all
  bool data = false;        // fill Block::data
};

struct Transcript {
  Session session = {};
  std::vector<Message> messages = {};
  std::vector<Finding> findings = {};
};

struct AppendedMessage {
  std::string id = {};
  Ack ack = {};
};

// An event of this process (decision 15): "session:persisted" and its fields as a JSON object.
struct StoreEvent {
  std::string name = {};
  std::string json = {};
};

// Names a record; an empty id in a list means all of the kind.
struct RecordKey {
  std::string kind = {};
  std::string project = {};  // real path; for kinds that belong to a project
  std::string id = {};       // for kinds of which there are many
};

struct RecordList {
  std::vector<std::string> records = {};  // JSON objects, by id
  std::vector<Finding> findings = {};
};

struct RecordEdit {
  enum class Kind {
    create,  // already_exists when there is one of that id
    put,     // the same, but an existing one is patched
    patch,   // sets the given fields, a null removes one; all other bytes stay; not_found
    remove,  // not_found
  };
  Kind kind = Kind::patch;
  RecordKey key = {};
  std::string json = {};  // an object; of create, put and patch
};

class HOLDFAST_EXPORT SessionWriter {
 public:
  virtual ~SessionWriter() = default;
  virtual const std::string& id() const = 0;
  // Appends one message; its id, parent and time are filled in where the draft leaves them empty.
  virtual Result<AppendedMessage> append(const Context& context, const Message& draft,
                                         Durability durability = Durability::power) = 0;
  // Stores a line verbatim, where the layout allows it.
  virtual Result<AppendedMessage> append_raw(const Context& context, std::string_view line,
                                             Durability durability = Durability::power) = 0;
  virtual Result<void> close(const Context& context) = 0;
};

enum class LeaseRequest {
  none,       // decision 14: a script's single call takes none
  take,       // busy while another owner lives
  take_over,  // from a living owner too
};

struct WriterOptions {
  LeaseRequest lease = LeaseRequest::none;
  std::string owner_note = {};
};

class HOLDFAST_EXPORT Store {
 public:
  static Result<std::shared_ptr<Store>> open(const Context& context, FileSystem& file_system, StoreOptions options);
  // The same interface and layout on files in memory; gone with the last pointer (O03).
  static Result<std::shared_ptr<Store>> in_memory(const Context& context, std::string layout = "holdfast");
  virtual ~Store() = default;

  virtual std::string_view layout_name() const = 0;
  virtual const std::string& name() const = 0;  // "LAYOUT:ROOT"

  // ---- sessions
  virtual Result<SessionList> list(const Context& context, const SessionFilter& filter = {}) = 0;
  // An id or an unambiguous prefix, else not_found. Whatever changes a session takes the whole id.
  virtual Result<Session> get(const Context& context, std::string_view id) = 0;
  virtual Result<Transcript> read(const Context& context, std::string_view id, const TranscriptQuery& query = {}) = 0;
  virtual Result<std::string> create(const Context& context, const SessionDraft& draft,
                                     Durability durability = Durability::power) = 0;
  virtual Result<std::unique_ptr<SessionWriter>> write(const Context& context, std::string_view id,
                                                       const WriterOptions& options = {}) = 0;
  virtual Result<void> update(const Context& context, std::string_view id, const SessionPatch& patch) = 0;
  virtual Result<std::string> fork(const Context& context, std::string_view id, const SessionDraft& draft) = 0;
  virtual Result<void> remove(const Context& context, std::string_view id) = 0;

  // ---- documents beside the sessions, by kind ("run", "mission", ...): JSON
  // objects in the model's names with their "id" first; see docs/formats/holdfast.md
  virtual Result<std::string> get_record(const Context& context, const RecordKey& key) = 0;
  // All of a kind (of a project), by id; a bad one is a finding, never an error of the list.
  virtual Result<RecordList> list_records(const Context& context, const RecordKey& key) = 0;
  // Makes several edits together or not at all. `plan` sees the records through
  // `look` and says what to change; it is asked again when somebody else has
  // changed one of them meanwhile, so it must not have effects of its own.
  using Look = std::function<Result<RecordList>(const RecordKey& key)>;
  using EditPlan = std::function<Result<std::vector<RecordEdit>>(const Look& look)>;
  virtual Result<void> edit_records(const Context& context, const EditPlan& plan) = 0;

  // Called on the thread that made the change; must not call back into the store.
  virtual void subscribe(std::function<void(const StoreEvent&)> listener) = 0;
};

}  // namespace holdfast::inline v1
