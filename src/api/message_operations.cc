// message.*: the messages of a session.
#include <algorithm>
#include <optional>

#include "api/call.h"
#include "api/claim_session.h"
#include "api/counted_page.h"
#include "api/dry_run.h"
#include "api/find_session.h"
#include "api/mask.h"
#include "api/media_operation.h"
#include "api/seed_answers.h"
#include "api/session_filter.h"
#include "api/tables.h"
#include "find/session_cost.h"
#include "layout/layout.h"
#include "layout/thread_keeper.h"
#include "layout/writable_layout.h"
#include "model/deduplicate_usage.h"
#include "model/message_as.h"
#include "model/model_json.h"
#include "rules/threads/threads.h"
#include "rules/upkeep/history.h"
#include "store/branch.h"
#include "store/engine.h"
#include "store/message_pages.h"
#include "text/json_copy.h"
#include "text/json_integer.h"
#include "text/json_scan.h"
#include "text/valid_json.h"

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

// For a layout that does not store such records verbatim: refuses what Maestro would refuse, and what would be read
// back as something else.
Result<void> check_record(const Call& call, Store& store, const std::string& session) {
  const JsonView record = call.params.find("message");
  if (!is_record(record) || store.layout_name() == "maestro") return {};
  if (const JsonView version = record.find("schemaVersion"); version && json_integer(version) != 1)
    return fail(
        Code::schema_version_mismatch,
        "schemaVersion of the message is " + std::string(version.raw().substr(0, 40)) + "; version 1 is required");
  const auto named = record.find("threadId").as_string();
  if (!named || named->empty()) return {};
  HOLDFAST_LET(files, engine_of(store));
  DirectoryFeed feed = files->looking(call.context);
  HOLDFAST_LET(ref, files->resolve(call.context, feed, session));
  HOLDFAST_LET(thread, thread_of(files->layout(), feed, ref));
  if (*named == thread) return {};
  return fail(Code::invalid_argument, "threadId of the message is " + named->substr(0, 100) +
                                          (thread.empty() ? "; its session is in no thread" : ", not " + thread));
}

Result<AppendedMessage> append_with(const Call& call, Store& store, SessionWriter& writer) {
  const Durability durability = durability_of(call);
  HOLDFAST_TRY(check_record(call, store, writer.id()));
  if (const JsonView message = call.params.find("message"); is_record(message) && store.layout_name() == "maestro")
    return writer.append_raw(call.context, message.raw(), durability);
  if (call.has("raw")) return writer.append_raw(call.context, call.json("raw"), durability);
  HOLDFAST_LET(message, spoken(call));
  return writer.append(call.context, message, durability);
}

// How the SDK itself treats an unknown session (decision 20).
std::string nothing_appended(const std::string& session) {
  JsonWriter json = begin_answer();
  json.key("id").string("").key("session").string(session).key("offset").uint64(0).key("end").uint64(0);
  json.key("durability").string(durability_name(Durability::none)).key("appended").boolean(false);
  return json.end_object().take();
}

// Returns the session to append to, as the call names it; fails if the parameters contradict each other.
Result<std::string> session_of_append(const Call& call) {
  if (call.has("message") + call.has("raw") + call.has("text") != 1)
    return fail(Code::invalid_argument, "message.append takes one of message, text and raw");
  for (const std::string_view body : {"message", "raw"}) {
    const JsonView role = call.params.find(body).find("role");
    if (call.has("role") && call.has(body) && !role.is_string(call.text("role")))
      return fail(Code::invalid_argument,
                  "message.append: role is for text; " +
                      (role ? std::string(body) + " has a different one" : "put it into " + std::string(body)));
  }
  std::string session = call.text("session");
  if (session.empty()) session = call.params.find("message").find("sessionId").as_string().value_or("");
  if (session.empty()) return fail(Code::invalid_argument, "message.append needs a session");
  return session;
}

