// session.resume: pick up a session where it was left.
#include "api/call.h"
#include "api/find_session.h"
#include "api/tables.h"
#include "model/model_json.h"

namespace holdfast::inline v1 {
namespace {

// A door that lives on holds the lease; a single call takes none (decision 14)
// and only refuses to go on with what another owner is at.
Result<std::string_view> take(Call& call, const FoundSession& found) {
  const bool take_over = call.flag("takeover");
  if (!call.stores.settings().keep) {
    if (found.session.status != Status::running) return "none";
    if (take_over) return "other";
    return fail(Code::busy, "session " + found.session.id + " is running elsewhere; takeover goes on with it anyway",
                found.session.path);
  }
  WriterOptions options;
  options.lease = take_over ? LeaseWish::take_over : LeaseWish::take;
  options.owner_note = call.text("owner");
  HOLDFAST_LET(writer, call.stores.writer(call.context, found.store, found.session.id, options));
  return "this";
}

Result<std::string> resume(Call& call) {
  HOLDFAST_LET(found, find_session(call, call.text("id")));
  HOLDFAST_LET(owner, take(call, found));
  TranscriptQuery query;
  query.last = static_cast<std::size_t>(call.integer("last", 50));
  HOLDFAST_LET(transcript, found.store->read(call.context, found.session.id, query));
  JsonWriter json = begin_answer();
  json.key("id").string(found.session.id).key("owner").string(owner).key("session");
  write_session(json, transcript.session);
  json.key("messages").begin_array();
  auto ordinal = -static_cast<std::int64_t>(transcript.messages.size());
  for (const Message& message : transcript.messages) write_message(json, message, ordinal++);
  json.end_array();
  write_findings(json, "damage", transcript.findings);
  return json.end_object().take();
}

}  // namespace

Operation resume_session_operation() {
  return {.method = "session.resume",
          .help = "go on with a session: what it is, its last messages, and its lease where the door can hold one",
          .use = Use::write,
          .parameters = {{.name = "id",
                          .help = "an id, a prefix of one, @last, or LAYOUT/ID",
                          .required = true,
                          .positional = true},
                         {.name = "last",
                          .help = "so many messages; default 50. Their ordinals count from the end: -1",
                          .type = ParamType::integer,
                          .least = 1},
                         {.name = "takeover", .help = "from a living owner too", .type = ParamType::boolean},
                         {.name = "owner", .help = "a note for others who look at the lease"}},
          .result = "id:string owner:none|this|other session:session messages:message[] damage:finding[]",
          .handler = resume,
          .aliases = {"resume_session"},
          .example = "session resume @last --last 5"};
}

}  // namespace holdfast::inline v1
