#include "rules/queue/queue_fold.h"

#include <algorithm>

#include "text/json_value.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {

void QueueFold::take(std::string_view line) {
  const JsonView json(line);
  const auto text = [&](std::string_view key) { return json.find(key).as_string().value_or(""); };
  const JsonView type = json.find("type");
  if (type.is_string("item")) {
    SyncItem item = parse_sync_item(line);
    std::string id = item.id;
    items.insert_or_assign(std::move(id), std::move(item));
  } else if (type.is_string("gone")) {
    items.erase(text("id"));
  } else if (type.is_string("covered")) {
    SessionCoverage& session = sessions[text("session")];
    session.document = text("document");
    session.through =
        static_cast<std::uint64_t>(std::max<std::int64_t>(json.find("through").as_int64().value_or(0), 0));
    session.last = text("last");
    session.hint = text("hint");
    session.local_only = json.find("local_only").as_bool().value_or(false);
  } else if (type.is_string("forgotten")) {
    sessions.erase(text("session"));
  }
}

std::string queue_head_line(std::string_view now) {
  JsonWriter json;
  json.begin_object().key("type").string("queue").key("schema_version").int64(1);
  return json.key("created_at").string(now).end_object().take();
}

std::string item_line(const SyncItem& item) {
  // The usual object, with its type in front.
  return R"({"type":"item",)" + sync_item_json(item).substr(1);
}

std::string gone_line(std::string_view id, std::string_view now) {
  JsonWriter json;
  json.begin_object().key("type").string("gone").key("id").string(id);
  return json.key("at").string(now).end_object().take();
}

std::string covered_line(std::string_view session, const SessionCoverage& covered) {
  JsonWriter json;
  json.begin_object().key("type").string("covered").key("session").string(session);
  json.key("document").string(covered.document).key("through").uint64(covered.through);
  json.key("last").string(covered.last).key("hint").string(covered.hint);
  if (covered.local_only) json.key("local_only").boolean(true);
  return json.end_object().take();
}

std::string forgotten_line(std::string_view session, std::string_view now) {
  JsonWriter json;
  json.begin_object().key("type").string("forgotten").key("session").string(session);
  return json.key("at").string(now).end_object().take();
}

}  // namespace holdfast::inline v1
