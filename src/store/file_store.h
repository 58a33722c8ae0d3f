// The engine: the life cycle of sessions and records for all layouts. It opens
// files, takes locks and decides durability; the layout decides what to write.
#pragma once

#include <holdfast/store.h>

#include <map>
#include <memory>
#include <string>
#include <thread>
#include <typeindex>
#include <vector>

#include "base/mutex.h"
#include "index/session_index.h"
#include "layout/change.h"
#include "layout/layout.h"
#include "layout/moment.h"
#include "layout/record_shape.h"
#include "layout/writable_layout.h"
#include "model/rollup.h"
#include "store/hooks.h"
#include "store/index_keeper.h"
#include "store/observe.h"
#include "store/opened_roots.h"
#include "store/own_leases.h"
#include "store/owner_claim.h"
#include "store/paused_sessions.h"
#include "store/record_lock.h"
#include "store/redactor.h"
#include "store/session_match.h"
#include "store/unwritten_changes.h"

namespace holdfast::inline v1 {

struct SessionRow;  // store/session_rows.h
struct SessionRows;
class FullReadListener;  // index/read_entry.h

class FileStore final : public Store, public std::enable_shared_from_this<FileStore> {
 public:
  FileStore(const Layout& layout, FileSystem& file_system, StoreOptions options, OpenedRoots roots, std::string name,
            std::span<const Hooks> hooks);
  ~FileStore() override;  // tries once more to write kept changes

  std::string_view layout_name() const override { return layout_.name(); }
  const std::string& name() const override { return name_; }

  Result<SessionList> list(const Context& context, const SessionFilter& filter) override;
  Result<Session> get(const Context& context, std::string_view id) override;
  Result<Transcript> read(const Context& context, std::string_view id, const TranscriptQuery& query) override;
  Result<std::string> create(const Context& context, const SessionDraft& draft, Durability durability) override;
  Result<std::unique_ptr<SessionWriter>> write(const Context& context, std::string_view id,
                                               const WriterOptions& options) override;
  Result<void> update(const Context& context, std::string_view id, const SessionPatch& patch) override;
  Result<std::string> fork(const Context& context, std::string_view id, const SessionDraft& draft) override;
  Result<void> remove(const Context& context, std::string_view id) override;

  Result<std::string> get_record(const Context& context, const RecordKey& key) override;
  Result<RecordList> list_records(const Context& context, const RecordKey& key) override;
  Result<void> edit_records(const Context& context, const EditPlan& plan) override;

  void subscribe(std::function<void(const StoreEvent&)> listener) override;

