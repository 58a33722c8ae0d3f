#include "api/workflow_text.h"

#include <array>
#include <cstdint>

#include "model/time_formats.h"
#include "text/clean.h"
#include "text/json_text.h"
#include "text/json_write.h"
#include "text/yaml_write.h"

namespace holdfast::inline v1 {
namespace {

struct Count {
  std::string_view written;
  std::string_view shown;
  std::string_view label;
};
constexpr std::array<Count, 4> kCounts = {{{"iteration_count", "iteration_count", "Iterations"},
                                           {"cumulative_input_tokens", "input_tokens", "Input Tokens"},
                                           {"cumulative_output_tokens", "output_tokens", "Output Tokens"},
                                           {"premium_request_count", "premium_requests", "Premium Requests"}}};

bool is_complete(const WorkflowFacts& facts) {
  return facts.state.find("is_complete").as_bool().value_or(json_text(facts.state, "status") == "complete");
}

// "2026-02-16 10:30:00Z"
std::string seconds_of(std::string_view written) {
  std::string iso = to_iso_time(written);
  if (iso.size() < 19) return std::string(written);
  iso[10] = ' ';
  return iso.substr(0, 19) + "Z";
}

// "12,345"
std::string grouped(std::int64_t number) {
  std::string digits = std::to_string(number);
  const std::size_t first = digits.starts_with('-') ? 1 : 0;
  for (std::size_t at = digits.size(); at > first + 3;) {
    at -= 3;
    digits.insert(at, ",");
  }
  return digits;
}

void line(std::string& out, std::string_view label, std::string_view value) {
  out.append("- **").append(label).append("**: ");
  out.append(clean_for_terminal(value, {.one_line = true})).append("\n");
}

void write(JsonWriter& json, const WorkflowFacts& facts, bool nulls) {
  const auto text = [&](std::string_view key, std::string_view shown) {
    const auto value = facts.state.find(key).as_string();
    if (!value && !nulls) return;
    json.key(shown);
    value ? json.string(*value) : json.null();
  };
  json.begin_object().key("session_id").string(facts.id);
  for (const std::string_view key : {"phase", "step", "module", "component"}) text(key, key);
  json.key("is_complete").boolean(is_complete(facts));
  text("created_at", "created_at");
  text("updated_at", "updated_at");
  text("last_task_completion_commit_sha", "last_commit");
  if (facts.metrics.kind() == JsonKind::object) {
    json.key("metrics").begin_object();
    for (const Count& count : kCounts)
      json.key(count.shown).int64(facts.metrics.find(count.written).as_int64().value_or(0));
    json.end_object();
  } else if (nulls) {
    json.key("metrics").null();
  }
  json.end_object();
}

}  // namespace

std::string workflow_markdown(const WorkflowFacts& facts) {
  std::string out = "# Session: " + std::string(facts.id) + "\n\n";
  line(out, "Phase", json_text(facts.state, "phase"));
  line(out, "Step", json_text(facts.state, "step"));
  line(out, "Module", json_text(facts.state, "module"));
  if (const std::string component = json_text(facts.state, "component"); !component.empty())
    line(out, "Component", component);
  line(out, "Status", is_complete(facts) ? "Complete" : "Active");
  line(out, "Created", seconds_of(json_text(facts.state, "created_at")));
  line(out, "Updated", seconds_of(json_text(facts.state, "updated_at")));
  if (const std::string commit = json_text(facts.state, "last_task_completion_commit_sha"); !commit.empty())
    line(out, "Last Commit", commit);
  if (facts.metrics.kind() != JsonKind::object) return out;
  out += "\n## Metrics\n";
  for (const Count& count : kCounts)
    line(out, count.label, grouped(facts.metrics.find(count.written).as_int64().value_or(0)));
  return out;
}

std::string workflow_document(const WorkflowFacts& facts) {
  JsonWriter json(JsonLayout::pretty);
  write(json, facts, true);
  return json.take() + "\n";
}

Result<std::string> workflow_yaml(const WorkflowFacts& facts) {
  JsonWriter json;
  write(json, facts, false);
  const std::string compact = json.take();
  return json_to_yaml(JsonView(compact));
}

}  // namespace holdfast::inline v1
