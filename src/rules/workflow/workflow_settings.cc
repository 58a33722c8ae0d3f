#include "rules/workflow/workflow_settings.h"

#include <algorithm>
#include <optional>

#include "base/ascii.h"
#include "disk/staged.h"
#include "layout/record_shape.h"
#include "store/engine.h"
#include "store/record_lookup.h"
#include "text/json_edit.h"
#include "text/json_scan.h"
#include "text/json_text.h"
#include "text/json_value.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {
namespace {

// .NET configuration ignores case and, here, underscores: "auto_resume" and "AutoResume" are the same key.
std::string plain(std::string_view name) {
  std::string out;
  for (const char c : name) {
    if (c != '_') out += ascii_lower(c);
  }
  return out;
}

std::string last_part(std::string_view name) { return std::string(name.substr(name.rfind('.') + 1)); }
std::string flat_key(const SettingRow& row) { return plain(row.name); }
std::string nested_key(const SettingRow& row) { return plain(row.section) + "." + plain(last_part(row.name)); }

bool among(std::string_view words, std::string_view word) {
  return words.empty() || ("|" + std::string(words) + "|").find("|" + std::string(word) + "|") != std::string::npos;
}

std::string what_it_is(const SettingRow& row) {
  switch (row.kind) {
    case SettingKind::boolean: return "true or false";
    case SettingKind::integer: return "a whole number from " + std::to_string(static_cast<std::int64_t>(row.least));
    case SettingKind::number: return "a number from 0 to 1";
    case SettingKind::list: return "a list of strings";
    case SettingKind::text: break;
  }
  return row.words.empty() ? "a text" : "one of " + std::string(row.words);
}

bool fits(const SettingRow& row, JsonView value) {
  const auto in_range = [&](double number) { return number >= row.least && number <= row.most; };
  switch (row.kind) {
    case SettingKind::boolean: return value.kind() == JsonKind::boolean;
    case SettingKind::integer: return value.as_int64() && in_range(static_cast<double>(*value.as_int64()));
    case SettingKind::number: return value.as_double() && in_range(*value.as_double());
    case SettingKind::text: return value.as_string() && among(row.words, *value.as_string());
    case SettingKind::list: break;
  }
  if (value.kind() != JsonKind::array) return false;
  const auto items = value.elements();
  return std::ranges::all_of(items, [](const JsonItem& item) { return item.value.as_string().has_value(); });
}

// Accepts "true" as text, as .NET does in files too; variables are always text.
std::string typed(const SettingRow& row, JsonView value) {
  const auto text = value.as_string();
  if (!text || row.kind == SettingKind::text || row.kind == SettingKind::list) return std::string(value.raw());
  const std::string word = plain(*text);
  if (row.kind == SettingKind::boolean) return word == "true" || word == "false" ? word : std::string(value.raw());
  return check_json(*text).ok() ? *text : std::string(value.raw());
}

Result<std::string> read_file(FileSystem& file_system, const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (!path.starts_with('/')) return fail(Code::invalid_argument, "not an absolute path", path);
  HOLDFAST_LET(directory, file_system.open_directory(slash == 0 ? "/" : path.substr(0, slash), false));
  return read_whole(*directory, path.substr(slash + 1));
}

}  // namespace

const SettingRow* find_setting(std::string_view name) {
  const std::string key = plain(name);
  for (const SettingRow& row : setting_rows())
    if (nested_key(row) == key || flat_key(row) == key) return &row;
  return nullptr;
}

const std::vector<SettingRow>& setting_rows() {
  using enum SettingKind;
  static const std::vector<SettingRow> rows = {
      {"auto_resume", "Session", boolean, "true"},
      {"session_retention", "Session", integer, "10"},
      {"save_iteration_history", "Session", boolean, "false"},
      {"unattended", "Workflow", boolean, "false"},
      {"max_iterations", "Workflow", integer, "100", 1},
      {"failure_threshold", "Workflow", integer, "3", 1},
      {"budget.token_budget_per_module", "Budget", integer, "0"},
      {"budget.premium_request_budget", "Budget", integer, "0"},
      {"budget.warning_threshold", "Budget", number, "0.8", 0, 1},
      {"budget.confirmation_threshold", "Budget", number, "0.9", 0, 1},
      {"oracle.model", "Oracle", text, "\"gpt-5-mini\""},
      {"models.requirement_gathering", "Models", text, "\"claude-opus-4.6\""},
      {"models.planning", "Models", text, "\"claude-opus-4.6\""},
      {"models.building", "Models", text, "\"claude-opus-4.6\""},
      {"models.research", "Models", text, "\"claude-opus-4.6\""},
      {"models.requirement_gathering_fallbacks", "Models", list, "[]"},
      {"models.planning_fallbacks", "Models", list, "[]"},
      {"models.building_fallbacks", "Models", list, "[]"},
      {"models.research_fallbacks", "Models", list, "[]"},
      {"models.global_fallback", "Models", text, "\"claude-sonnet-4\""},
      {"git.enabled", "Git", boolean, "true"},
      {"git.auto_commit", "Git", boolean, "true"},
      {"git.convention", "Git", text, "\"conventional\""},
      {"tool_discipline.max_file_reads", "ToolDiscipline", integer, "3", 1},
      {"tool_discipline.max_command_retries", "ToolDiscipline", integer, "3", 1},
      {"show_token_usage", "Display", boolean, "true"},
      {"show_premium_count", "Display", boolean, "true"},
      {"format", "Display", text, "\"md\"", 0, 9e15, "md|json|yaml"},
  };
  return rows;
}