  // ---- for the engine's own files
  const Layout& layout() const { return layout_; }
  const OpenedRoots& roots() const { return roots_; }
  const StoreOptions& options() const { return options_; }
  FileSystem& file_system() const { return file_system_; }
  std::span<const Hooks> hooks() const { return hooks_; }
  const Redactor& redactor() const { return redactor_; }
  Observer* observer() const { return observer_.get(); }  // nullptr if nothing is recorded
  Moment moment(const Context& context) const;
  // Notifies subscribers when this thread holds no lock: now, or when it releases the last one.
  void tell(std::string_view event, std::string json);
  // Like update(), with a patch that is computed from the present state.
  using PatchPlan = std::function<Result<SessionPatch>(DirectoryFeed& feed, const SessionRef& ref)>;
  Result<void> update_by(const Context& context, std::string_view id, const PatchPlan& plan);
  // Like match_session. Of several files with the same id, the one with the newest message is meant, unless `id` is
  // ID@KEY; the others have SessionRef::copy.
  Result<SessionMatch> match(const Context& context, Feed& feed, std::string_view id, Naming naming,
                             const std::function<bool(std::string_view id)>& overlooked = {});
  // Sets SessionRef::copy of those that their id alone does not mean. Nothing in a layout that Holdfast writes, which
  // has one session of an id, or its own names for them.
  void name_copies(const Context& context, std::span<SessionRef> refs);
  Result<SessionRef> resolve(const Context& context, Feed& feed, std::string_view id, Naming naming = Naming::whole);
  // `special` receives DirectoryFeed::special_names of the directories in which sessions were looked for.
  Result<std::vector<SessionRef>> find_all(const Context& context, std::vector<Finding>& findings,
                                           std::set<Place>* special = nullptr);
  // Returns all rows, and which of them pass the filter. Sessions that must be
  // read from the start are read completely, for `along`.
  Result<SessionRows> rows(const Context& context, const SessionFilter& filter, FullReadListener* along = nullptr);
  // What one session adds to statistics; `buffer` is scratch memory.
  Result<Rollup> rollup_of(const Context& context, const SessionRows& rows, const SessionRow& session,
                           std::string& buffer);
  void save_index(const SessionRows& rows);
  // Call after something was written to the session: the index of its group becomes due (decision 13).
  void touched(const SessionRef& ref);
  // Call when the session has ended, or goes on without us: records its span, from its creation until now. Of a
  // session that was removed, only `opened` is known.
  void record_session_span(const Context& context, const SessionRef& ref,
                           std::optional<std::chrono::system_clock::time_point> opened = {});
  // On return, all pending index files of the layout are written.
  void flush_indexes() { keeper_.flush(); }
  // Rebuilds all index files, whether touched or not; returns how many there are.
  Result<std::size_t> rebuild_indexes(const Context& context);

  PausedSessions& paused() { return paused_; }
  OwnLeases& own_leases() { return own_leases_; }
  // What was found and moved aside by opening for writing, and by writing since.
  void note_finding(Finding finding);
  std::vector<Finding> opening_findings();
  // The right to read and set the mark that a layout keeps beside its sessions
  // (Layout::mark); an empty lock for layouts without one. Released on destruction.
  Result<RecordLock> lock_mark(const Context& context);

  // The row of the session, as get() returns it. If it must be read from the start, it is read completely, for `along`.
  Result<Session> row_of(const Context& context, const SessionRef& ref, FullReadListener* along = nullptr);
  // The row in the index, without reading the session; nullopt if the index has none or the session changed since.
  std::optional<Session> remembered_row(const SessionRef& ref);

  // Like remove(), but `keep` transforms the layout's changes before they are carried out, for example to keep the
  // files elsewhere.
  using KeepPlan = std::function<Result<Changes>(DirectoryFeed& feed, const SessionRef& ref, Changes changes)>;
  // `after` runs while removals are still held off and determines the result, whether the removal succeeded or not. A
  // removal that is not `for_good` is never kept in memory: if the session came back from the trash in the meantime, it
  // would be removed again and lost.
  using RemovalEnd = std::function<Result<void>(Result<void> done)>;
  Result<void> remove_by(const Context& context, std::string_view id, bool for_good, const OwnerClaim& claim,
                         const KeepPlan& keep, const RemovalEnd& after);
  // Holds off removals, or writers that create files of a session (record_lock.h). First finishes a removal or a
  // restore that was interrupted.
  Result<RecordLock> hold_sessions(const Context& context, LockKind kind);
  // Finishes interrupted removals and restores only.
  Result<void> settle_sessions(const Context& context);
  // Like hold_sessions(), shared, for a session that is still where it was found; fails with not_found if it was
  // removed.
  Result<RecordLock> hold_session(const Context& context, const SessionRef& ref);

