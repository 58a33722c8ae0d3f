// How the engine writes sessions: creates, opens for appending, changes, forks
// and deletes them. file_store.cc reads them.
#include "base/time.h"
#include "disk/steps.h"
#include "layout/change.h"
#include "layout/index_files.h"
#include "layout/moment.h"
#include "layout/writable_layout.h"
#include "store/check_input.h"
#include "store/deletion.h"
#include "store/file_store.h"
#include "store/lenient_feed.h"
#include "store/observed.h"
#include "store/record_lock.h"
#include "store/session_trash.h"
#include "store/session_writer.h"
#include "store/unfinished_move.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {
namespace {

class LooksForId final : public Events {
 public:
  explicit LooksForId(std::string_view id) : id_(id) {}
  void facts(const SessionFacts&) override {}
  bool message(Message message) override {
    found = message.id == id_;
    return !found;
  }
  bool found = false;

 private:
  std::string_view id_;
};

Result<void> check_leaf(const Layout& layout, Feed& feed, const SessionRef& ref, std::string_view leaf) {
  if (!does(Step::message_parent_check)) return {};
  LooksForId looks(leaf);
  HOLDFAST_TRY(layout.read(feed, ref, {.history = true, .whole = false}, looks));
  if (looks.found) return {};
  return fail(Code::invalid_argument, "leaf: session " + ref.id + " has no message " + std::string(leaf));
}

// Refuses a draft with fields that the layout cannot store, naming all of them.
Result<void> check_kept(const WritableLayout& layout, const SessionDraft& draft) {
  std::string names;
  for (const std::string& name : layout.unsupported_fields(draft)) names += (names.empty() ? "" : ", ") + name;
  if (names.empty()) return {};
  return fail(Code::unsupported, "layout " + std::string(layout.name()) + " cannot hold: " + names + " of a session");
}

}  // namespace

Result<std::string> FileStore::create(const Context& context, const SessionDraft& draft, Durability durability) {
  SessionRef made;
  Subject subject;
  const SpanWatch watch(context, observer());
  HOLDFAST_TRY(need_write("create"));
  HOLDFAST_TRY(check_input(draft));
  HOLDFAST_TRY(settle_sessions(context));
  if (!draft.id.empty()) HOLDFAST_TRY(check_move_finished(*this, draft.id));
  HOLDFAST_LET(mark, lock_mark(context));
  HOLDFAST_LET(lock, lock_threads(context));
  HOLDFAST_TRY(change(
      context,
      [&](DirectoryFeed& feed) -> Result<Changes> {
        const Moment now = moment(context);
        SessionDraft request = draft;
        HOLDFAST_LET(touch, thread_for(context, feed, request, now));
        HOLDFAST_LET(safe, redactor_.hidden(feed, request));
        HOLDFAST_LET(writer, writer_of(layout_));
        if (auto kept = check_kept(*writer, draft); !kept) return fail(std::move(kept).error());
        HOLDFAST_LET(session, writer->create(feed, safe, now));
        made = std::move(session.ref);
        subject.session = touch.last_session.emplace(made.id);
        if (request.thread.empty()) return std::move(session.changes);
        HOLDFAST_LET(thread, touch_thread(feed, touch, now, subject));
        session.changes.add(std::move(thread));
        return std::move(session.changes);
      },
      durability, &subject));
  watch.end("session.create", made.id, nullptr);
  subject.thread.empty() ? touched(made) : persisted(subject);
  return made.id;
}

Result<std::unique_ptr<SessionWriter>> FileStore::write(const Context& context, std::string_view id,
                                                        const WriterOptions& options) {
  HOLDFAST_TRY(need_write("append"));
  DirectoryFeed feed = looking(context);
  HOLDFAST_LET(ref, resolve(context, feed, id));
  return FileSessionWriter::open(context, shared_from_this(), std::move(ref), options);
}

