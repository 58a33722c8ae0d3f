// message.*: what is said in a session.
#include <algorithm>

#include "api/call.h"
#include "api/find_session.h"
#include "api/tables.h"
#include "model/model_json.h"

namespace holdfast::inline v1 {
namespace {

const Parameter kSession{
    .name = "session", .help = "an id, a prefix of one, @last, or LAYOUT/ID", .required = true, .positional = true};

Durability durability_of(const Call& call) {
  const std::string word = call.text("durability");
  for (const Durability known : {Durability::none, Durability::process}) {
    if (word == durability_name(known)) return known;
  }
  return Durability::power;
}

Result<Message> spoken(const Call& call) {
  if (call.has("message")) return message_from_json(call.params.find("message"));
  JsonWriter json;
  json.begin_object().key("role").string(call.has("role") ? call.text("role") : "user");
  json.key("text").string(call.text("text")).end_object();
  const std::string text = json.take();
  return message_from_json(JsonView(text));
}

Result<AppendedMessage> append_with(const Call& call, SessionWriter& writer) {
  const Durability durability = durability_of(call);
  if (call.has("raw")) return writer.append_raw(call.context, call.json("raw"), durability);
  HOLDFAST_LET(message, spoken(call));
  return writer.append(call.context, message, durability);
}

Result<std::string> append(Call& call) {
  if (call.has("message") + call.has("raw") + call.has("text") != 1)
    return fail(Code::invalid_argument, "message.append takes one of message, text and raw");
  HOLDFAST_LET(writing, open_session(call, call.text("session")));
  auto appended = append_with(call, *writing.writer);
  auto closed = call.stores.done(call.context, writing.store->name(), writing.writer);
  if (!appended) return fail(std::move(appended).error());
  HOLDFAST_TRY(closed);
  JsonWriter json = begin_answer();
  json.key("id").string(appended->id).key("session").string(writing.writer->id());
  json.key("offset").uint64(appended->ack.offset).key("end").uint64(appended->ack.end);
  json.key("durability").string(durability_name(appended->ack.durability));
  return json.end_object().take();
}

Result<std::string> list(Call& call) {
  HOLDFAST_LET(found, find_session(call, call.text("session")));
  TranscriptQuery query;
  query.branch = call.text("branch");
  query.history = call.flag("history", true);
  HOLDFAST_LET(transcript, found.store->read(call.context, found.session.id, query));
  const std::size_t total = transcript.messages.size();
  Page page = page_of(call);
  if (const auto last = static_cast<std::size_t>(call.integer("last", 0)); last > 0) {
    page.skip = total - std::min(last, total);
    page.limit = last;
  }
  const std::size_t from = std::min(page.skip, total);
  const std::size_t count = std::min(page.limit, total - from);
  JsonWriter json = begin_answer();
  json.key("session").string(found.session.id).key("messages").begin_array();
  for (std::size_t i = from; i < from + count; ++i)
    write_message(json, transcript.messages[i], static_cast<std::int64_t>(i));
  json.end_array();
  write_page(json, page, count, total);
  write_findings(json, "damage", transcript.findings);
  return json.end_object().take();
}

}  // namespace

std::span<const Operation> message_operations() {
  static const std::vector<Operation> all{
      {.method = "message.append",
       .help = "add a message to a session; durable when it answers",
       .use = Use::write,
       .parameters = {kSession,
                      {.name = "text", .help = "a text; for more than a text give message", .positional = true},
                      {.name = "role",
                       .help = "who says the text; default user",
                       .words = {"user", "assistant", "tool", "system"}},
                      {.name = "message",
                       .help = "{\"role\", \"text\" or \"blocks\", \"model\", \"usage\", ...}",
                       .type = ParamType::object},
                      {.name = "raw",
                       .help = "an object to store verbatim, where the layout allows it",
                       .type = ParamType::object},
                      {.name = "durability",
                       .help = "what to wait for; default power",
                       .words = {"power", "process", "none"}}},
       .result = "id:string session:string offset:integer end:integer durability:power|process|none",
       .errors = {Code::invalid_record, Code::already_exists},
       .handler = append,
       .aliases = {"append_message"},
       .example = "message append k7f3 \"What does the parser do?\""},
      {.method = "message.list",
       .help = "list the messages of a session in order",
       .parameters = {kSession,
                      {.name = "last", .help = "only the last so many", .type = ParamType::integer, .least = 1},
                      {.name = "branch", .help = "the leaf of a branch, or all; default: the active one"},
                      {.name = "history",
                       .help = "with what a fork took over; default true",
                       .type = ParamType::boolean},
                      limit_parameter(),
                      skip_parameter()},
       .result = "session:string messages:message[] total:integer next:integer? damage:finding[]",
       .handler = list,
       .aliases = {"list_messages"},
       .example = "message list @last --last 5"},
  };
  return all;
}

}  // namespace holdfast::inline v1
