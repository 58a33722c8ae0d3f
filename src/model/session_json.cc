#include "model/session_json.h"

#include <algorithm>

#include "model/model_json.h"

namespace holdfast::inline v1 {

Session session_from_json(JsonView json) {
  const auto text = [](JsonView object, std::string_view key) { return object.find(key).as_string().value_or(""); };
  const auto number = [](JsonView object, std::string_view key) {
    return std::max<std::int64_t>(object.find(key).as_int64().value_or(0), 0);
  };
  Session session;
  const std::pair<std::string_view, std::string*> texts[] = {
      {"id", &session.id},
      {"layout", &session.layout},
      {"store", &session.store},
      {"path", &session.path},
      {"project", &session.project},
      {"title", &session.title},
      {"first_prompt", &session.first_prompt},
      {"created_at", &session.created_at},
      {"updated_at", &session.updated_at},
      {"git_branch", &session.git_branch},
      {"summary", &session.summary},
  };
  for (const auto& [key, into] : texts) *into = text(json, key);
  session.status = status_of(text(json, "status")).value_or(Status::unknown);
  const JsonView counts = json.find("counts");
  session.counted = counts.kind() == JsonKind::object;
  session.counts = {number(counts, "user"), number(counts, "assistant"), number(counts, "tool_calls"),
                    number(counts, "tool_results"), number(counts, "records")};
  for (const JsonItem& model : json.find("models").elements())
    session.models.push_back(model.value.as_string().value_or(""));
  session.usage = usage_from_json(json.find("usage")).value_or(Usage());
  if (const JsonView parent = json.find("parent"); parent.kind() == JsonKind::object)
    session.parent = Parent{text(parent, "id"), parent_kind_of(text(parent, "kind")).value_or(ParentKind::fork),
                            text(parent, "message")};
  session.subagents = number(json, "subagents");
  session.bytes = static_cast<std::uint64_t>(number(json, "bytes"));
  session.damage = number(json, "damage");
  session.archived = json.find("archived").as_bool().value_or(false);
  if (const JsonView metadata = json.find("metadata"); metadata.kind() == JsonKind::object)
    session.metadata = metadata.raw();
  return session;
}

}  // namespace holdfast::inline v1
