#include "layout/open_agent/index_file.h"

#include <algorithm>
#include <chrono>
#include <set>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "model/time_formats.h"
#include "text/json_edit.h"
#include "text/json_scan.h"
#include "text/json_text.h"
#include "text/json_write.h"

namespace holdfast::inline v1::open_agent {
namespace {

// How long a newer entry of another writer is kept, even if our older read says otherwise.
constexpr std::int64_t kRecentMs = 10'000;

struct Shape {
  std::string_view list, id;
  bool claude;
};
constexpr Shape kOas{"sessions", "id", false};
constexpr Shape kClaude{"entries", "sessionId", true};

const Shape* shape_of(std::string_view bytes) {
  if (!check_json(bytes).ok()) return nullptr;
  const JsonView index(bytes);
  if (index.find(kOas.list).kind() == JsonKind::array) return &kOas;
  if (index.find(kClaude.list).kind() == JsonKind::array) return &kClaude;
  return nullptr;
}

std::int64_t ms_of(std::string_view when) {
  const auto time = parse_any_time(when);
  if (!time) return 0;
  return std::chrono::duration_cast<std::chrono::milliseconds>(time->time_since_epoch()).count();
}

std::string time_text(JsonView value) {
  return value.kind() == JsonKind::number ? std::string(value.raw()) : value.as_string().value_or("");
}

struct Field {
  std::string_view key;
  std::string json;
  bool known = true;  // false if there is nothing to write
};

std::vector<Field> fields_of(const Session& row, const Shape& shape) {
  const auto time = [&](const std::string& iso) {
    return shape.claude ? json_quoted(iso) : std::to_string(ms_of(iso));
  };
  std::vector<Field> fields{{shape.id, json_quoted(row.id)}};
  if (shape.claude) {
    const std::size_t colon = row.store.find(':');
    const std::string root = colon == std::string::npos ? "" : row.store.substr(colon + 1) + "/";
    fields.push_back({"fullPath", json_quoted(root + row.path)});
    fields.push_back({"fileMtime", std::to_string(ms_of(row.updated_at))});
  }
  fields.push_back({"firstPrompt", json_quoted(row.first_prompt)});
  if (shape.claude) fields.push_back({"summary", json_quoted(row.summary), !row.summary.empty()});
  fields.push_back({"messageCount", std::to_string(row.counts.records)});
  fields.push_back({"created", time(row.created_at)});
  fields.push_back({"modified", time(row.updated_at)});
  if (!shape.claude) fields.push_back({"summary", json_quoted(row.summary), !row.summary.empty()});
  fields.push_back({"gitBranch", json_quoted(row.git_branch), !row.git_branch.empty()});
  fields.push_back({"projectPath", json_quoted(row.project), !row.project.empty()});
  if (shape.claude) fields.push_back({"isSidechain", "false"});
  return fields;
}

bool same(JsonView old, std::string_view json) {
  if (old.raw() == json) return true;
  return old.kind() == JsonKind::string && JsonView(json).kind() == JsonKind::string &&
         old.as_string() == JsonView(json).as_string();
}

Result<std::string> patched(JsonView entry, const Session& row, const Shape& shape, std::int64_t now_ms) {
  std::string text(entry.raw());
  const std::int64_t modified = ms_of(time_text(entry.find("modified")));
  if (modified > ms_of(row.updated_at) && modified > now_ms - kRecentMs) return text;
  for (const Field& field : fields_of(row, shape)) {
    const JsonView old = JsonView(text).find(field.key);
    // Unknown fields stay; isSidechain belongs to Claude Code.
    if (!field.known || same(old, field.json) || (old && field.key == "isSidechain")) continue;
    HOLDFAST_LET(edited, json_set(text, {JsonStep(field.key)}, field.json));
    text = std::move(edited);
  }
  return text;
}

std::string new_entry(const Session& row, const Shape& shape, bool pretty) {
  const std::string_view start = pretty ? "\n      " : "";
  std::string text = "{";
  for (const Field& field : fields_of(row, shape)) {
    if (!field.known) continue;
    text +=
        (text.size() > 1 ? "," : "") + std::string(start) + json_quoted(field.key) + (pretty ? ": " : ":") + field.json;
  }
  return text + (pretty ? "\n    }" : "}");
}

std::string array_of(const std::vector<std::string>& entries, bool pretty) {
  if (entries.empty()) return "[]";
  std::string text = "[";
  for (const std::string& entry : entries) {
    if (text.size() > 1) text += ',';
    if (pretty) text += "\n    ";
    text += entry;
  }
  return text + (pretty ? "\n  ]" : "]");
}

// The real path, if all sessions of the folder share it.
std::string common_path(std::span<const Session> rows) {
  if (rows.empty()) return {};
  const bool shared = std::ranges::all_of(rows, [&](const Session& row) { return row.project == rows[0].project; });
  return shared ? rows[0].project : std::string();
}

}  // namespace

std::map<std::string, std::string, std::less<>> index_entries(std::string_view bytes) {
  std::map<std::string, std::string, std::less<>> entries;
  const Shape* shape = shape_of(bytes);
  if (shape == nullptr) return entries;
  for (const JsonItem& item : JsonView(bytes).find(shape->list).elements()) {
    if (auto id = item.value.find(shape->id).as_string()) entries.emplace(std::move(*id), item.value.raw());
  }
  return entries;
}

SessionFacts facts_of_entry(JsonView entry) {
  SessionFacts facts;
  for (const JsonItem& item : entry.fields()) {
    if (item.key_is("summary")) facts.summary = item.value.as_string().value_or("");
    if (item.key_is("gitBranch")) facts.git_branch = item.value.as_string().value_or("");
    if (item.key_is("projectPath")) facts.project = item.value.as_string().value_or("");
    if (item.key_is("created")) facts.created_at = time_text(item.value);
  }
  return facts;
}

Result<std::string> written_index(std::string_view old, std::span<const Session> rows, std::int64_t now_ms,
                                  const std::function<bool(std::string_view id)>& exists) {
  const Shape* known = shape_of(old);
  const Shape& shape = known == nullptr ? kOas : *known;
  const bool pretty = known == nullptr || old.find('\n') < old.size() - 1;
  std::unordered_map<std::string_view, const Session*> by_id;
  for (const Session& row : rows) by_id.emplace(row.id, &row);
  std::vector<std::string> entries;
  std::set<std::string> done;
  if (known != nullptr) {
    for (const JsonItem& item : JsonView(old).find(shape.list).elements()) {
      const std::string id = item.value.find(shape.id).as_string().value_or("");
      const auto row = by_id.find(id);
      if (!id.empty() && !done.insert(id).second) continue;
      if (row != by_id.end()) {
        HOLDFAST_LET(entry, patched(item.value, *row->second, shape, now_ms));
        entries.push_back(std::move(entry));
      } else if (id.empty() || exists(id)) {
        entries.emplace_back(item.value.raw());
      }
    }
  }
  std::vector<const Session*> fresh;
  for (const Session& row : rows) {
    if (!done.contains(row.id)) fresh.push_back(&row);
  }
  std::ranges::sort(fresh, [](const Session* a, const Session* b) {
    return std::tie(a->created_at, a->id) < std::tie(b->created_at, b->id);
  });
  for (const Session* row : fresh) entries.push_back(new_entry(*row, shape, pretty));
  const std::string list = array_of(entries, pretty);
  if (known == nullptr)
    return "{\n  \"projectPath\": " + json_quoted(common_path(rows)) + ",\n  \"sessions\": " + list + "\n}\n";
  if (JsonView(old).find(shape.list).raw() == list) return std::string(old);
  return json_set(old, {JsonStep(shape.list)}, list);
}

}  // namespace holdfast::inline v1::open_agent
