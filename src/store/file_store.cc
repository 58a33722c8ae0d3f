#include "store/file_store.h"

#include <holdfast/counter.h>

#include <algorithm>

#include "index/framing_damage.h"
#include "index/read_entry.h"
#include "layout/index_files.h"
#include "layout/moment.h"
#include "model/tally.h"
#include "model/time_formats.h"
#include "store/branch.h"
#include "store/carry_out.h"
#include "store/empty_session.h"
#include "store/in_use.h"
#include "store/inherited.h"
#include "store/observed.h"
#include "store/owner_status.h"
#include "store/session_match.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {
namespace {

// Total size of all files that were read, even in part.
std::uint64_t size_of_files(const DirectoryFeed& feed) {
  std::uint64_t size = 0;
  for (const auto& [place, fingerprint] : feed.read_files())
    if (fingerprint != Fingerprint::missing()) size += fingerprint.size;
  return size;
}

// Collects what a layout reports: the messages and the leaf. Makes a row from that only if the listed row cannot be
// used, which counts what the session itself contains and not what a fork refers to.
class Collector final : public Events {
 public:
  explicit Collector(bool counts) : counts_(counts) {}
  void facts(const SessionFacts& facts) override { tally.facts(facts); }
  bool message(Message message) override {
    if (counts_) tally.count(message);
    message.ordinal = std::ssize(messages);
    messages.push_back(std::move(message));
    return true;
  }
  void leaf(std::string_view id) override { leaf_id = id; }

  Tally tally;
  std::vector<Message> messages;
  std::string leaf_id;

 private:
  const bool counts_;
};

// Collects the messages of a session while the index reads it for its row.
class CollectAlong final : public FullReadListener {
 public:
  CollectAlong(Collector& collector, const Layout::ReadOptions& options) : collector_(collector), options_(options) {}
  Layout::ReadOptions options() const override { return options_; }
  void message(Message message) override { collector_.message(std::move(message)); }
  void leaf(std::string_view message_id) override { collector_.leaf(message_id); }
  void end(const SessionRef& /*ref*/, const SessionEntry& /*entry*/, const DirectoryFeed& /*feed*/) override {
    complete_ = !collector_.messages.empty();
  }
  void forget() override {
    collector_.messages.clear();
    collector_.leaf_id.clear();
  }
  // Whether the messages are those of the whole session, in which nothing is damaged.
  bool complete() const { return complete_; }

 private:
  Collector& collector_;
  const Layout::ReadOptions options_;
  bool complete_ = false;
};

}  // namespace

std::string lease_name(std::string_view session_id) { return "session-" + std::string(session_id); }

Result<void> check_unowned(FileStore& engine, Root& root, std::string_view session_id, const OwnerClaim& claim) {
  HOLDFAST_LET(lease, look_at_lease(root, lease_name(session_id)));
  if (!lease.alive || !does(Step::lease_keeps_session)) return {};
  if (claim.own_writers && engine.own_leases().holds(session_id)) return {};
  if (!claim.note.empty() && lease.owner && lease.owner->note == claim.note) return {};
  return fail(in_use("the session", session_id, lease.owner));
}

std::vector<Finding> findings_of(const DirectoryFeed& feed) {
  std::vector<Finding> findings;
  for (const PlacedFinding& complaint : feed.findings()) {
    findings.push_back({complaint.place.path, complaint.offset, complaint.length, complaint.kind, complaint.consequence,
                        complaint.salvaged});
  }
  return findings;
}

FileStore::FileStore(const Layout& layout, FileSystem& file_system, StoreOptions options, OpenedRoots roots,
                     std::string name, std::span<const Hooks> hooks)
    : layout_(layout),
      file_system_(file_system),
      options_(std::move(options)),
      roots_(std::move(roots)),
      name_(std::move(name)),
      hooks_(hooks),
      redactor_(options_, layout_),
      observer_(Observer::make(file_system, options_, name_)),
      keeper_([this](const std::string& group) { write_index(group); }) {}

Moment FileStore::moment(const Context& context) const {
  return {context.clock->now(), [&files = file_system_] { return files.entropy(); },
          [context, root = roots_.first()](std::string_view series, std::uint64_t floor) {
            return next_number(context, root, series, floor);
          }};
}