bool WorkflowSettings::flag(std::string_view name) const { return text(name) == "true"; }
std::int64_t WorkflowSettings::integer(std::string_view name) const {
  const auto at = values_.find(name);
  return at == values_.end() ? 0 : JsonView(at->second.json).as_int64().value_or(0);
}
double WorkflowSettings::number(std::string_view name) const {
  const auto at = values_.find(name);
  return at == values_.end() ? 0 : JsonView(at->second.json).as_double().value_or(0);
}
std::string WorkflowSettings::text(std::string_view name) const {
  const auto at = values_.find(name);
  return at == values_.end() ? std::string() : JsonView(at->second.json).as_string().value_or(at->second.json);
}

std::string WorkflowSettings::json() const {
  JsonWriter json;
  json.begin_object();
  std::string_view open;
  for (const SettingRow& row : setting_rows()) {  // rows of one group are adjacent
    const std::size_t dot = row.name.find('.');
    const std::string_view group = dot == std::string_view::npos ? std::string_view() : row.name.substr(0, dot);
    if (group != open) {
      if (!open.empty()) json.end_object();
      if (!group.empty()) json.key(group).begin_object();
      open = group;
    }
    json.key(last_part(row.name)).raw(values_.find(row.name)->second.json);
  }
  return json.end_object().take();
}

std::string WorkflowSettings::sources_json() const {
  JsonWriter json;
  json.begin_object();
  for (const SettingRow& row : setting_rows()) json.key(row.name).string(values_.find(row.name)->second.source);
  return json.end_object().take();
}

SettingReader::SettingReader() {
  for (const SettingRow& row : setting_rows())
    settings_.values_[std::string(row.name)] = {std::string(row.fallback), "default"};
}

Result<void> SettingReader::set(const SettingRow& row, std::string_view json, const std::string& source) {
  if (JsonView(json).is_null()) return {};  // counts as absent
  std::string value = typed(row, JsonView(json));
  if (!fits(row, JsonView(value)))
    return fail(Code::invalid_argument,
                std::string(row.name) + " is " + what_it_is(row) + ", not " + std::string(json.substr(0, 100)), source);
  settings_.values_[std::string(row.name)] = {std::move(value), source};
  return {};
}

Result<void> SettingReader::take_json(std::string_view json, const std::string& source) {
  if (!check_json(without_bom(json)).ok() || JsonView(json).kind() != JsonKind::object)
    return fail(Code::invalid_argument, "the configuration is not a JSON object", source);
  // If both are given, the nested key wins: the program itself obeys that one.
  for (const bool nested : {false, true}) {
    for (const JsonItem& item : JsonView(json).fields()) {
      if (!nested && item.value.kind() != JsonKind::object) {
        if (const SettingRow* row = find_setting(item.key())) HOLDFAST_TRY(set(*row, item.value.raw(), source));
      }
      if (!nested || item.value.kind() != JsonKind::object) continue;
      for (const JsonItem& inner : item.value.fields())
        if (const SettingRow* row = find_setting(item.key() + "." + inner.key()))
          HOLDFAST_TRY(set(*row, inner.value.raw(), source));
    }
  }
  return {};
}

Result<void> SettingReader::take_variable(std::string_view name, std::string_view value) {
  constexpr std::string_view kPrefix = "LOPEN_";
  if (!name.starts_with(kPrefix)) return {};
  std::string key(name.substr(kPrefix.size()));
  for (std::size_t at = key.find("__"); at != std::string::npos; at = key.find("__", at + 1)) key.replace(at, 2, ".");
  if (const SettingRow* row = find_setting(key)) return set(*row, json_quoted(value), std::string(name));
  return {};
}

Result<WorkflowSettings> SettingReader::finish() const {
  if (settings_.number("budget.warning_threshold") >= settings_.number("budget.confirmation_threshold"))
    return fail(Code::invalid_argument, "budget.warning_threshold must be below budget.confirmation_threshold",
                settings_.values_.find("budget.warning_threshold")->second.source);
  return settings_;
}

