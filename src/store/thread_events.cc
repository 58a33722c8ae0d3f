// How events of a session affect its thread: in the same commit, the thread
// gets a new updatedAt and its entry in the layout's index (M20).
#include "base/id.h"
#include "layout/change.h"
#include "layout/moment.h"
#include "layout/thread_keeper.h"
#include "model/thread.h"
#include "model/time_formats.h"
#include "store/file_store.h"
#include "store/record_codec.h"
#include "store/record_lookup.h"
#include "store/typed_records.h"

namespace holdfast::inline v1 {

Result<RecordLock> FileStore::lock_threads(const Context& context) const {
  if (!options_.write || !layout_.traits().sessions_in_threads) return RecordLock();
  return lock_documents(context);
}

Result<RecordLock> FileStore::lock_documents(const Context& context) const {
  HOLDFAST_TRY(need_write("change anything"));
  return lock_records(context, *roots_.first());
}

Result<Changes> FileStore::touch_thread(Feed& feed, const ThreadTouch& touch, const Moment& moment,
                                        Subject& subject) const {
  HOLDFAST_LET(shape, shape_of_kind(layout_, "thread"));
  HOLDFAST_LET(place, place_of_record(layout_, feed, *shape, {"thread", {}, touch.thread}));
  std::optional<std::string> bytes = touch.fresh;
  if (!bytes) {
    HOLDFAST_LET(stored, feed.document(place));
    bytes = std::move(stored);
  }
  if (!bytes) return fail(Code::not_found, "there is no thread " + touch.thread, place.path);
  const std::string updated = iso_micros(next_stamp(written_time(*shape, *bytes, "updated_at"), moment.now));
  JsonWriter patch;
  patch.begin_object().key("updated_at").string(updated);
  if (touch.last_session) patch.key("last_session_id").string(*touch.last_session);
  if (!touch.gone_session.empty()) {
    HOLDFAST_LET(record, read_record(*shape, touch.thread, *bytes));
    if (parse_record<Thread>(std::move(record)).last_session == touch.gone_session) patch.key("last_session_id").null();
  }
  const std::string fields = patch.end_object().take();
  auto saved = patch_record(*shape, *bytes, JsonView(fields));
  if (!saved) {
    if (saved.error().path.empty()) saved.error().path = place.path;
    return fail(std::move(saved).error());
  }
  subject.thread = touch.thread;
  subject.updated_at = updated;
  Changes changes;
  touch.fresh ? changes.create(place, *saved) : changes.put(place, *saved);
  HOLDFAST_LET(index, index_threads(layout_, feed, {{touch.thread, std::move(*saved)}}, false, moment));
  changes.add(std::move(index));
  return changes;
}

Result<Changes> FileStore::with_thread_of(Feed& feed, const SessionRef& ref, ThreadTouch touch, const Moment& moment,
                                          Subject& subject, Changes changes) const {
  HOLDFAST_LET(thread, thread_of(layout_, feed, ref));
  if (thread.empty() || layout_.shape("thread") == nullptr) return changes;
  touch.thread = thread;
  auto saved = touch_thread(feed, touch, moment, subject);
  // A session whose thread was removed goes on without it.
  if (!saved && (saved.error().code == Code::not_found || saved.error().code == Code::unsafe_path)) return changes;
  if (!saved) return saved;
  changes.add(std::move(*saved));
  return changes;
}

Result<FileStore::ThreadTouch> FileStore::thread_for(const Context& context, DirectoryFeed& feed, SessionDraft& draft,
                                                     const Moment& moment) const {
  ThreadTouch touch;
  if (draft.thread.empty() && !layout_.traits().sessions_in_threads) return touch;
  Thread thread;
  if (draft.thread.empty()) {
    HOLDFAST_LET(all, typed<Thread>(look(context, feed, {"thread", {}, {}})));
    if (const Thread* found = thread_of_project(all.records, draft.project)) {
      thread = *found;
    } else {
      HOLDFAST_LET(shape, shape_of_kind(layout_, "thread"));
      thread = {.id = make_id("thr", moment.entropy(), 10),
                .title = draft.title,
                .project = draft.project,
                .harness = draft.agent,
                .model = draft.model};
      thread.created_at = thread.updated_at = iso_micros(moment.now);
      HOLDFAST_LET(bytes, format_record(*shape, thread.id, JsonView(changes_in(thread))));
      touch.fresh = std::move(bytes);
    }
    draft.thread = thread.id;
  } else {
    HOLDFAST_LET(found, look(context, feed, {"thread", {}, draft.thread}));
    HOLDFAST_TRY(check_single_record(found, "thread", draft.thread));
    thread = parse_record<Thread>(std::move(found.records.front()));
  }
  touch.thread = draft.thread;
  if (draft.project.empty()) draft.project = thread.project;
  if (draft.agent.empty()) draft.agent = thread.harness;
  return touch;
}

void FileStore::persisted(const Subject& subject) {
  if (has_unwritten_changes()) return;
  JsonWriter json;
  json.begin_object().key("threadId").string(subject.thread).key("sessionId");
  subject.session.empty() ? json.null() : json.string(subject.session);
  tell("session:persisted", json.key("updatedAt").string(subject.updated_at).end_object().take());
}

Result<AppendedMessage> FileStore::add_message(const Context& context, const SessionRef& ref,
                                               const FormatMessage& spell) {
  AppendedMessage done;
  Subject subject{.thread = {}, .session = ref.id, .updated_at = {}};
  bool news = false;
  HOLDFAST_LET(lock, lock_threads(context));
  HOLDFAST_TRY(change(
      context,
      [&](DirectoryFeed& feed) -> Result<Changes> {
        const Moment now = moment(context);
        HOLDFAST_LET(spelling, spell(feed, now));
        done.id = std::move(spelling.id);
        news = !spelling.first.empty();
        done.ack.end = 0;
        for (const Change& change : spelling.first.list()) done.ack.end += change.bytes.size();
        if (!news) return Changes();
        return with_thread_of(feed, ref, {}, now, subject, std::move(spelling.first));
      },
      Durability::power, &subject));
  done.ack.durability = has_unwritten_changes() ? Durability::none : Durability::power;
  if (news) subject.thread.empty() ? touched(ref) : persisted(subject);
  return done;
}

}  // namespace holdfast::inline v1
