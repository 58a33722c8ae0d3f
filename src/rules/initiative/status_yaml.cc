#include "rules/initiative/status_yaml.h"

#include <algorithm>
#include <array>
#include <vector>

#include "model/time_formats.h"
#include "text/json_edit.h"
#include "text/json_text.h"
#include "text/json_value.h"
#include "text/json_write.h"
#include "text/yaml_edit.h"
#include "text/yaml_value.h"
#include "text/yaml_write.h"

namespace holdfast::inline v1 {
namespace {

std::string text_at(JsonView object, std::string_view key) {
  const JsonView value = object.find(key);
  return value.kind() == JsonKind::number ? std::string(value.raw()) : value.as_string().value_or("");
}

// The keys that different writers use for the time of the last change.
constexpr std::array<std::string_view, 4> kDates = {"lastUpdated", "last_updated", "updated", "updatedAt"};

std::string_view date_key(JsonView object) {
  for (const std::string_view key : kDates) {
    if (object.find(key)) return key;
  }
  return {};
}

bool has_steps(JsonView status) { return status.find("steps") || status.find("current_step"); }

// Returns the index of the step of that name, from 0.
std::optional<std::size_t> step_named(JsonView status, std::string_view name) {
  std::size_t at = 0;
  for (const JsonItem& step : status.find("steps").elements()) {
    if (!name.empty() && step.value.find("name").is_string(name)) return at;
    ++at;
  }
  return std::nullopt;
}

struct YamlLine {
  std::size_t at = 0, end = 0, indent = 0;
  std::string_view text;  // from the first non-blank character
};

std::vector<YamlLine> yaml_lines_of(std::string_view yaml) {
  std::vector<YamlLine> lines;
  for (std::size_t at = 0; at < yaml.size();) {
    const std::size_t end = std::min(yaml.find('\n', at), yaml.size());
    const std::size_t first = std::min(yaml.find_first_not_of(' ', at), end);
    lines.push_back({at, end, first - at, yaml.substr(first, end - first)});
    at = end + 1;
  }
  return lines;
}

// Replaces the status of a step in place, so comments in the list stay. Returns
// nullopt if the list is written in a form that this does not support.
std::optional<std::string> splice_step(std::string_view yaml, std::size_t wanted, std::string_view status) {
  const auto lines = yaml_lines_of(yaml);
  std::size_t i = 0;
  while (i < lines.size() && !(lines[i].indent == 0 && lines[i].text.starts_with("steps:"))) ++i;
  std::optional<std::size_t> dash;
  std::size_t item = 0;
  bool inside = false;
  for (++i; i < lines.size(); ++i) {
    YamlLine line = lines[i];
    if (line.text.empty() || line.text.starts_with('#') || line.text == "\r") continue;
    if (line.text.starts_with("- ") && (!dash || line.indent == *dash)) {
      item = dash ? item + 1 : 0;
      dash = line.indent;
      inside = item == wanted;
      const std::size_t skip = std::min(line.text.find_first_not_of(' ', 1), line.text.size());
      line.text = line.text.substr(skip);
    } else if (!dash || line.indent <= *dash) {
      break;
    }
    if (!inside || !line.text.starts_with("status:")) continue;
    const auto key_at = static_cast<std::size_t>(line.text.data() - yaml.data());
    std::size_t from = std::min(yaml.find_first_not_of(' ', key_at + 7), line.end);
    std::size_t to = std::min({yaml.find(" #", from), yaml.find('\r', from), line.end});
    while (to > from && yaml[to - 1] == ' ') --to;
    std::string now(yaml.substr(0, from));
    if (from == key_at + 7) now += ' ';
    return now.append(yaml_scalar(status)).append(yaml.substr(to));
  }
  return std::nullopt;
}

Result<std::string> set_step(std::string_view yaml, JsonView before, std::size_t at, std::string_view status) {
  HOLDFAST_LET(wanted,
               json_set(before.raw(), {JsonStep("steps"), JsonStep(at), JsonStep("status")}, json_quoted(status)));
  if (auto spliced = splice_step(yaml, at, status)) {
    const auto read = yaml_to_json(*spliced);
    if (read && *read == wanted) return std::move(*spliced);
  }
  return yaml_set(yaml, {JsonStep("steps"), JsonStep(at), JsonStep("status")}, json_quoted(status));
}

Result<std::string> update_steps(std::string_view yaml, JsonView before, const StatusChange& change) {
  std::string now(yaml);
  const auto set = [&](std::initializer_list<JsonStep> path, std::string_view json) -> Result<void> {
    HOLDFAST_LET(edited, yaml_set(now, path, json));
    now = std::move(edited);
    return {};
  };
  if (const auto at = step_named(before, change.step)) {
    HOLDFAST_LET(edited, set_step(now, before, *at, change.step_status));
    now = std::move(edited);
  }
  if (change.milestone) {
    const auto at = step_named(before, *change.milestone);
    if (at) HOLDFAST_TRY(set({JsonStep("current_step")}, std::to_string(*at + 1)));
  }
  if (change.status && before.find("status")) HOLDFAST_TRY(set({JsonStep("status")}, json_quoted(*change.status)));
  if (const std::string_view date = date_key(before); now != yaml && !date.empty())
    HOLDFAST_TRY(set({JsonStep(date)}, json_quoted(change.now)));
  return now;
}

}  // namespace

Result<StatusFacts> read_status(std::string_view yaml) {
  HOLDFAST_LET(json, yaml_to_json(yaml));
  const JsonView status(json);
  if (status.kind() != JsonKind::object) return fail(Code::corrupt, "not a YAML mapping");
  StatusFacts facts;
  const JsonView active = status.find("active");
  facts.status = text_at(active, "status");
  if (facts.status.empty()) facts.status = text_at(status, "status");
  if (const std::string_view date = date_key(status); !date.empty()) facts.last_updated = text_at(status, date);
  if (const std::string_view date = date_key(active); facts.last_updated.empty() && !date.empty())
    facts.last_updated = text_at(active, date);
  if (has_steps(status)) {
    facts.steps = true;
    facts.initiative = text_at(status, "initiative");
    const auto current = status.find("current_step").as_int64();
    std::int64_t at = 0;
    for (const JsonItem& step : status.find("steps").elements()) {
      if (current && ++at == *current) facts.milestone = text_at(step.value, "name");
    }
    return facts;
  }
  facts.initiative = text_at(active, "initiative");
  facts.milestone = text_at(active, "milestone");
  facts.phase = text_at(active, "phase");
  facts.next_action = text_at(status.find("resume"), "next_action");
  return facts;
}

Result<std::string> new_status(const StatusChange& change) {
  JsonWriter json;
  json.begin_object().key("active").begin_object().key("initiative").string(change.initiative);
  json.key("milestone").string(change.milestone.value_or("")).key("status").string(change.status.value_or("created"));
  json.end_object().key("lastUpdated").string(change.now);
  json.key("sessions").begin_array().end_array();
  json.key("resume").begin_object().key("next_action").string(change.next_action.value_or(""));
  json.key("context_files").begin_array().end_array().end_object().end_object();
  return json_to_yaml(JsonView(json.text()));
}

Result<std::string> update_status(std::string_view yaml, const StatusChange& change) {
  HOLDFAST_LET(json, yaml_to_json(yaml));
  const JsonView before(json);
  if (before.kind() != JsonKind::object) return fail(Code::corrupt, "not a YAML mapping");
  if (has_steps(before)) return update_steps(yaml, before, change);
  std::string now(yaml);
  const auto set = [&](std::initializer_list<JsonStep> path, std::string_view value) -> Result<void> {
    HOLDFAST_LET(edited, yaml_set(now, path, json_quoted(value)));
    now = std::move(edited);
    return {};
  };
  if (change.milestone) HOLDFAST_TRY(set({JsonStep("active"), JsonStep("milestone")}, *change.milestone));
  const bool on_top = before.find("status") && !before.find("active").find("status");
  if (change.status && on_top) HOLDFAST_TRY(set({JsonStep("status")}, *change.status));
  if (change.status && !on_top) HOLDFAST_TRY(set({JsonStep("active"), JsonStep("status")}, *change.status));
  if (change.next_action) HOLDFAST_TRY(set({JsonStep("resume"), JsonStep("next_action")}, *change.next_action));
  if (now == yaml) return now;
  const std::string_view inside = date_key(before.find("active"));
  if (const std::string_view date = date_key(before); !date.empty() || inside.empty()) {
    HOLDFAST_TRY(set({JsonStep(date.empty() ? kDates[0] : date)}, change.now));
  } else {
    HOLDFAST_TRY(set({JsonStep("active"), JsonStep(inside)}, change.now));
  }
  return now;
}

}  // namespace holdfast::inline v1