Result<void> FileStore::update(const Context& context, std::string_view id, const SessionPatch& patch) {
  return update_by(context, id, [&](DirectoryFeed&, const SessionRef&) -> Result<SessionPatch> { return patch; });
}

Result<void> FileStore::update_by(const Context& context, std::string_view id, const PatchPlan& plan) {
  SessionRef changed;
  Subject subject;
  bool news = false;
  bool over = false;
  const SpanWatch watch(context, observer());
  const auto sessions = hold_sessions(context, LockKind::shared);
  // If not even a lock file can be created, the change itself reports the error, or continues in memory.
  if (!sessions && !is_unwritable(sessions.error().code)) return fail(sessions.error());
  HOLDFAST_LET(lock, lock_threads(context));
  auto done = change(
      context,
      [&](DirectoryFeed& feed) -> Result<Changes> {
        const Moment now = moment(context);
        HOLDFAST_LET(ref, resolve(context, feed, id));
        changed = ref;
        HOLDFAST_TRY(check_move_finished(*this, ref.id));
        subject = {.thread = {}, .session = ref.id, .updated_at = {}};
        HOLDFAST_LET(patch, plan(feed, ref));
        HOLDFAST_TRY(check_input(patch));
        if (patch.leaf) HOLDFAST_TRY(check_leaf(layout_, feed, ref, *patch.leaf));
        over = patch.status && is_final_status(*patch.status);
        HOLDFAST_LET(safe, redactor_.hidden(feed, ref, patch));
        HOLDFAST_LET(writer, writer_of(layout_));
        HOLDFAST_LET(changes, writer->update(feed, ref, safe, now));
        news = !changes.empty();
        if (!news) return changes;
        return with_thread_of(feed, ref, {}, now, subject, std::move(changes));
      },
      Durability::power, &subject);
  watch.end("session.save", changed.id, done ? nullptr : &done.error());
  HOLDFAST_TRY(done);
  if (observer() != nullptr && over) record_session_span(context, changed);
  // A save that changes nothing writes nothing, not even indexes (decision 11).
  if (news) subject.thread.empty() ? touched(changed) : persisted(subject);
  return {};
}

void FileStore::record_session_span(const Context& context, const SessionRef& ref,
                                    std::optional<std::chrono::system_clock::time_point> opened) {
  if (observer() == nullptr || !observer()->spans()) return;
  const auto row = summarise(context, ref);
  const auto now = context.clock->now();
  const auto begin = row ? parse_iso8601(row->created_at) : std::nullopt;
  observer()->span({"session", ref.id, begin.value_or(opened.value_or(now)), now});
}

Result<std::string> FileStore::fork(const Context& context, std::string_view id, const SessionDraft& draft) {
  SessionRef made;
  HOLDFAST_TRY(check_input(draft));
  // Files that go to the trash in the meantime would be missed silently: a log is read before the outputs it names.
  HOLDFAST_LET(sessions, hold_sessions(context, LockKind::shared));
  HOLDFAST_TRY(change(context, [&](DirectoryFeed& feed) -> Result<Changes> {
    HOLDFAST_LET(from, resolve(context, feed, id));
    HOLDFAST_LET(safe, redactor_.hidden(feed, draft));
    HOLDFAST_LET(writer, writer_of(layout_));
    HOLDFAST_LET(session, writer->fork(feed, from, safe, moment(context)));
    made = std::move(session.ref);
    return std::move(session.changes);
  }));
  touched(made);
  return made.id;
}

Result<RecordLock> FileStore::hold_sessions(const Context& context, LockKind kind) {
  HOLDFAST_TRY(need_write("change anything"));
  Root& first = *roots_.first();
  HOLDFAST_LET(held, lock_sessions(context, first, kind));
  if (!is_move_noted(first)) return held;
  if (kind == LockKind::exclusive) {
    settle_trash(context, *this);
    return held;
  }
  held.reset();
  {
    HOLDFAST_LET(alone, lock_sessions(context, first, LockKind::exclusive));
    settle_trash(context, *this);
  }
  // A move that could not be finished does not block other sessions (check_move_finished).
  return lock_sessions(context, first, kind);
}