  // The thread and session that a change affects, for its events.
  struct Subject {
    std::string thread, session, updated_at;
    bool can_wait = true;  // may be kept in memory if the medium refuses the change
  };
  // Plans and carries out, and plans again after a conflict, a bounded number of
  // times. A document that a plan finds corrupt is set aside first, if the layout
  // says so (decision 10). If `subject` cannot be written, an event reports it;
  // the plan fills it in, so it is read only after the plan has run.
  using Planner = std::function<Result<Changes>(DirectoryFeed& feed)>;
  Result<void> change(const Context& context, const Planner& plan, Durability durability = Durability::power,
                      const Subject* subject = nullptr) {
    return change_now(context, plan, durability, true, subject);
  }
  // The same for changes received from a remote: no hook adds to them.
  Result<void> change_as_received(const Context& context, const Planner& plan) {
    HOLDFAST_LET(sessions, hold_sessions(context, LockKind::exclusive));
    return change_now(context, plan, Durability::power, false, nullptr);
  }
  // The same, but if the layout can go on unwritten and the options allow it, a change
  // that the medium refuses is kept in memory, and the result is false (decision 15).
  Result<bool> change_or_keep(const Context& context, const Planner& plan);
  // Changes that are only in memory; nullptr if everything is written.
  std::shared_ptr<const UnwrittenFiles> unwritten() const { return kept_.files(); }

  // ---- changes that could not be written and are kept in memory (StoreOptions::keep_unwritten; store_unwritten.cc)
  bool has_unwritten_changes() const { return kept_.files() != nullptr; }
  // Fails with storage_unavailable, naming the files and the reason, if they still cannot be written.
  Result<void> flush_unwritten(const Context& context);
  // Returns a feed that shows the kept changes.
  DirectoryFeed looking(const Context& context, Check check = Check::whole) const;
  // Sets aside every corrupt document now: store.repair.
  Result<void> set_all_aside(const Context& context);

  // State that a feature keeps while the store is open, created on first use.
  template <typename T>
  std::shared_ptr<T> belonging() {
    const ScopedLock guard(belongings_mutex_);
    std::shared_ptr<void>& kept = belongings_[std::type_index(typeid(T))];
    if (!kept) kept = std::make_shared<T>();
    return std::static_pointer_cast<T>(kept);
  }

  // ---- threads (thread_events.cc)
  // Session events of layouts with threads are serialized, because they all write the index.
  Result<RecordLock> lock_threads(const Context& context) const;
  // The same on any layout: the lock that edit_records holds.
  Result<RecordLock> lock_documents(const Context& context) const;
  struct ThreadTouch {
    std::string thread;
    std::optional<std::string> fresh = {};         // bytes of the thread, if it is new
    std::optional<std::string> last_session = {};  // the thread's last session from now on
    std::string gone_session = {};                 // the thread must no longer name this session
  };
  // Updates the thread's updatedAt, and its index. Fails with not_found if there is no such thread.
  Result<Changes> touch_thread(Feed& feed, const ThreadTouch& touch, const Moment& moment, Subject& subject) const;
  // If the layout needs a thread and the draft names none: the thread of its project, or a new one.
  Result<ThreadTouch> thread_for(const Context& context, DirectoryFeed& feed, SessionDraft& draft,
                                 const Moment& moment) const;
  // Adds the session's thread, if it has one that exists, to the `changes` of an event of the session.
  Result<Changes> with_thread_of(Feed& feed, const SessionRef& ref, ThreadTouch touch, const Moment& moment,
                                 Subject& subject, Changes changes) const;
  // Emits session:persisted, unless the change is only kept in memory.
  void persisted(const Subject& subject);
  // Adds a message that is a file of its own, and updates its thread and index.
  using FormatMessage = std::function<Result<Spelling>(Feed& feed, const Moment& moment)>;
  Result<AppendedMessage> add_message(const Context& context, const SessionRef& ref, const FormatMessage& spell);

  // ---- records, for the rules
  Result<RecordList> look(const Context& context, DirectoryFeed& feed, const RecordKey& key) const;
  Result<Changes> changes_of(DirectoryFeed& feed, const std::vector<RecordEdit>& edits) const;

