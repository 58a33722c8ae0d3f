#include "store/noted_facts.h"

#include "text/json_value.h"

namespace holdfast::inline v1 {

void add_noted_facts(std::string_view row, bool times_elsewhere, Session& session) {
  const JsonView json(row);
  const auto text = [](JsonView object, std::string_view key) { return object.find(key).as_string().value_or(""); };
  const std::string created = text(json, "created_at"), updated = text(json, "updated_at");
  if (!created.empty() && (times_elsewhere || session.created_at.empty())) session.created_at = created;
  if (!updated.empty() && (times_elsewhere || session.updated_at.empty())) session.updated_at = updated;
  // Layouts whose copies are recognized by comparing sessions (lineage) do that for captured sessions too.
  const JsonView parent = json.find("parent");
  if (!session.parent && session.lineage == Lineage() && !text(parent, "id").empty())
    session.parent = Parent{text(parent, "id"), parent_kind_of(text(parent, "kind")).value_or(ParentKind::fork),
                            text(parent, "message")};
  if (session.subagents == 0) session.subagents = json.find("subagents").as_int64().value_or(0);
}

void add_noted_texts(std::string_view row, Session& session) {
  const JsonView json(row);
  const auto fill = [&](std::string_view key, std::string& text) {
    if (text.empty()) text = json.find(key).as_string().value_or("");
  };
  fill("title", session.title);
  fill("first_prompt", session.first_prompt);
  fill("project", session.project);
}

}  // namespace holdfast::inline v1