Result<void> FileStore::need_write(std::string_view what) const {
  if (options_.write) return {};
  return fail(Code::invalid_argument, "the store was opened read-only; cannot " + std::string(what), name_);
}

void FileStore::subscribe(std::function<void(const StoreEvent&)> listener) {
  const ScopedLock guard(listeners_mutex_);
  listeners_.push_back(std::make_shared<const Listener>(std::move(listener)));
}

void FileStore::tell(std::string_view event, std::string json) {
  std::vector<std::shared_ptr<const Listener>> listeners;
  {
    const ScopedLock guard(listeners_mutex_);
    if (listeners_.empty()) return;
    listeners = listeners_;
  }
  // A listener may be slow: nobody waiting for a lock of this store must also wait for the listener.
  when_unlocked([listeners = std::move(listeners), told = StoreEvent{std::string(event), std::move(json)}] {
    check_no_locks_held("a listener");
    for (const auto& listener : listeners) (*listener)(told);
  });
}

void FileStore::touched(const SessionRef& ref) {
  if (std::string group = index_group(layout_, ref); !group.empty()) keeper_.touch(group);
  tell("session:persisted", JsonWriter().begin_object().key("sessionId").string(ref.id).end_object().take());
}

void FileStore::note_finding(Finding finding) {
  const ScopedLock guard(findings_mutex_);
  const bool known = std::ranges::any_of(opening_findings_, [&](const Finding& other) {
    return other.file == finding.file && other.kind == finding.kind && other.consequence == finding.consequence;
  });
  if (!known) opening_findings_.push_back(std::move(finding));
}

std::vector<Finding> FileStore::opening_findings() {
  const ScopedLock guard(findings_mutex_);
  return opening_findings_;
}

Result<RecordLock> FileStore::lock_mark(const Context& context) {
  if (layout_.workflow() == nullptr || layout_.traits().owns_logs) return RecordLock();
  return lock_records(context, *roots_.first());
}

Result<void> FileStore::change_now(const Context& context, const Planner& plan, Durability durability, bool made_here,
                                   const Subject* subject) {
  HOLDFAST_TRY(need_write("change anything"));
  constexpr int kAttempts = 200;
  const auto failed = [&](Error error) -> Result<void> {
    if (error.code == Code::io_error) error.code = Code::atomic_write_failed;
    if (subject != nullptr) tell_failed(*subject, error);
    return fail(std::move(error));
  };
  for (int attempt = 1;; ++attempt) {
    HOLDFAST_TRY(context.check());
    DirectoryFeed feed(context, roots_.directories());
    const auto kept = kept_.files();
    feed.overlay_files(kept);
    auto wanted = plan(feed);
    if (!wanted) {
      auto mended = attempt < kAttempts ? mend(context, wanted.error()) : false;
      if (!mended) return failed(std::move(mended).error());
      if (*mended) continue;
      return fail(std::move(wanted).error());
    }
    HOLDFAST_LET(changes, kept_.include_unwritten(*wanted, feed));
    std::vector<std::function<void()>> afterwards;
    for (const Hooks& hooks : made_here ? hooks_ : std::span<const Hooks>()) {
      if (hooks.changing == nullptr) continue;
      HOLDFAST_LET(after, hooks.changing(context, *this, feed, changes));
      if (after) afterwards.push_back(std::move(after));
    }
    // No changes, no writes.
    auto done = observed_write(
        context, changes.list().empty() ? nullptr : observer(),
        [&] { return carry_out(context, roots_, layout_, changes, feed, durability); },
        [] { return StepNote{"change"}; });
    if (done) {
      for (const auto& after : afterwards) after();
      if (kept) on_kept_written(kept);
      return done;
    }
    if (done.error().code != Code::conflict || attempt == kAttempts) {
      if (keep(done.error(), *wanted, feed, subject)) return {};
      return failed(std::move(done).error());
    }
    if (kept) {
      HOLDFAST_LET(given_up, kept_.give_way(context, roots_));
      for (const std::string& path : given_up)
        tell("storage:conflict", JsonWriter().begin_object().key("path").string(path).end_object().take());
    }
    // Another writer won. A random pause lets one of many writers win.
    context.clock->sleep(std::chrono::microseconds(
        200 + file_system_.entropy() % (static_cast<std::uint64_t>(std::min(attempt, 20)) * 500)));
  }
}