Result<WorkflowSettings> workflow_settings(const Context& context, Store& store, const OuterSettings& outer) {
  HOLDFAST_LET(files, engine_of(store));
  SettingReader reader;
  if (!outer.user_file.empty()) {
    const auto bytes = read_file(files->roots().first()->file_system(), outer.user_file);
    if (bytes)
      HOLDFAST_TRY(reader.take_json(*bytes, outer.user_file));
    else if (bytes.error().code != Code::not_found)
      return fail(bytes.error());
  }
  if (const RecordShape* const shape = files->layout().shape("config"); shape != nullptr) {
    const auto own = store.get_record(context, {"config", {}, {}});
    if (!own && own.error().code != Code::not_found) return fail(own.error());
    HOLDFAST_LET(root, files->roots().root(shape->root));
    if (own) HOLDFAST_TRY(reader.take_json(*own, root->path() + "/" + std::string(shape->path)));
  }
  for (const auto& [name, value] : outer.variables) HOLDFAST_TRY(reader.take_variable(name, value));
  if (!outer.flags.empty()) HOLDFAST_TRY(reader.take_json(outer.flags, "flag"));
  return reader.finish();
}

namespace {

struct NestedKey {
  std::string section, name;  // as spelled in the file
};

// Returns the nested key if the file has the setting under it.
std::optional<NestedKey> nested_in(JsonView file, const SettingRow& row) {
  for (const JsonItem& section : file.fields()) {
    if (plain(section.key()) != plain(row.section)) continue;
    for (const JsonItem& item : section.value.fields())
      if (plain(section.key()) + "." + plain(item.key()) == nested_key(row))
        return NestedKey{section.key(), item.key()};
  }
  return std::nullopt;
}

// Returns `fields` under the keys that take effect.
Result<std::string> effective_fields(JsonView file, JsonView fields, RecordFormat form) {
  std::string now = "{}";
  const auto set = [&](std::initializer_list<JsonStep> path, std::string_view json) -> Result<void> {
    HOLDFAST_LET(edited, json_set(now, path, json));
    now = std::move(edited);
    return {};
  };
  const auto take = [&](const SettingRow& row, JsonView value) -> Result<bool> {
    const auto nested = nested_in(file, row);
    if (!nested) return false;
    // A member of the file is replaced as a whole: copy the rest of the section.
    if (!JsonView(now).find(nested->section))
      HOLDFAST_TRY(set({JsonStep(nested->section)}, file.find(nested->section).raw()));
    if (!value.is_null()) {
      HOLDFAST_TRY(set({JsonStep(nested->section), JsonStep(nested->name)}, value.raw()));
    } else {
      HOLDFAST_LET(edited, json_remove(now, {JsonStep(nested->section), JsonStep(nested->name)}));
      now = std::move(edited);
    }
    return true;
  };
  for (const JsonItem& item : fields.fields()) {
    const std::string key = item.key();
    if (item.value.kind() != JsonKind::object) {
      const SettingRow* const row = find_setting(key);
      HOLDFAST_LET(taken, row == nullptr ? Result<bool>(false) : take(*row, item.value));
      if (!taken || file.find(key)) HOLDFAST_TRY(set({JsonStep(key)}, item.value.raw()));
      continue;
    }
    for (const JsonItem& inner : item.value.fields()) {
      const std::string name = inner.key();
      const SettingRow* const row = find_setting(std::string(key).append(".").append(name));
      HOLDFAST_LET(taken, row == nullptr ? Result<bool>(false) : take(*row, inner.value));
      if (taken) continue;
      if (!JsonView(now).find(key) && file.find(key).kind() == JsonKind::object)
        HOLDFAST_TRY(set({JsonStep(key)}, file.find(key).raw()));
      if (!inner.value.is_null() || form == RecordFormat::toml) {
        HOLDFAST_TRY(set({JsonStep(key), JsonStep(name)}, inner.value.raw()));
      } else if (JsonView(now).find(key).find(name)) {
        HOLDFAST_LET(edited, json_remove(now, {JsonStep(key), JsonStep(name)}));
        now = std::move(edited);
      }
    }
  }
  return now;
}

}  // namespace

Result<void> save_workflow_settings(const Context& context, Store& store, std::string_view fields_json) {
  const JsonView fields(fields_json);
  if (fields.kind() != JsonKind::object) return fail(Code::invalid_argument, "a configuration must be a JSON object");
  const RecordKey key{"config", {}, {}};
  HOLDFAST_LET(files, engine_of(store));
  HOLDFAST_LET(shape, shape_of_kind(files->layout(), key.kind));
  return store.edit_records(context, [&](const Store::Look& look) -> Result<std::vector<RecordEdit>> {
    HOLDFAST_LET(there, look(key));
    const std::string file = there.records.empty() ? "{}" : there.records.front();
    HOLDFAST_LET(counting, effective_fields(JsonView(file), fields, shape->form));
    return std::vector{RecordEdit{RecordEdit::Kind::put, key, counting}};
  });
}

}  // namespace holdfast::inline v1