Result<std::string> append(Call& call) {
  HOLDFAST_LET(session, session_of_append(call));
  // The owner of a call gets the session with its first append, and not with one that is refused.
  std::optional<TakenLease> lease;
  if (auto named = call.stores.settings().owner ? name_session(call, session) : fail(Code::not_found, ""))
    lease.emplace(call, std::move(named->store), std::move(named->id));
  auto opened = open_session(call, session);
  if (!opened && opened.error().code == Code::not_found && call.flag("if_exists")) return nothing_appended(session);
  if (!opened) return fail(std::move(opened).error());
  OpenSession& writing = *opened;
  HOLDFAST_TRY(call.stores.check_free(*writing.store, writing.writer->id()));
  auto appended = append_with(call, *writing.store, *writing.writer);
  auto closed = call.stores.done(call.context, writing.store->name(), writing.writer);
  if (!appended) return fail(std::move(appended).error());
  if (lease) lease->keep();
  HOLDFAST_TRY(closed);
  // In a layout whose lines have no ids, the offset is the id, e.g. for a fork.
  const bool by_offset = appended->id.empty() && appended->ack.end > 0 && writing.store->layout_name() == "linggen";
  JsonWriter json = begin_answer();
  json.key("id").string(by_offset ? std::to_string(appended->ack.offset) : appended->id);
  json.key("session").string(writing.writer->id());
  json.key("offset").uint64(appended->ack.offset).key("end").uint64(appended->ack.end);
  json.key("durability").string(durability_name(appended->ack.durability));
  // In a layout with one file per message, the message may already exist.
  const auto files = engine_of(*writing.store);
  const bool there = files && (*files)->layout().message_files() != nullptr && appended->ack.end == 0;
  return json.key("appended").boolean(!there).end_object().take();
}

// The format in which messages are returned.
enum class Spelled { holdfast, anthropic, openai, maestro, raw };

Spelled message_format_of(const Call& call) {
  const std::string as = call.text("as");
  if (as == "anthropic") return Spelled::anthropic;
  if (as == "openai") return Spelled::openai;
  if (as == "maestro") return Spelled::maestro;
  return as == "raw" ? Spelled::raw : Spelled::holdfast;
}

bool wants_raw(const Call& call) {
  const Spelled as = message_format_of(call);
  return as == Spelled::raw || as == Spelled::maestro;
}

bool wants_data(const Call& call) {
  return call.flag("data") || (message_format_of(call) != Spelled::holdfast && !wants_raw(call));
}

// Writes the stored record on one line; as a string if it is not JSON.
void write_raw(JsonWriter& json, const Message& message) {
  if (check_json(message.raw).ok())
    json.raw(compact_json(JsonView(message.raw)));
  else
    json.string(message.raw);
}

void write_messages(JsonWriter& json, const Call& call, const ViewPage& page) {
  constexpr std::size_t kNames = 200;  // bytes of a message that its record does not have
  const MediaData media = wants_data(call) ? MediaData::base64 : MediaData::blob;
  json.expect(page.records.size() + page.messages.size() * kNames);
  json.key("messages").begin_array();
  for (const MessageView& message : page.messages)
    write_message(json, message, media, estimated_cost(message, call.stores.settings().prices));
  json.end_array();
}

// Writes "messages", or "items" in another format. `session_of` returns the session of the message with that number.
template <typename SessionOf>
void write_messages(JsonWriter& json, const Call& call, const Layout& layout, MessagePage& page,
                    const SessionOf& session_of) {
  const Spelled as = message_format_of(call);
  const WritableLayout* const writer = layout.writer();
  if (writer != nullptr && (as == Spelled::anthropic || as == Spelled::openai))
    for (Message& message : page.messages) writer->clear_made_up(message);
  const MediaData media = wants_data(call) ? MediaData::base64 : MediaData::blob;
  json.key(as == Spelled::holdfast ? "messages" : "items").begin_array();
  std::size_t number = page.from;
  for (const Message& message : page.messages) {
    switch (as) {
      case Spelled::holdfast:
        write_message(json, message, message.ordinal, media, estimated_cost(message, call.stores.settings().prices));
        break;
      case Spelled::anthropic: write_as_anthropic(json, message); break;
      case Spelled::openai: write_as_openai(json, message); break;
      case Spelled::maestro:
        write_valid_json(json, maestro_message(message, call.text("thread"), session_of(number)));
        break;
      case Spelled::raw: write_raw(json, message); break;
    }
    ++number;
  }
  json.end_array();
}

