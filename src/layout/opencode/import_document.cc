#include "layout/opencode/import_document.h"

#include <algorithm>
#include <initializer_list>

#include "text/json_scan.h"
#include "text/json_value.h"
#include "text/json_write.h"

namespace holdfast::inline v1::opencode {
namespace {

bool is_object(std::string_view data) { return check_json(data).ok() && JsonView(data).kind() == JsonKind::object; }

// {"id":…, followed by the members of the row's JSON.
std::string with_ids(std::string_view data, std::initializer_list<std::pair<std::string_view, std::string_view>> ids) {
  JsonWriter json;
  json.begin_object();
  for (const auto& [name, id] : ids) json.key(name).string(id);
  for (const JsonItem& field : JsonView(data).fields()) {
    bool ours = false;
    for (const auto& [name, id] : ids) ours = ours || field.key_is(name);
    if (!ours) json.key(field.key()).raw(field.value.raw());
  }
  return json.end_object().take();
}

}  // namespace

bool SavedSession::add_message(const std::string& session, const std::string& id, std::int64_t at,
                               std::string_view data) {
  if (!is_object(data)) return false;
  messages[{at, id}].json = with_ids(data, {{"id", id}, {"sessionID", session}});
  by_id[id] = {at, id};
  if (directory.empty()) directory = JsonView(data).find("path").find("cwd").as_string().value_or("");
  first = first == 0 ? at : std::min(first, at);
  last = std::max(last, at);
  return true;
}

bool SavedSession::add_part(const std::string& session, const std::string& id, const std::string& message,
                            std::string_view data) {
  const auto place = by_id.find(message);
  if (place == by_id.end() || !is_object(data)) return false;
  messages[place->second].parts[id] = with_ids(data, {{"id", id}, {"sessionID", session}, {"messageID", message}});
  return true;
}

std::string session_info(const SessionInfo& session) {
  JsonWriter json;
  json.begin_object().key("id").string(session.id).key("slug").string(session.slug);
  json.key("projectID").string(session.project).key("directory").string(session.directory);
  json.key("title").string(session.title).key("version").string(session.version);
  if (!session.parent.empty()) json.key("parentID").string(session.parent);
  json.key("time").begin_object().key("created").int64(session.created);
  return json.key("updated").int64(session.updated).end_object().end_object().take();
}

std::string rebuilt_info(const SavedSession& saved, std::string_view id) {
  return session_info({.id = id,
                       .slug = "rescued",
                       .project = "global",
                       .directory = saved.directory,
                       .title = "Rescued session",
                       .version = "0.0.0",
                       .created = saved.first,
                       .updated = saved.last});
}

std::string import_document(const SavedSession& saved) {
  std::string text = "{\n  \"info\": " + saved.info + ",\n  \"messages\": [";
  bool first = true;
  for (const auto& [place, message] : saved.messages) {
    text += std::exchange(first, false) ? "\n    " : ",\n    ";
    text += "{\"info\": " + message.json + ", \"parts\": [";
    bool first_part = true;
    for (const auto& [id, part] : message.parts) (text += std::exchange(first_part, false) ? "" : ", ") += part;
    text += "]}";
  }
  return text + "\n  ]\n}\n";
}

}  // namespace holdfast::inline v1::opencode
