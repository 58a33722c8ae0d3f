// message.*: what is said in a session.
#include "api/call.h"
#include "api/find_session.h"
#include "api/tables.h"
#include "model/message_as.h"
#include "model/model_json.h"
#include "rules/threads/threads.h"
#include "store/message_pages.h"

namespace holdfast::inline v1 {
namespace {

const Parameter kSession{.name = "session", .help = "an id, a prefix of one, @last, or LAYOUT/ID", .positional = true};

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

// A MessageRecord of seed 004, with its camelCase names.
bool is_record(JsonView message) { return static_cast<bool>(message.find("sessionId")); }

Result<AppendedMessage> append_with(const Call& call, const Store& store, SessionWriter& writer) {
  const Durability durability = durability_of(call);
  if (const JsonView message = call.params.find("message"); is_record(message) && store.layout_name() == "maestro")
    return writer.append_raw(call.context, message.raw(), durability);
  if (call.has("raw")) return writer.append_raw(call.context, call.json("raw"), durability);
  HOLDFAST_LET(message, spoken(call));
  return writer.append(call.context, message, durability);
}

Result<std::string> append(Call& call) {
  if (call.has("message") + call.has("raw") + call.has("text") != 1)
    return fail(Code::invalid_argument, "message.append takes one of message, text and raw");
  std::string session = call.text("session");
  if (session.empty()) session = call.params.find("message").find("sessionId").as_string().value_or("");
  if (session.empty()) return fail(Code::invalid_argument, "message.append needs a session");
  HOLDFAST_LET(writing, open_session(call, session));
  auto appended = append_with(call, *writing.store, *writing.writer);
  auto closed = call.stores.done(call.context, writing.store->name(), writing.writer);
  if (!appended) return fail(std::move(appended).error());
  HOLDFAST_TRY(closed);
  JsonWriter json = begin_answer();
  json.key("id").string(appended->id).key("session").string(writing.writer->id());
  json.key("offset").uint64(appended->ack.offset).key("end").uint64(appended->ack.end);
  json.key("durability").string(durability_name(appended->ack.durability));
  return json.end_object().take();
}

// How messages are given back.
enum class Spelled { holdfast, anthropic, openai };

Spelled spelled_as(const Call& call) {
  const std::string as = call.text("as");
  return as == "anthropic" ? Spelled::anthropic : as == "openai" ? Spelled::openai : Spelled::holdfast;
}

bool wants_data(const Call& call) { return call.flag("data") || spelled_as(call) != Spelled::holdfast; }

// "messages", or "items" in the shape of another API.
void write_messages(JsonWriter& json, const Call& call, const MessagePage& page) {
  const Spelled as = spelled_as(call);
  const MediaData media = wants_data(call) ? MediaData::base64 : MediaData::blob;
  json.key(as == Spelled::holdfast ? "messages" : "items").begin_array();
  auto number = static_cast<std::int64_t>(page.from);
  for (const Message& message : page.messages) {
    switch (as) {
      case Spelled::holdfast: write_message(json, message, number++, media); break;
      case Spelled::anthropic: write_as_anthropic(json, message); break;
      case Spelled::openai: write_as_openai(json, message); break;
    }
  }
  json.end_array();
}

Result<PageQuery> query_of(const Call& call) {
  const Page page = page_of(call);
  PageQuery query{.skip = page.skip, .limit = page.limit};
  query.list.branch = call.text("branch");
  query.list.history = call.flag("history", true);
  query.list.data = wants_data(call);
  query.last = static_cast<std::size_t>(call.integer("last", 0));
  if (call.has("cursor")) {
    HOLDFAST_LET(cursor, MessageCursor::parse(call.text("cursor")));
    query.cursor = cursor;
  }
  return query;
}

void write_place(JsonWriter& json, const MessagePage& page) {
  write_page(json, {.limit = page.messages.size(), .skip = page.from}, page.messages.size(), page.total,
             [&] { return page.next ? page.next->text() : std::string(); });
}

// Of all sessions of a thread.
Result<std::string> list_of_thread(Call& call) {
  HOLDFAST_LET(query, query_of(call));
  HOLDFAST_LET(store, call.store());
  HOLDFAST_LET(transcript, read_thread(call.context, *store, call.text("thread")));
  std::vector<Message> messages;
  messages.reserve(transcript.messages.size());
  for (ThreadMessage& one : transcript.messages) messages.push_back(std::move(one.message));
  HOLDFAST_LET(page, page_of_list(std::move(messages), query));
  JsonWriter json = begin_answer();
  json.key("thread").string(call.text("thread"));
  write_messages(json, call, page);
  json.key("sessions").begin_array();
  for (std::size_t i = 0; i < page.messages.size(); ++i) json.string(transcript.messages[page.from + i].session);
  json.end_array();
  write_place(json, page);
  write_findings(json, "damage", transcript.findings);
  return json.end_object().take();
}

Result<std::string> list(Call& call) {
  if (call.has("thread") == call.has("session"))
    return fail(Code::invalid_argument, "message.list takes a session or a thread");
  if (call.has("thread")) return list_of_thread(call);
  HOLDFAST_LET(query, query_of(call));
  HOLDFAST_LET(found, locate_session(call, call.text("session")));
  HOLDFAST_LET(page, read_page(call.context, *found.files, found.ref.id, query));
  JsonWriter json = begin_answer();
  json.key("session").string(page.session);
  write_messages(json, call, page);
  write_place(json, page);
  write_findings(json, "damage", page.findings);
  return json.end_object().take();
}

}  // namespace

std::span<const Operation> message_operations() {
  static const std::vector<Operation> all{
      {.method = "message.append",
       .help = "add a message to a session; durable when it answers",
       .use = Use::write,
       .parameters =
           {kSession,
            {.name = "text", .help = "a text; for more than a text give message", .positional = true},
            {.name = "role",
             .help = "who says the text (default user)",
             .words = {"user", "assistant", "tool", "system"}},
            {.name = "message",
             .help =
                 "{\"role\", \"text\" or \"blocks\", \"model\", \"usage\", ...}; or a message of Anthropic, an item "
                 "of OpenAI's Responses, a UI message of Vercel, or a record of Maestro, which names its session "
                 "itself; every member is kept or refused",
             .type = ParamType::object,
             .shape = "given_message"},
            {.name = "raw",
             .help = "an object to store verbatim, where the layout allows it",
             .type = ParamType::object},
            {.name = "durability", .help = "what to wait for (default power)", .words = {"power", "process", "none"}}},
       .result = "id:string session:string offset:integer end:integer durability:power|process|none",
       .errors = {Code::invalid_record, Code::already_exists},
       .handler = append,
       .aliases = {"append_message"},
       .example = "message append k7f3 \"What does the parser do?\""},
      {.method = "message.list",
       .help = "list the messages of a session, or of a thread, in order",
       .parameters = {kSession,
                      {.name = "thread", .help = "instead of a session: all sessions of this thread"},
                      {.name = "last", .help = "only the last N", .type = ParamType::integer, .least = 1},
                      {.name = "branch", .help = "the leaf of a branch, or all (default: the active one)"},
                      {.name = "history",
                       .help = "with what a fork took over (default true)",
                       .type = ParamType::boolean},
                      {.name = "data",
                       .help = "with the bytes of images, documents and audio, in base64",
                       .type = ParamType::boolean},
                      {.name = "as",
                       .help = "messages of Anthropic's API or items of OpenAI's Responses instead, as items; "
                               "default holdfast",
                       .words = {"holdfast", "anthropic", "openai"}},
                      limit_parameter(),
                      skip_parameter()},
       .result = "session?:string thread?:string messages?:message[] items?:object[] sessions?:string[] total:integer "
                 "next:integer? "
                 "damage:finding[]",
       .handler = list,
       .aliases = {"list_messages"},
       .example = "message list @last --last 5",
       .own_cursor = true},
  };
  return all;
}

}  // namespace holdfast::inline v1
