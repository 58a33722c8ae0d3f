#include "rules/threads/thread_resume.h"

#include "layout/change.h"
#include "layout/moment.h"
#include "layout/writable_layout.h"
#include "model/tally.h"
#include "rules/threads/threads.h"
#include "store/engine.h"
#include "store/in_use.h"
#include "store/observed.h"
#include "store/record_lookup.h"
#include "store/record_text.h"

namespace holdfast::inline v1 {
namespace {

// Whether the session exists and has not ended; an unreadable one is not continued.
Result<bool> is_open(const Layout& layout, Feed& feed, std::string_view id) {
  const auto ref = layout.locate(feed, id);
  if (!ref) return fail(ref.error());
  if (!*ref) return false;
  Tally tally;
  const auto head = layout.read_head(feed, **ref, tally);
  if (head && !*head) {
    if (const auto whole = layout.read(feed, **ref, {.whole = false}, tally); !whole) return false;
  }
  if (!head) {
    // The caller that plans the change sets a corrupt session aside. One of a newer version belongs to another program,
    // which would not find it again if another took its place.
    if (head.error().code == Code::corrupt || head.error().code == Code::schema_version_mismatch)
      return fail(head.error());
    return false;
  }
  Session session;
  tally.finish(session);
  const bool ended = JsonView(session.metadata).find("endedAt").kind() == JsonKind::string;
  const bool open =
      session.status == Status::active || session.status == Status::running || session.status == Status::interrupted;
  return open && !ended;
}

}  // namespace

Result<ResumedThread> resume_thread(const Context& context, Store& store, std::string_view id, SessionDraft draft,
                                    std::string_view ours) {
  HOLDFAST_LET(engine, engine_of(store));
  const Layout& layout = engine->layout();
  const std::shared_ptr<Root>& root = engine->roots().first();
  const SpanWatch watch(context, engine->observer());
  ResumedThread resumed;
  draft.thread = id;
  FileStore::Subject subject{.thread = std::string(id), .session = {}, .updated_at = {}};
  {
    HOLDFAST_LET(lock, engine->lock_documents(context));
    auto done = engine->change(
        context,
        [&](DirectoryFeed& feed) -> Result<Changes> {
          const Moment now = engine->moment(context);
          resumed.new_session = false;
          HOLDFAST_LET(found, engine->look(context, feed, {"thread", {}, std::string(id)}));
          HOLDFAST_TRY(check_single_record(found, "thread", id));
          const std::string last = parse_record<Thread>(std::move(found.records.front())).last_session;
          if (!last.empty()) {
            auto open = is_open(layout, feed, last);
            const auto failed = [&](Code code) { return !open && open.error().code == code; };
            if (failed(Code::corrupt) || failed(Code::schema_version_mismatch)) return fail(std::move(open).error());
            if (open && *open) {
              HOLDFAST_LET(lease, look_at_lease(*root, lease_name(last)));
              if (lease.alive && last != ours) return fail(in_use("the session", last, lease.owner));
              resumed.session = last;
              return Changes();
            }
          }
          SessionDraft request = draft;
          HOLDFAST_LET(touch, engine->thread_for(context, feed, request, now));
          HOLDFAST_LET(safe, engine->redactor().hidden(feed, request));
          HOLDFAST_LET(writer, writer_of(layout));
          HOLDFAST_LET(made, writer->create(feed, safe, now));
          resumed.new_session = true;
          resumed.session = subject.session = touch.last_session.emplace(made.ref.id);
          HOLDFAST_LET(thread, engine->touch_thread(feed, touch, now, subject));
          made.changes.add(std::move(thread));
          return std::move(made.changes);
        },
        Durability::power, &subject);
    HOLDFAST_TRY(done);
  }
  if (resumed.new_session) {
    watch.end("session.create", resumed.session, nullptr);
    engine->persisted(subject);
  }
  JsonWriter json;
  json.begin_object().key("threadId").string(id).key("sessionId").string(resumed.session);
  engine->tell("session:resumed", json.end_object().take());
  HOLDFAST_LET(thread, get_thread(context, store, id));
  resumed.thread = std::move(thread);
  return resumed;
}

Result<std::size_t> fail_dead_sessions(const Context& context, Store& store) {
  HOLDFAST_LET(engine, engine_of(store));
  if (!engine->layout().traits().sessions_in_threads) return 0;
  constexpr std::string_view kPrefix = "session-";
  const std::shared_ptr<Root>& root = engine->roots().first();
  const auto leases = root->directory().list(root->side("leases"));
  std::size_t count = 0;
  for (const DirectoryEntry& entry : leases ? *leases : std::vector<DirectoryEntry>()) {
    if (!entry.name.starts_with(kPrefix)) continue;
    const std::string id = entry.name.substr(kPrefix.size());
    HOLDFAST_LET(state, look_at_lease(*root, entry.name));
    if (state.alive || !state.owner) continue;
    // Hold the lease while the session is marked, so only one process does it and no other resumes the session.
    auto lease = Lease::acquire(context, root, entry.name, "store.repair");
    if (!lease) continue;
    {
      DirectoryFeed feed = engine->looking(context);
      const auto open = is_open(engine->layout(), feed, id);
      if (open && *open) {
        HOLDFAST_TRY(store.update(context, id, {.status = Status::failed}));
        ++count;
      }
    }
    (void)lease->release();
  }
  return count;
}

}  // namespace holdfast::inline v1