Result<SessionRef> FileStore::resolve(const Context& context, Feed& feed, std::string_view id, Naming naming) {
  if (id.empty()) return fail(Code::invalid_argument, "no session id given");
  HOLDFAST_TRY(context.check());
  HOLDFAST_LET(found, match(context, feed, id, naming));
  if (!found.ref) return fail(session_match_error(found, id, name_));
  return *std::move(found.ref);
}

Result<Transcript> FileStore::read(const Context& context, std::string_view id, const TranscriptQuery& query) {
  return observed_read(context, observer(), {"read", id}, [&] { return read_now(context, id, query); });
}

// Whether a complete read of a session counts the same files as one for its row, so one read serves both.
bool FileStore::can_read_once() const {
  const LayoutTraits traits = layout_.traits();
  return layout_.writable() || (traits.raw_text != RawText::elsewhere && !traits.references_history);
}

Result<Transcript> FileStore::read_now(const Context& context, std::string_view id, const TranscriptQuery& query) {
  DirectoryFeed looked = looking(context);  // other sessions' bytes and damage are not counted
  HOLDFAST_LET(ref, resolve(context, looked, id, Naming::prefix));
  DirectoryFeed feed = looking(context);
  const bool last_only = query.last != 0 && query.branch.empty() && !query.data;
  Collector collector(last_only);
  bool partly = false;
  if (last_only) {
    HOLDFAST_LET(done, layout_.read_last(feed, ref, query.last, collector));
    partly = done;
  }
  Transcript transcript;
  if (!partly) {
    const Layout::ReadOptions options{
        .history = query.history,
        .raw = query.raw,
        .media = query.data ? Layout::ReadOptions::Media::data : Layout::ReadOptions::Media::check};
    CollectAlong along(collector, options);
    auto row = row_of(context, ref, can_read_once() ? &along : nullptr);
    if (!along.complete()) HOLDFAST_TRY(layout_.read(feed, ref, options, collector));
    HOLDFAST_TRY(row);
    transcript.session = *std::move(row);
  }
  if (partly) {
    collector.tally.finish(transcript.session);
    transcript.session.counted = false;
    transcript.session.first_prompt.clear();  // it belongs to the whole session, and only the end was read
    transcript.session.id = ref.name();
    transcript.session.layout = layout_.name();
    transcript.session.store = name_;
    transcript.session.path = ref.place.path;
    transcript.session.bytes = size_of_files(feed);
    transcript.session.damage = framing_damage(feed.findings());
    if (transcript.session.project.empty() && layout_.traits().root_is_project)
      transcript.session.project = roots_.first()->path();
    if (adds_status(roots_, ref.place.root))
      transcript.session.status = owner_status(roots_, ref, transcript.session.status);
    if (has_living_owner(context, ref)) transcript.session.status = Status::running;
  }
  transcript.messages = std::move(collector.messages);
  if (partly) {
    for (Message& message : transcript.messages) message.ordinal -= std::ssize(transcript.messages);
  } else if (!query.history) {
    HOLDFAST_LET(inherited, count_inherited(context, *this, ref));
    for (Message& message : transcript.messages) message.ordinal += inherited;
  }
  HOLDFAST_TRY(check_branch(transcript.messages, query.branch, ref.id));
  if (query.branch != "all") {
    const std::string& leaf = query.branch.empty() ? collector.leaf_id : query.branch;
    transcript.messages = branch_of(std::move(transcript.messages), leaf);
  } else {
    mark_abandoned(transcript.messages, collector.leaf_id);
  }
  if (query.last != 0 && transcript.messages.size() > query.last) {
    transcript.messages.erase(transcript.messages.begin(),
                              transcript.messages.end() - static_cast<std::ptrdiff_t>(query.last));
  }
  transcript.findings = findings_of(feed);
  if (transcript.messages.empty()) note_if_empty(layout_, feed, ref.place, transcript.findings);
  return transcript;
}

}  // namespace holdfast::inline v1