Result<void> FileStore::settle_sessions(const Context& context) {
  if (!is_move_noted(*roots_.first())) return {};
  HOLDFAST_TRY(hold_sessions(context, LockKind::exclusive));
  return {};
}

Result<RecordLock> FileStore::hold_session(const Context& context, const SessionRef& ref) {
  HOLDFAST_LET(held, hold_sessions(context, LockKind::shared));
  HOLDFAST_TRY(check_move_finished(*this, ref.id));
  DirectoryFeed files(context, roots_.directories());
  LenientFeed feed(files);
  const auto located = layout_.locate(feed, ref.id);
  if (located && *located && (*located)->place == ref.place) return held;
  bool there = !does(Step::session_still_there);  // not every layout can find a session by its id alone
  HOLDFAST_TRY(layout_.find(feed, [&](const SessionRef& other) {
    there = there || other.place == ref.place;
    return !there;
  }));
  if (!there && feed.left_out()) return fail(*feed.left_out());
  if (!there) return fail(Code::not_found, "session " + ref.id + " was removed; nothing was written");
  return held;
}

Result<void> FileStore::remove(const Context& context, std::string_view id) {
  return delete_session(context, *this, id);
}

Result<void> FileStore::remove_by(const Context& context, std::string_view id, bool for_good, const OwnerClaim& claim,
                                  const KeepPlan& keep, const RemovalEnd& after) {
  SessionRef removed;
  HOLDFAST_TRY(need_write("delete"));
  HOLDFAST_LET(sessions, hold_sessions(context, LockKind::exclusive));
  if (!for_good) HOLDFAST_TRY(flush_unwritten(context));
  {
    DirectoryFeed feed = looking(context);
    HOLDFAST_LET(ref, resolve(context, feed, id));
    removed = std::move(ref);
    HOLDFAST_TRY(check_move_finished(*this, removed.id));
  }
  // A living owner keeps its session, unless it is the one who asks.
  HOLDFAST_LET(root, roots_.root(removed.place.root));
  HOLDFAST_TRY(check_unowned(*this, *root, removed.id, claim));
  HOLDFAST_LET(mark, lock_mark(context));
  Subject subject{.thread = {}, .session = removed.id, .updated_at = {}, .can_wait = for_good};
  HOLDFAST_LET(lock, lock_threads(context));
  Deletion deletion(*this);
  auto done = change(
      context,
      [&](DirectoryFeed& feed) -> Result<Changes> {
        HOLDFAST_LET(writer, writer_of(layout_));
        HOLDFAST_LET(changes, writer->remove(feed, removed));
        deletion.begin();
        if (for_good) {
          deletion.add_session(removed.id);
          deletion.add_former(writer->former_files(removed.id));
          HOLDFAST_TRY(deletion.add(changes));
        }
        if (keep) {
          HOLDFAST_LET(kept, keep(feed, removed, std::move(changes)));
          changes = std::move(kept);
        }
        HOLDFAST_LET(all, with_thread_of(feed, removed, {.thread = {}, .gone_session = removed.id}, moment(context),
                                         subject, std::move(changes)));
        if (for_good) {
          HOLDFAST_TRY(deletion.add(all));
          HOLDFAST_TRY(deletion.note(context));
        }
        return all;
      },
      Durability::power, &subject);
  if (after) done = after(std::move(done));
  const bool gone = done.has_value();
  if (for_good) done = deletion.end(context, std::move(done));
  if (!gone) return done;
  if (std::string group = index_group(layout_, removed); !group.empty()) keeper_.touch(group);
  for (const Hooks& hooks : hooks_) {
    if (hooks.removed != nullptr) hooks.removed(context, *this, removed.id);
  }
  tell("session:deleted", JsonWriter().begin_object().key("sessionId").string(removed.id).end_object().take());
  return done;
}

}  // namespace holdfast::inline v1
