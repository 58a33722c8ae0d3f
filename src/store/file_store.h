// The engine: the life of sessions and records on any layout, written once. It
// opens files, takes locks and decides durability; the layout says what to write.
#pragma once

#include <holdfast/store.h>

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "index/catalogue.h"
#include "layout/layout.h"
#include "store/index_keeper.h"
#include "store/kept_changes.h"
#include "store/observe.h"
#include "store/opened_roots.h"
#include "store/paused_sessions.h"
#include "store/redactor.h"

namespace holdfast::inline v1 {

class FileStore final : public Store, public std::enable_shared_from_this<FileStore> {
 public:
  FileStore(const Layout& layout, FileSystem& file_system, StoreOptions options, OpenedRoots roots, std::string name);

  std::string_view layout() const override { return layout_.name(); }
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
  const Layout& its_layout() const { return layout_; }
  const OpenedRoots& roots() const { return roots_; }
  const StoreOptions& options() const { return options_; }
  FileSystem& file_system() const { return file_system_; }
  const Redactor& redactor() const { return redactor_; }
  Observer* observer() const { return observer_.get(); }  // nullptr: nothing is recorded
  Moment moment(const Context& context) const;
  void tell(std::string_view event, std::string json);
  Result<SessionRef> resolve(const Context& context, Feed& feed, std::string_view id);
  Result<std::vector<SessionRef>> find_all(const Context& context, std::vector<StoreFinding>& findings);
  // Something was written to the session; its group's index is due (decision 13).
  void touched(const SessionRef& ref);
  // The session's life is over, or goes on without us: its span, from its creation until now.
  void span_of_life(const Context& context, const SessionRef& ref);
  // The layout's own index files are written when this returns.
  void flush_indexes() { keeper_.flush(); }
  // All of them, whether something was touched or not; how many groups there are.
  Result<std::size_t> rebuild_indexes(const Context& context);

  PausedSessions& paused() { return paused_; }
  // What opening for writing found and moved aside.
  void note_finding(StoreFinding finding);
  std::vector<StoreFinding> opening_findings();
  // The right to look at and set the mark that a layout keeps beside its sessions
  // (Layout::current); nothing for layouts without one. Released on destruction.
  Result<std::unique_ptr<File>> lock_mark(const Context& context);

  // Plans and carries out, and plans again after a conflict, a bounded number of times.
  using Planner = std::function<Result<Changes>(DirectoryFeed& feed)>;
  Result<void> change(const Context& context, const Planner& plan, Durability durability = Durability::power) {
    return change(context, plan, durability, options_.sync);
  }
  // The same for what came from a remote: it is not queued to go there again.
  Result<void> change_as_received(const Context& context, const Planner& plan) {
    return change(context, plan, Durability::power, false);
  }
  // The same, but where the layout goes on unwritten and the options allow it, a
  // change that the medium refuses is kept in memory: false (decision 15).
  Result<bool> change_or_keep(const Context& context, const Planner& plan);
  // What is in memory only; nullptr when all is written.
  std::shared_ptr<const KeptFiles> unwritten() const { return kept_.files(); }

 private:
  Result<SessionList> list_now(const Context& context, const SessionFilter& filter);
  Result<Transcript> read_now(const Context& context, std::string_view id, const TranscriptQuery& query);
  Result<void> change(const Context& context, const Planner& plan, Durability durability, bool queue);
  // A row from the catalogue, or made anew and remembered there.
  Result<Session> summarise(const Context& context, const SessionRef& ref, std::vector<StoreFinding>* findings);
  Result<void> find_parent(const Context& context, const SessionRef& ref, Session& session);
  void write_index(const std::string& group);
  Catalogue& catalogue();  // catalogue_mutex_ is held
  Result<void> need_write(std::string_view what) const;
  void show_owner(const SessionRef& ref, Session& session) const;
  Result<RecordList> list_records_now(const Context& context, const RecordKey& key);
  Result<RecordList> look(const Context& context, DirectoryFeed& feed, const RecordKey& key) const;
  Result<Changes> changes_of(DirectoryFeed& feed, const std::vector<RecordEdit>& edits) const;
  Result<Place> record_place(DirectoryFeed& feed, const RecordShape& shape, const RecordKey& key) const;
  Result<const RecordShape*> shape_of(const RecordKey& key) const;

  const Layout& layout_;
  FileSystem& file_system_;
  StoreOptions options_;
  OpenedRoots roots_;
  std::string name_;
  const Redactor redactor_;
  std::unique_ptr<Observer> observer_;
  std::mutex listeners_mutex_;
  std::vector<std::function<void(const StoreEvent&)>> listeners_;
  PausedSessions paused_;
  std::mutex findings_mutex_;
  std::vector<StoreFinding> opening_findings_;
  KeptChanges kept_;
  std::mutex catalogue_mutex_;
  std::optional<Catalogue> catalogue_;
  IndexKeeper keeper_;  // last: it writes when the store closes, with everything else still there
};

// The name of a session's lease.
std::string lease_name(std::string_view session_id);

std::vector<StoreFinding> findings_of(const DirectoryFeed& feed);

}  // namespace holdfast::inline v1
