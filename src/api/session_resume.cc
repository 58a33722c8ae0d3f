// session.resume: continues a session where it was left.
#include <algorithm>

#include "api/call.h"
#include "api/claim_session.h"
#include "api/find_session.h"
#include "api/tables.h"
#include "model/model_json.h"
#include "rules/workflow/session_start.h"
#include "store/engine.h"
#include "store/in_use.h"
#include "store/message_pages.h"
#include "store/observed.h"
#include "store/session_owner.h"

namespace holdfast::inline v1 {
namespace {

Result<Transcript> read_end(const Call& call, Store& store, std::string_view id) {
  TranscriptQuery query;
  query.last = static_cast<std::size_t>(call.integer("last", 50));
  auto transcript = store.read(call.context, id, query);
  if (!transcript && transcript.error().code == Code::invalid_argument) transcript.error().code = Code::not_found;
  return transcript;
}

// The number of all messages; only the last of them were read.
Result<std::size_t> count_messages(const Call& call, Store& store, const Session& session) {
  HOLDFAST_LET(engine, engine_of(store));
  PageQuery query;
  query.last = 1;
  HOLDFAST_LET(page, read_page(call.context, *engine, session.id, query));
  return page.total;
}

Result<std::string> answer(const Call& call, Store& store, const Transcript& transcript, std::string_view owner) {
  HOLDFAST_LET(total, count_messages(call, store, transcript.session));
  JsonWriter json = begin_answer();
  json.key("id").string(transcript.session.id).key("owner").string(owner).key("session");
  // If only the end was read, return the session as session.get does.
  Session session = transcript.session;
  if (!session.counted) {
    HOLDFAST_LET(whole, store.get(call.context, session.id));
    session = std::move(whole);
  }
  write_session(json, session);
  json.key("messages").begin_array();
  auto ordinal = std::max<std::ptrdiff_t>(0, static_cast<std::ptrdiff_t>(total) - std::ssize(transcript.messages));
  for (const Message& message : transcript.messages) write_message(json, message, ordinal++);
  json.end_array();
  write_findings(json, "damage", transcript.findings);
  return json.end_object().take();
}

// Resumes the workflow of a session with messages if a failed save paused it.
Result<void> end_pause(const Call& call, Store& store, std::string_view id) {
  HOLDFAST_LET(engine, engine_of(store));
  if (engine->layout().workflow() == nullptr || !engine->paused().why(*engine->roots().first(), id)) return {};
  HOLDFAST_TRY(resume_workflow(call.context, store, id));
  return {};
}

// A door that stays open holds the lease.
Result<std::string> take(Call& call, std::string_view id) {
  WriterOptions options;
  options.lease = call.flag("takeover") ? LeaseRequest::take_over : LeaseRequest::take;
  options.owner_note = call.text("owner");
  const auto named = name_session(call, id);
  const bool had = named && call.stores.holds(*named->store, named->id);
  // A living owner does not lose its session to a call that cannot read it.
  if (named && call.flag("takeover")) HOLDFAST_TRY(read_end(call, *named->store, named->id));
  HOLDFAST_LET(taken, open_session(call, id, options));
  const auto told = [&]() -> Result<std::string> {
    HOLDFAST_TRY(end_pause(call, *taken.store, taken.writer->id()));
    HOLDFAST_LET(transcript, read_end(call, *taken.store, taken.writer->id()));
    return answer(call, *taken.store, transcript, "this");
  };
  auto answered = told();
  // The session was removed after the lease was taken, or cannot be read. Release the lease: a failed call must not
  // hold one, unless the door held it before.
  if (!answered && (!had || answered.error().code == Code::not_found))
    (void)call.stores.release(call.context, *taken.store, taken.writer->id());
  return answered;
}

// A single call takes no lease (decision 14); it only refuses to continue a session
// that another owner is working on.
Result<std::string> look(Call& call, std::string_view id) {
  HOLDFAST_LET(named, name_session(call, id));
  HOLDFAST_LET(engine, engine_of(*named.store));
  const SpanWatch watch(call.context, engine->observer());
  if (call.flag("takeover")) HOLDFAST_TRY(read_end(call, *named.store, named.id));  // as in take()
  TakenLease lease(call, named.store, named.id);
  HOLDFAST_LET(ours, call.stores.own(call.context, *named.store, named.id, call.flag("takeover")));
  HOLDFAST_LET(transcript, read_end(call, *named.store, named.id));
  const Session& session = transcript.session;
  const bool runs = !ours && session.status == Status::running;
  if (runs && !call.flag("takeover")) {
    const auto free = check_not_owned(*named.store, session.id, {});
    Error error = free ? in_use("the session", session.id, std::nullopt) : free.error();
    error.message += "; use takeover to continue it anyway";
    return fail(std::move(error));
  }
  HOLDFAST_TRY(end_pause(call, *named.store, session.id));
  watch.end("session.resume", session.id, nullptr);
  lease.keep();
  return answer(call, *named.store, transcript, ours ? "this" : runs ? "other" : "none");
}

// A session without messages consists of its workflow: resuming makes it the
// current one and returns its state.
Result<std::string> resume_steps(const Call& call, const std::shared_ptr<Store>& store, std::string_view id) {
  SessionClaim claim(call, store);
  HOLDFAST_LET(started,
               resume_workflow(call.context, *store, id, [&](const std::string& whole) { return claim.take(whole); }));
  claim.keep();
  HOLDFAST_LET(session, store->get(call.context, started.workflow.id));
  // A takeover by a call without an owner leaves the session to a living owner.
  const bool ours = call.stores.settings().keep || call.stores.settings().owner.has_value();
  const std::string_view owner = ours ? "this" : session.status == Status::running ? "other" : "none";
  JsonWriter json = begin_answer();
  json.key("id").string(session.id).key("owner").string(owner).key("session");
  write_session(json, session);
  json.key("messages").begin_array().end_array();
  write_findings(json, "damage", started.findings);
  json.key("workflow").raw(workflow_json(started.workflow)).key("hint").string(started.hint);
  json.key("drift").raw(drift_json(started.drift)).key("warnings");
  return json.strings(started.warnings).end_object().take();
}

Result<std::string> resume(Call& call) {
  const std::string id = call.has("id") ? call.text("id") : "@last";
  if (id == "@last") {
    HOLDFAST_LET(store, call.store());
    if (keeps_only_workflows(*store)) return resume_steps(call, store, {});
  } else {
    HOLDFAST_LET(named, name_session(call, id));
    if (keeps_only_workflows(*named.store)) return resume_steps(call, named.store, named.id);
  }
  return call.stores.settings().keep ? take(call, id) : look(call, id);
}

}  // namespace

Operation resume_session_operation() {
  return {
      .method = "session.resume",
      .help = "continue a session: return it with its last messages, and hold its lease as long as the caller lives",
      .use = Use::write,
      .parameters =
          {{.name = "id",
            .help = "an id, a prefix of one, @last, or LAYOUT/ID (default: the latest)",
            .positional = true},
           {.name = "last", .help = "read the last N messages (default 50)", .type = ParamType::integer, .least = 1},
           {.name = "takeover", .help = "take it over even from a living owner", .type = ParamType::boolean},
           {.name = "owner", .help = "a note about the owner, shown to others"}},
      .result =
          "id:string owner:none|this|other session:session messages:message[] damage:finding[] "
          "workflow?:workflow hint?:string drift?:drift warnings?:string[]",
      .handler = resume,
      .aliases = {{"resume_session", {{"session_id", "id"}}}},
      .example = "session resume @last --last 5"};
}

}  // namespace holdfast::inline v1