 private:
  bool can_read_once() const;
  Result<Transcript> read_now(const Context& context, std::string_view id, const TranscriptQuery& query);
  Result<void> change_now(const Context& context, const Planner& plan, Durability durability, bool made_here,
                          const Subject* subject);
  // Returns a row from the index, or makes it and adds it to the index.
  Result<Session> summarise(const Context& context, const SessionRef& ref, FullReadListener* along = nullptr);
  // True if a process of its agent is alive, judging by the signs that the agent leaves.
  bool has_living_owner(const Context& context, const SessionRef& ref) const;
  // find_all(), cached; directories are recorded in `seen`.
  Result<FoundRefs> found(const Context& context, std::vector<Finding>& findings, SeenFiles& seen);
  std::shared_ptr<SessionIndex> index_to_use() HOLDFAST_REQUIRES(index_mutex_);
  // Sets the heads of the rows; returns their errors, by row number.
  std::vector<std::optional<Error>> look_at(const Context& context, std::span<SessionRow> sessions, SessionIndex& index,
                                            const SeenFiles& seen, FullReadListener* along)
      HOLDFAST_REQUIRES(index_mutex_);
  Result<SessionHead> read_anew(const Context& context, const SessionRow& session, SessionIndex& index,
                                FullReadListener* along);
  Result<void> find_parent(const Context& context, const SessionRef& ref, Session& session);
  void write_index(const std::string& group);
  Result<void> need_write(std::string_view what) const;
  Result<RecordList> list_records_now(const Context& context, const RecordKey& key);
  Result<Place> record_place(DirectoryFeed& feed, const RecordShape& shape, const RecordKey& key) const;
  Result<const RecordShape*> shape_of(const RecordKey& key) const;

  const Layout& layout_;
  FileSystem& file_system_;
  StoreOptions options_;
  OpenedRoots roots_;
  std::string name_;
  const std::span<const Hooks> hooks_;
  const Redactor redactor_;
  std::unique_ptr<Observer> observer_;
  using Listener = std::function<void(const StoreEvent&)>;
  Mutex listeners_mutex_;
  std::vector<std::shared_ptr<const Listener>> listeners_ HOLDFAST_GUARDED_BY(listeners_mutex_);
  PausedSessions paused_;
  OwnLeases own_leases_;
  Mutex findings_mutex_;
  std::vector<Finding> opening_findings_ HOLDFAST_GUARDED_BY(findings_mutex_);
  Mutex belongings_mutex_;
  std::map<std::type_index, std::shared_ptr<void>> belongings_ HOLDFAST_GUARDED_BY(belongings_mutex_);
  UnwrittenChanges kept_;
  Mutex index_mutex_{LockRank::index};
  std::shared_ptr<SessionIndex> index_ HOLDFAST_GUARDED_BY(index_mutex_);
  // Sets aside the document that an error names; false if it names none.
  Result<bool> mend(const Context& context, const Error& error);
  bool keep(const Error& error, const Changes& changes, const DirectoryFeed& seen, const Subject* subject);
  void on_kept_written(const std::shared_ptr<const UnwrittenFiles>& kept);
  void tell_failed(const Subject& subject, const Error& error);

  Mutex kept_mutex_;  // also guards the start of retrying_
  std::vector<Subject> kept_subjects_ HOLDFAST_GUARDED_BY(kept_mutex_);
  Error kept_why_ HOLDFAST_GUARDED_BY(kept_mutex_);
  IndexKeeper keeper_;     // writes on destruction, while everything above still exists
  std::jthread retrying_;  // last, because it uses everything; started when the first change is kept
};

// The name of a session's lease.
std::string lease_name(std::string_view session_id);
// Fails with busy while a living process owns the session, and names that process; not if it is the one that `claim`
// describes.
Result<void> check_unowned(FileStore& engine, Root& root, std::string_view session_id, const OwnerClaim& claim = {});

std::vector<Finding> findings_of(const DirectoryFeed& feed);

}  // namespace holdfast::inline v1
