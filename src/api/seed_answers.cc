#include "api/seed_answers.h"

#include "api/shape.h"
#include "base/ascii.h"
#include "layout/layout.h"
#include "layout/thread_keeper.h"
#include "model/model_json.h"
#include "model/time_formats.h"
#include "store/engine.h"
#include "text/json_copy.h"
#include "text/json_scan.h"

namespace holdfast::inline v1 {
namespace {

// "createdAt" for "created_at".
std::string camel(std::string_view name) {
  std::string out;
  bool upper = false;
  for (const char c : name) {
    if (c == '_') {
      upper = true;
      continue;
    }
    out += upper ? ascii_upper(c) : c;
    upper = false;
  }
  return out;
}

// Renames only the members of the record itself; their values stay as given.
void write_camel(JsonWriter& json, JsonView record) {
  json.begin_object();
  for (const JsonItem& item : record.fields()) json.key(camel(item.key())).raw(item.value.raw());
  json.end_object();
}

// A time as Maestro writes it, to the microsecond; other text stays unchanged.
std::string to_micros(const std::string& time) {
  const auto when = parse_any_time(time);
  return when ? iso_micros(*when) : time;
}

std::string_view status_word(Status status) {
  if (status == Status::complete) return "completed";
  if (status == Status::failed) return "failed";
  return status == Status::stopped ? "stopped" : "running";
}

bool has_ended(Status status) { return status_word(status) != "running"; }

// The harness of the session, which its layout keeps beside the metadata (native) or as a member of it.
std::string harness_of(Feed& feed, const SessionRef& ref, std::string_view layout, JsonView metadata) {
  for (const std::string_view key : {"harness", "agent", "agent_id"})
    if (const auto name = metadata.find(key).as_string(); name && !name->empty()) return *name;
  const std::size_t slash = ref.place.path.rfind('/');
  if (layout != "holdfast" || slash == std::string::npos) return {};
  const auto document = feed.document({ref.place.root, ref.place.path.substr(0, slash) + "/session.json"});
  if (!document || !*document || !check_json(**document).ok()) return {};
  return JsonView(**document).find("agent").as_string().value_or("");
}

// Makes a SessionRecord for a layout that has none.
Result<std::string> made_record(const Call& call, Store& store, const std::string& id) {
  HOLDFAST_LET(session, store.get(call.context, id));
  HOLDFAST_LET(files, engine_of(store));
  DirectoryFeed feed = files->looking(call.context);
  HOLDFAST_LET(ref, files->resolve(call.context, feed, id));
  HOLDFAST_LET(thread, thread_of(files->layout(), feed, ref));
  const JsonView metadata(session.metadata);
  JsonWriter json;
  json.begin_object().key("schemaVersion").int64(1).key("id").string(session.id).key("threadId").string(thread);
  json.key("status")
      .string(status_word(session.status))
      .key("startedAt")
      .string(to_micros(session.created_at))
      .key("endedAt");
  has_ended(session.status) ? json.string(to_micros(session.updated_at)) : json.null();
  json.key("workspaceRoot").string(session.project).key("agent").begin_object();
  // session.create keeps the configuration of the agent as one member.
  const JsonView config = metadata.find("config"), runs = metadata.find("toolRuns");
  const auto configured = [&](std::string_view key) {
    const JsonView inside = config.find(key);
    return inside ? inside : metadata.find(key);
  };
  json.key("harness").string(harness_of(feed, ref, files->layout_name(), metadata));
  json.key("configHash").string(configured("configHash").as_string().value_or(""));
  const JsonView env = configured("env");
  json.key("env").raw(env.kind() == JsonKind::object ? env.raw() : "{}").end_object();
  json.key("toolRuns").raw(runs.kind() == JsonKind::array ? runs.raw() : "[]");
  return json.end_object().take();
}

Result<std::string> session_record(const Call& call, Store& store, const std::string& id) {
  const Layout* const layout = find_layout(store.layout_name());
  if (layout == nullptr || layout->shape("session") == nullptr) return made_record(call, store, id);
  HOLDFAST_LET(record, store.get_record(call.context, {"session", {}, id}));
  JsonWriter json;
  write_camel(json, JsonView(record));
  return json.take();
}

// The store that contains the session: the one in the answer, else the one that the call refers to.
Result<std::shared_ptr<Store>> store_with(const Call& call, JsonView session) {
  const auto name = session.find("store").as_string();
  if (!name) return call.store();
  HOLDFAST_LET(options, parse_store_name(*name));
  return call.stores.open(call.context, options, Use::read);
}

}  // namespace

Result<std::string> as_maestro(Call& call, std::string_view answer) {
  JsonWriter json;
  json.begin_object();
  for (const JsonItem& item : JsonView(answer).fields()) {
    const std::string key = item.key();
    if (key == "thread" && item.value.kind() == JsonKind::object) {
      write_camel(json.key(key), item.value);
    } else if (key == "threads") {
      json.key(key).begin_array();
      for (const JsonItem& thread : item.value.elements()) write_camel(json, thread.value);
      json.end_array();
    } else if (key == "session" && call.operation.noun() != "message") {
      HOLDFAST_LET(store, store_with(call, item.value));
      const std::string id = item.value.as_string().value_or(item.value.find("id").as_string().value_or(""));
      HOLDFAST_LET(record, session_record(call, *store, id));
      json.key(key).raw(record);
    } else {
      json.key(key == "items" ? "messages" : key == "new_session" ? "newSession" : key).raw(item.value.raw());
    }
  }
  return json.end_object().take();
}

std::string result_as_maestro(const Operation& operation) {
  const bool messages = operation.noun() == "message";
  const std::string result = result_of(operation);  // the fields below are views of it
  std::string out;
  for (const ShapeField& field : fields_of(result)) {
    std::string name(field.name), type(field.type);
    bool optional = field.optional;
    if (messages && name == "items") continue;  // replaced by the messages
    if (messages && name == "messages") type = "maestro_message[]", optional = false;
    if (name == "thread" && type == "thread") type = "maestro_thread";
    if (name == "threads") type = "maestro_thread_row[]";
    if (name == "session" && !messages) type = "maestro_session";
    if (name == "new_session") name = "newSession";
    if (!out.empty()) out += ' ';
    out.append(name).append(optional ? "?:" : ":").append(type);
  }
  return out;
}

std::string maestro_message(const Message& message, std::string_view thread, std::string_view session) {
  if (const JsonView stored(message.raw);
      !message.raw.empty() && check_json(message.raw).ok() && stored.find("threadId"))
    return compact_json(stored);
  std::string call, content = message.text();
  bool plain = true;
  for (const Block& block : message.blocks) {
    plain = plain && block.kind == BlockKind::text;
    if (block.kind != BlockKind::tool_result) continue;
    if (call.empty()) call = block.id;
    if (content.empty()) content = block.text;
  }
  JsonWriter json;
  // In a layout whose lines have no ids, the offset is the id, as in the answer of message.append.
  const std::string id = message.id.empty() ? std::to_string(message.offset) : message.id;
  json.begin_object().key("schemaVersion").int64(1).key("id").string(id).key("threadId").string(thread);
  json.key("sessionId").string(session).key("role").string(role_name(message.role)).key("content").string(content);
  json.key("createdAt").string(to_micros(message.timestamp)).key("toolCallId");
  call.empty() ? json.null() : json.string(call);
  if (!plain) {
    JsonWriter whole;
    write_message(whole, message, message.ordinal);
    const std::string text = whole.take();
    json.key("blocks").raw(JsonView(text).find("blocks").raw());
  }
  return json.end_object().take();
}

}  // namespace holdfast::inline v1
