// The engine: the life of sessions and records on any layout, written once. It
// opens files, takes locks and decides durability; the layout says what to write.
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
#include "store/kept_changes.h"
#include "store/observe.h"
#include "store/opened_roots.h"
#include "store/own_leases.h"
#include "store/paused_sessions.h"
#include "store/record_lock.h"
#include "store/redactor.h"
#include "store/session_match.h"

namespace holdfast::inline v1 {

struct SessionRow;  // store/session_rows.h
struct SessionRows;
class ReadAlong;  // index/read_entry.h

class FileStore final : public Store, public std::enable_shared_from_this<FileStore> {
 public:
  FileStore(const Layout& layout, FileSystem& file_system, StoreOptions options, OpenedRoots roots, std::string name,
            std::span<const Hooks> hooks);
  ~FileStore() override;  // tries once more to write what is kept

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
  Observer* observer() const { return observer_.get(); }  // nullptr: nothing is recorded
  Moment moment(const Context& context) const;
  // To those who listen, with no lock of this thread held: now, or when the last is released.
  void tell(std::string_view event, std::string json);
  // update(), with a patch that is made of what is there.
  using PatchPlan = std::function<Result<SessionPatch>(DirectoryFeed& feed, const SessionRef& ref)>;
  Result<void> update_by(const Context& context, std::string_view id, const PatchPlan& plan);
  Result<SessionRef> resolve(const Context& context, Feed& feed, std::string_view id, Naming naming = Naming::whole);
  Result<std::vector<SessionRef>> find_all(const Context& context, std::vector<Finding>& findings);
  // All rows, and which pass the filter.
  // Sessions that have to be read from their start are read whole for `along`.
  Result<SessionRows> rows(const Context& context, const SessionFilter& filter, ReadAlong* along = nullptr);
  // What one of them adds to statistics; `buffer` is memory to use again.
  Result<Rollup> rollup_of(const Context& context, const SessionRows& rows, const SessionRow& session,
                           std::string& buffer);
  void save_index(const SessionRows& rows);
  // Something was written to the session; its group's index is due (decision 13).
  void touched(const SessionRef& ref);
  // The session's life is over, or goes on without us: its span, from its creation until now.
  void span_of_life(const Context& context, const SessionRef& ref);
  // The layout's own index files are written when this returns.
  void flush_indexes() { keeper_.flush(); }
  // All of them, whether something was touched or not; how many files there are.
  Result<std::size_t> rebuild_indexes(const Context& context);

  PausedSessions& paused() { return paused_; }
  OwnLeases& own_leases() { return own_leases_; }
  // What opening for writing, and writing since, found and moved aside.
  void note_finding(Finding finding);
  std::vector<Finding> opening_findings();
  // The right to look at and set the mark that a layout keeps beside its sessions
  // (Layout::mark); nothing for layouts without one. Released on destruction.
  Result<RecordLock> lock_mark(const Context& context);

  // The row of the session there, as get() answers with it.
  Result<Session> row_of(const Context& context, const SessionRef& ref);
  // As far as the index has it, without reading the session; nullopt: it does not, or the session changed since.
  std::optional<Session> remembered_row(const SessionRef& ref);

  // remove(), with changes that are made of the layout's before they are carried out: what is kept of it.
  using KeepPlan = std::function<Result<Changes>(DirectoryFeed& feed, const SessionRef& ref, Changes changes)>;
  // `after`, while removals are still held off: what its outcome is, however it went. One that is not `for_good` is
  // never kept in memory: what comes back from the trash meanwhile would be removed again, and be nowhere.
  using RemovalEnd = std::function<Result<void>(Result<void> done)>;
  Result<void> remove_by(const Context& context, std::string_view id, bool for_good, const KeepPlan& keep,
                         const RemovalEnd& after);
  // Holds off removals, or writers that make files of a session (record_lock.h). A removal or a return that was cut
  // short is ended first.
  Result<RecordLock> hold_sessions(const Context& context, LockKind kind);
  // That alone.
  Result<void> settle_sessions(const Context& context);
  // The same, shared, for a session that is still where it was found; not_found when it went before.
  Result<RecordLock> hold_session(const Context& context, const SessionRef& ref);

  // What a change is about, for its events.
  struct Subject {
    std::string thread, session, updated_at;
    bool can_wait = true;  // in memory, when the medium does not take it
  };
  // Plans and carries out, and plans again after a conflict, a bounded number of
  // times. A document that a plan finds corrupt is set aside first, where the
  // layout says so (decision 10). A subject is told of when it cannot be written;
  // the plan fills it in, so it is read when the plan has been.
  using Planner = std::function<Result<Changes>(DirectoryFeed& feed)>;
  Result<void> change(const Context& context, const Planner& plan, Durability durability = Durability::power,
                      const Subject* subject = nullptr) {
    return change_now(context, plan, durability, true, subject);
  }
  // The same for what came from a remote: no hook adds to it.
  Result<void> change_as_received(const Context& context, const Planner& plan) {
    HOLDFAST_LET(sessions, hold_sessions(context, LockKind::exclusive));
    return change_now(context, plan, Durability::power, false, nullptr);
  }
  // The same, but where the layout goes on unwritten and the options allow it, a
  // change that the medium refuses is kept in memory: false (decision 15).
  Result<bool> change_or_keep(const Context& context, const Planner& plan);
  // What is in memory only; nullptr when all is written.
  std::shared_ptr<const KeptFiles> unwritten() const { return kept_.files(); }