Result<PageQuery> query_of(const Call& call) {
  const Page page = page_of(call);
  PageQuery query{.skip = page.skip, .limit = page.limit};
  if (call.has("last") && !call.has("limit")) query.limit = static_cast<std::size_t>(call.integer("last", 0));
  query.list.branch = call.text("branch");
  query.list.history = call.flag("history", true);
  query.list.data = wants_data(call);
  query.last = static_cast<std::size_t>(call.integer("last", 0));
  if (call.has("at")) {
    for (const std::string_view other : {"cursor", "last", "skip"})
      if (call.has(other)) return fail(Code::invalid_argument, "at and " + std::string(other) + " exclude each other");
    query.at = call.integer("at", 0);
  }
  if (call.has("cursor")) {
    HOLDFAST_LET(cursor, MessageCursor::parse(call.text("cursor")));
    query.cursor = cursor;
  }
  return query;
}

void write_place(JsonWriter& json, const PagePlace& page, std::size_t count) {
  const std::size_t end = page.from + count;
  json.key("total").uint64(page.total).key("next");
  // With `last`, skip counts from the first of these messages.
  page.next ? json.uint64(end - std::min(page.first, end)) : json.null();
  json.key("next_cursor");
  page.next ? json.string(page.next->text()) : json.null();
}

// Keeps only the branch; it may extend over several sessions of the thread.
Result<void> keep_branch(std::vector<ThreadMessage>& messages, const std::string& branch, const std::string& thread) {
  if (branch.empty() || branch == "all") return {};
  std::vector<Message> all;
  for (const ThreadMessage& one : messages) all.push_back(one.message);
  if (std::ranges::find(all, branch, &Message::id) == all.end())
    return fail(Code::not_found, "branch: thread " + thread + " has no message " + branch);
  const std::vector<bool> kept = on_branch(all, branch);
  std::size_t number = 0;
  std::erase_if(messages, [&](const ThreadMessage&) { return !kept[number++]; });
  return {};
}

// Lists the messages of all sessions of a thread.
Result<std::string> list_of_thread(Call& call) {
  HOLDFAST_LET(query, query_of(call));
  HOLDFAST_LET(store, call.store());
  HOLDFAST_LET(engine, engine_of(*store));
  HOLDFAST_LET(transcript, read_thread(call.context, *store, call.text("thread"), wants_raw(call)));
  if (transcript.messages.empty() && transcript.findings.empty())
    HOLDFAST_TRY(get_thread(call.context, *store, call.text("thread")));
  HOLDFAST_TRY(keep_branch(transcript.messages, query.list.branch, call.text("thread")));
  if (call.has("from_agent"))
    std::erase_if(transcript.messages,
                  [&](const ThreadMessage& one) { return one.message.agent != call.text("from_agent"); });
  std::vector<Message> messages;
  messages.reserve(transcript.messages.size());
  for (ThreadMessage& one : transcript.messages) {
    one.message.ordinal = std::ssize(messages);  // in a thread, its place on the list
    messages.push_back(std::move(one.message));
  }
  deduplicate_usage(messages);
  HOLDFAST_LET(page, page_of_list(std::move(messages), query));
  if (call.flag("redact")) std::ranges::for_each(page.messages, [](Message& one) { mask(one); });
  JsonWriter json = begin_answer();
  json.key("thread").string(call.text("thread"));
  write_messages(json, call, engine->layout(), page,
                 [&](std::size_t number) { return transcript.messages[number].session; });
  json.key("sessions").begin_array();
  for (std::size_t i = 0; i < page.messages.size(); ++i) json.string(transcript.messages[page.from + i].session);
  json.end_array();
  write_place(json, page, page.messages.size());
  write_findings(json, "damage", transcript.findings);
  return json.end_object().take();
}

// Reads the whole session if a page cannot be found by its records alone.
Result<MessagePage> read_list(const Call& call, FileStore& files, const std::string& id, const PageQuery& query) {
  if (!wants_raw(call) && !call.has("from_agent")) return read_counted_page(call.context, files, id, query);
  TranscriptQuery wanted = query.list;
  wanted.raw = wants_raw(call);
  HOLDFAST_LET(transcript, call.has("from_agent")
                               ? read_agent_messages(call.context, files, id, call.text("from_agent"), wanted)
                               : files.read(call.context, id, wanted));
  deduplicate_usage(transcript.messages);
  HOLDFAST_LET(page, page_of_list(std::move(transcript.messages), query));
  page.session = transcript.session.id;
  page.findings = std::move(transcript.findings);
  return page;
}

// `write` writes the messages of the page.
template <typename AnyPage, typename Write>
std::string list_answer(const AnyPage& page, const Write& write) {
  JsonWriter json = begin_answer();
  json.key("session").string(page.session);
  write(json);
  write_place(json, page, page.messages.size());
  write_findings(json, "damage", page.findings);
  return json.end_object().take();
}

