// A store: the sessions of one agent, or Holdfast's own, in one of the layouts.
// All layouts have the same interface. A call that needs what a layout cannot hold
// fails with `unsupported`; the message names the layout and what is missing.
//
// Durability: every change is durable (power) when the call returns, unless the
// call takes a Durability and was given a weaker one. Reading never changes
// anything in a store (decision 9).
// Thread-safety: a Store and a SessionWriter may be used from any thread. Any
// number of processes can share a store. Lifetime: the FileSystem must outlive
// the Store; writers keep their Store alive.
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
  // Absolute directories, keyed by the layout's names of its roots; the key "" is its first root.
  std::map<std::string, std::string, std::less<>> roots = {};
  bool write = false;      // recover, repair, take locks; required for every change
  bool create = false;     // create the store if there is none
  std::string cache = {};  // a directory for derived data; if empty, none is kept
  // Every change is also queued for a remote in the same commit, if its privacy
  // allows that (docs/guides/sync-queue.md).
  bool sync = false;
  // Secrets become placeholders before anything is formatted (docs/guides/privacy.md).
  bool redact_inputs = false;   // what people type, arguments of tools, environments, options
  bool redact_outputs = false;  // answers of models, results of tools
  // Where to record what the store does, for its operators (docs/formats/observability.md): absolute
  // paths of files outside the store, created if missing; if empty, nothing is recorded.
  std::string log_file = {};
  std::string spans_file = {};
  std::string metrics_file = {};
  // While the store cannot be written (permission, disk full), layouts that support it keep changes
  // in memory and write them with the next change that succeeds (decision 15).
  bool keep_unwritten = false;
};

struct SessionFilter {
  std::string project = {};       // real path, or the layout's key for it
  std::string also_project = {};  // the same project through a link: agents record the path they were given
  std::string since = {};         // ISO-8601; by updated_at
  std::string until = {};
  std::optional<Status> status = {};
  bool subagents = true;
  bool inner = false;     // include sub-agent transcripts that are kept as part of another session
  std::size_t limit = 0;  // 0 for all
  std::size_t skip = 0;
};

struct SessionList {
  std::vector<Session> sessions = {};  // newest first: updated_at, then id
  std::size_t total = 0;               // before limit and skip
  std::vector<Finding> findings = {};
};

struct TranscriptQuery {
  bool history = true;      // begin with the messages that a fork inherits by reference
  bool raw = false;         // fill Message::raw
  std::string branch = {};  // a leaf; empty for the active branch; "all" for every message, as stored
  std::size_t last = 0;     // only the last `last` messages; 0 for all
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

// An event of this process (decision 15): a name such as "session:persisted", and its fields as a JSON object.
struct StoreEvent {
  std::string name = {};
  std::string json = {};
};

// Names a record; with an empty id, list_records lists all records of the kind.
struct RecordKey {
  std::string kind = {};
  std::string project = {};  // real path; for kinds that belong to a project
  std::string id = {};       // for kinds with more than one record
};

struct RecordList {
  std::vector<std::string> records = {};  // JSON objects, by id
  std::vector<Finding> findings = {};
};

struct RecordEdit {
  enum class Kind {
    create,  // fails with already_exists if a record has that id
    put,     // the same, but patches an existing record
    patch,   // sets the given fields; null removes a field; all other bytes stay; not_found if there is no record
    remove,  // not_found if there is no record
  };
  Kind kind = Kind::patch;
  RecordKey key = {};
  std::string json = {};  // an object; for create, put and patch
};

class HOLDFAST_EXPORT SessionWriter {
 public:
  virtual ~SessionWriter() = default;
  virtual const std::string& id() const = 0;
  // Appends one message; fills in its id, parent and time if the draft leaves them empty.
  virtual Result<AppendedMessage> append(const Context& context, const Message& draft,
                                         Durability durability = Durability::power) = 0;
  // Stores a line verbatim, if the layout allows it.
  virtual Result<AppendedMessage> append_raw(const Context& context, std::string_view line,
                                             Durability durability = Durability::power) = 0;
  virtual Result<void> close(const Context& context) = 0;
};

enum class LeaseRequest {
  none,       // for a single call of a script (decision 14)
  take,       // fails with busy while another owner lives
  take_over,  // takes it even from a living owner
};

struct WriterOptions {
  LeaseRequest lease = LeaseRequest::none;
  std::string owner_note = {};
};

class HOLDFAST_EXPORT Store {
 public:
  static Result<std::shared_ptr<Store>> open(const Context& context, FileSystem& file_system, StoreOptions options);
  // The same interface and layout on files in memory, which live as long as the store.
  static Result<std::shared_ptr<Store>> in_memory(const Context& context, std::string layout = "holdfast");
  virtual ~Store() = default;

  virtual std::string_view layout_name() const = 0;
  virtual const std::string& name() const = 0;  // "LAYOUT:ROOT"

  // ---- sessions
  virtual Result<SessionList> list(const Context& context, const SessionFilter& filter = {}) = 0;
  // Takes an id or an unambiguous prefix, else fails with not_found. Calls that change a session need the whole id.
  virtual Result<Session> get(const Context& context, std::string_view id) = 0;
  virtual Result<Transcript> read(const Context& context, std::string_view id, const TranscriptQuery& query = {}) = 0;
  virtual Result<std::string> create(const Context& context, const SessionDraft& draft,
                                     Durability durability = Durability::power) = 0;
  virtual Result<std::unique_ptr<SessionWriter>> write(const Context& context, std::string_view id,
                                                       const WriterOptions& options = {}) = 0;
  virtual Result<void> update(const Context& context, std::string_view id, const SessionPatch& patch) = 0;
  virtual Result<std::string> fork(const Context& context, std::string_view id, const SessionDraft& draft) = 0;
  virtual Result<void> remove(const Context& context, std::string_view id) = 0;

  // ---- records: documents beside the sessions, by kind ("run", "mission", ...). JSON
  // objects with the model's names and their "id" first; see docs/formats/holdfast.md
  virtual Result<std::string> get_record(const Context& context, const RecordKey& key) = 0;
  // Returns all records of a kind (of a project), sorted by id. A bad record is a finding, not an error.
  virtual Result<RecordList> list_records(const Context& context, const RecordKey& key) = 0;
  // Makes several edits, all or none. `plan` reads the records through `look` and
  // returns the edits. It is called again if somebody else has changed one of the
  // records meanwhile, so it must not have side effects.
  using Look = std::function<Result<RecordList>(const RecordKey& key)>;
  using EditPlan = std::function<Result<std::vector<RecordEdit>>(const Look& look)>;
  virtual Result<void> edit_records(const Context& context, const EditPlan& plan) = 0;

  // Calls `listener` on the thread that makes a change; it must not call back into the store.
  virtual void subscribe(std::function<void(const StoreEvent&)> listener) = 0;
};

}  // namespace holdfast::inline v1