  // ---- what could not be written and is kept in memory (StoreOptions::keep_unwritten; kept.cc)
  bool keeps_something() const { return kept_.files() != nullptr; }
  // storage_unavailable, with the files and the reason, when it still cannot be.
  Result<void> write_kept(const Context& context);
  // A feed that shows it.
  DirectoryFeed looking(const Context& context, Check check = Check::whole) const;
  // Every corrupt document, now: store.repair.
  Result<void> set_all_aside(const Context& context);

  // What a feature keeps while the store is open, made when it is first asked for.
  template <typename T>
  std::shared_ptr<T> belonging() {
    const ScopedLock guard(belongings_mutex_);
    std::shared_ptr<void>& kept = belongings_[std::type_index(typeid(T))];
    if (!kept) kept = std::make_shared<T>();
    return std::static_pointer_cast<T>(kept);
  }

  // ---- threads (thread_events.cc)
  // Session events of layouts with threads are one at a time: they all write the index.
  Result<RecordLock> lock_threads(const Context& context) const;
  // The same on any layout: what edit_records holds.
  Result<RecordLock> lock_documents(const Context& context) const;
  struct ThreadTouch {
    std::string thread;
    std::optional<std::string> fresh = {};         // the thread is new: its bytes
    std::optional<std::string> last_session = {};  // of the thread from now on
    std::string gone_session = {};                 // the thread must not name it any longer
  };
  // The thread with a new updatedAt, and its index. not_found when there is no such thread.
  Result<Changes> touch_thread(Feed& feed, const ThreadTouch& touch, const Moment& moment, Subject& subject) const;
  // Where the layout wants a thread and the draft names none: that of its project, or a new one.
  Result<ThreadTouch> thread_for(const Context& context, DirectoryFeed& feed, SessionDraft& draft,
                                 const Moment& moment) const;
  // `changes` of an event of the session, with its thread where it has one that is there.
  Result<Changes> with_thread_of(Feed& feed, const SessionRef& ref, ThreadTouch touch, const Moment& moment,
                                 Subject& subject, Changes changes) const;
  // session:persisted, unless it is only kept.
  void persisted(const Subject& subject);
  // A message that is a file, with its thread and index.
  using SpellMessage = std::function<Result<Spelling>(Feed& feed, const Moment& moment)>;
  Result<AppendedMessage> add_message(const Context& context, const SessionRef& ref, const SpellMessage& spell);

  // ---- records, for the rules
  Result<RecordList> look(const Context& context, DirectoryFeed& feed, const RecordKey& key) const;
  Result<Changes> changes_of(DirectoryFeed& feed, const std::vector<RecordEdit>& edits) const;

 private:
  Result<Transcript> read_now(const Context& context, std::string_view id, const TranscriptQuery& query);
  Result<void> change_now(const Context& context, const Planner& plan, Durability durability, bool made_here,
                          const Subject* subject);
  // A row from the index, or made anew and remembered there.
  Result<Session> summarise(const Context& context, const SessionRef& ref);
  // A process of its agent, by the signs that the agent leaves.
  bool has_living_owner(const Context& context, const SessionRef& ref) const;
  // find_all(), remembered; directories stay in `seen`.
  Result<FoundRefs> found(const Context& context, std::vector<Finding>& findings, SeenFiles& seen);
  std::shared_ptr<SessionIndex> index_to_use() HOLDFAST_REQUIRES(index_mutex_);
  // Sets their heads; what is wrong, by number.
  std::vector<std::optional<Error>> look_at(const Context& context, std::span<SessionRow> sessions, SessionIndex& index,
                                            const SeenFiles& seen, ReadAlong* along) HOLDFAST_REQUIRES(index_mutex_);
  Result<SessionHead> read_anew(const Context& context, const SessionRow& session, SessionIndex& index,
                                ReadAlong* along);
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
  KeptChanges kept_;
  Mutex index_mutex_{LockRank::index};
  std::shared_ptr<SessionIndex> index_ HOLDFAST_GUARDED_BY(index_mutex_);
  // Sets the document aside that an error names; false: it names none.
  Result<bool> mend(const Context& context, const Error& error);
  bool keep(const Error& error, const Changes& changes, const DirectoryFeed& seen, const Subject* subject);
  void written_after_all(const std::shared_ptr<const KeptFiles>& kept);
  void tell_failed(const Subject& subject, const Error& error);

  Mutex kept_mutex_;  // and of the start of retrying_
  std::vector<Subject> kept_subjects_ HOLDFAST_GUARDED_BY(kept_mutex_);
  Error kept_why_ HOLDFAST_GUARDED_BY(kept_mutex_);
  IndexKeeper keeper_;     // it writes when the store closes, with everything above still there
  std::jthread retrying_;  // last: it uses everything; started by the first thing that is kept
};

// The name of a session's lease.
std::string lease_name(std::string_view session_id);
// busy while somebody lives who works on it; `what` is its name in the words of the error.
Result<void> check_unowned(Root& root, std::string_view session_id, std::string_view what);

std::vector<Finding> findings_of(const DirectoryFeed& feed);

}  // namespace holdfast::inline v1