Result<std::string> list(Call& call) {
  if (call.has("thread") == call.has("session"))
    return fail(Code::invalid_argument, "message.list takes a session or a thread");
  if (call.has("thread")) return list_of_thread(call);
  HOLDFAST_LET(query, query_of(call));
  HOLDFAST_LET(found, locate_session(call, call.text("session")));
  if (message_format_of(call) == Spelled::holdfast && !call.flag("redact") && !call.has("from_agent")) {
    HOLDFAST_LET(page, read_counted_view_page(call.context, *found.files, found.ref.name(), query));
    return list_answer(page, [&](JsonWriter& json) { write_messages(json, call, page); });
  }
  HOLDFAST_LET(page, read_list(call, *found.files, found.ref.name(), query));
  if (call.flag("redact")) std::ranges::for_each(page.messages, [](Message& one) { mask(one); });
  return list_answer(page, [&](JsonWriter& json) {
    write_messages(json, call, found.files->layout(), page,
                   [&](std::size_t) -> std::string_view { return page.session; });
  });
}

}  // namespace

Result<std::string> would_append(Call& call) {
  HOLDFAST_LET(session, session_of_append(call));
  // Find the session as for reading, by its name alone: a preview opens no writer, and an append does not read the log.
  const Call reading{call.context, *find_operation("session.get"), call.params, call.stores, true};
  auto found = locate_session(reading, session);
  if (!found && found.error().code == Code::not_found && call.flag("if_exists"))
    return "do nothing: there is no session " + session;
  if (!found) return fail(std::move(found).error());
  HOLDFAST_TRY(call.stores.check_free(*found->files, found->ref.name()));
  return "add a message to session " + found->ref.name() + " of " + found->files->name();
}

std::span<const Operation> message_operations() {
  static const std::vector<Operation> all{
      {.method = "message.append",
       .help = "add a message to a session; it is durable when the call returns",
       .use = Use::write,
       .parameters =
           {kSession,
            {.name = "text", .help = "a text; use `message` for anything else", .positional = true},
            {.name = "role",
             .help = "role of the text (default user)",
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
            {.name = "durability", .help = "what to wait for (default power)", .words = {"power", "process", "none"}},
            {.name = "if_exists",
             .help = "do nothing if there is no such session, instead of failing",
             .type = ParamType::boolean}},
       .result = "id:string session:string offset:integer end:integer durability:power|process|none "
                 "appended:boolean",
       .errors = {Code::invalid_record, Code::already_exists},
       .handler = append,
       .aliases = {"append_message"},
       .example = "message append k7f3 \"What does the parser do?\""},
      {.method = "message.list",
       .help = "list the messages of a session, or of a thread, in order",
       .parameters = {kSession,
                      {.name = "thread", .help = "instead of a session: all sessions of this thread"},
                      machine_parameter(),
                      {.name = "last", .help = "only the last N", .type = ParamType::integer, .least = 1},
                      {.name = "at",
                       .help = "start with the message of this ordinal, as search and show give it; if it is not on "
                               "the list, with the next one",
                       .type = ParamType::integer,
                       .least = 0},
                      {.name = "branch", .help = "the leaf of a branch, or all (default: the active one)"},
                      {.name = "history",
                       .help = "include what a fork copied (default); --no-history leaves it out",
                       .type = ParamType::boolean},
                      {.name = "data",
                       .help = "include the bytes of images, documents and audio, in base64",
                       .type = ParamType::boolean},
                      {.name = "as",
                       .help = "give items instead: messages of Anthropic's API, items of OpenAI's Responses, records "
                               "of Maestro, or raw: the records as they are stored (default holdfast)",
                       .words = {"holdfast", "anthropic", "openai", "maestro", "raw"}},
                      {.name = "from_agent", .help = "only messages of this agent, in sessions with several"},
                      redact_parameter(),
                      limit_parameter(),
                      skip_parameter()},
       .result = "session?:string thread?:string messages?:message[] items?:any[] sessions?:string[] total:integer "
                 "next:integer? "
                 "damage:finding[]",
       .handler = list,
       .aliases =
           {{"list_messages", {{"thread_id", "thread"}, {"session_id", "session"}}, as_maestro, kWholeListAsMaestro}},
       .example = "message list @last --last 5",
       .own_cursor = true},
      media_operation(),
  };
  return all;
}

}  // namespace holdfast::inline v1
