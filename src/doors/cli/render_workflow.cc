#include "doors/cli/render_workflow.h"

#include <fmt/core.h>

#include <array>
#include <utility>
#include <vector>

#include "doors/cli/list_table.h"
#include "doors/cli/render_cells.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kWidest = 4096;  // bytes

bool is_empty(JsonView value) { return !value || value.is_null() || value.raw() == "[]" || value.raw() == "{}"; }

// Each task before its children, which are indented.
void add_tasks(std::string& out, JsonView nodes, std::size_t depth) {
  for (const JsonItem& item : nodes.elements()) {
    const std::string id = line_of(item.value.find("id"), 300), name = line_of(item.value.find("name"), 300);
    out.append(2 * depth + 2, ' ').append(fmt::format("{:<10}  {}", line_of(item.value.find("state")), id));
    if (name != id) out += "  " + name;
    out += '\n';
    add_tasks(out, item.value.find("children"), depth + 1);
  }
}

void add_lines(std::string& out, JsonView object, std::string_view before) {
  for (const JsonItem& field : object.fields()) {
    const std::string name = std::string(before) + field.key();
    if (is_empty(field.value) || field.key_is("tasks") || field.key_is("iterations")) continue;
    if (field.value.kind() == JsonKind::object)
      add_lines(out, field.value, name + ".");
    else
      out += fmt::format("{}: {}\n", name, value_of(field, kWidest));
  }
}

std::string metrics_text(JsonView metrics, const RenderStyle& style) {
  std::string out;
  add_lines(out, metrics, "");
  const JsonView iterations = metrics.find("iterations");
  if (is_empty(iterations)) return out;
  return out + "\n" + ListTable::of("iterations", iterations).text(style);
}

std::string workflow_text(JsonView answer) {
  const JsonView workflow = answer.find("workflow");
  std::string out;
  if (const JsonView resumed = answer.find("resumed")) out += fmt::format("resumed: {}\n", resumed.raw());
  add_lines(out, workflow, "");
  for (const JsonItem& field : answer.find("metrics").fields()) {
    const bool figure = field.value.kind() == JsonKind::number;
    if (figure) out += fmt::format("{}: {}\n", field.key(), field.value.raw());
  }
  if (const JsonView tasks = workflow.find("tasks"); !is_empty(tasks)) {
    out += "tasks:\n";
    add_tasks(out, tasks, 0);
  }
  return out;
}

std::string specifications_text(JsonView specifications) {
  std::string out;
  for (const JsonItem& item : specifications.elements()) {
    const JsonView one = item.value;
    out += fmt::format("{}  {}\n", line_of(one.find("module")), line_of(one.find("path"), 300));
    for (const std::string_view key : {"name", "description", "title"}) {
      if (const std::string text = line_of(one.find(key), 300); !text.empty())
        out += fmt::format("  {}: {}\n", key, text);
    }
    if (one.find("criteria").as_int64().value_or(0) > 0)
      out += fmt::format("  criteria: {} of {} ticked\n", one.find("ticked").raw(), one.find("criteria").raw());
    for (const JsonItem& section : one.find("sections").elements()) {
      const auto level = static_cast<std::size_t>(section.value.find("level").as_int64().value_or(1));
      out += fmt::format("  {} {}\n", std::string(level, '#'), line_of(section.value.find("header"), 300));
    }
    std::string missing;
    for (const JsonItem& part : one.find("missing").elements())
      missing += (missing.empty() ? "" : ", ") + line_of(part.value);
    if (!missing.empty()) out += fmt::format("  missing: {}\n", missing);
  }
  return out;
}

// A setting without a source of its own comes from where the table does that it is in.
void add_settings(ListTable& table, JsonView settings, JsonView sources, const std::string& before = {},
                  const std::string& from = {}) {
  for (const JsonItem& field : settings.fields()) {
    const std::string name = before + field.key();
    const JsonView own = sources.find(name);
    const std::string source = own ? line_of(own, 300) : from;
    if (field.value.kind() == JsonKind::object) {
      add_settings(table, field.value, sources, name + ".", source);
      continue;
    }
    const std::string value = cell_of(field.value, kWidest);
    table.add(std::array<std::string_view, 3>{name, value, source});
  }
}

std::string settings_text(JsonView answer, const RenderStyle& style) {
  ListTable table("settings", JsonView(R"({"setting":"","value":"","from":""})"));
  add_settings(table, answer.find("settings"), answer.find("sources"));
  return table.text(style);
}

std::string resumable_text(JsonView sessions, const RenderStyle& style) {
  return ListTable::of("resumable_sessions", sessions).text(style);
}

std::string interviews_text(JsonView interview, const RenderStyle& style) {
  std::string out;
  for (const JsonItem& field : interview.fields()) {
    if (field.key_is("sessions") || is_empty(field.value) || field.value.is_string("") || field.value.raw() == "0")
      continue;
    if (field.value.kind() == JsonKind::object)
      add_lines(out, field.value, field.key() + ".");
    else
      out += fmt::format("{}: {}\n", field.key(), cell_of(field.value, kWidest));
  }
  if (is_empty(interview.find("sessions"))) return out;
  ListTable table("interviews", JsonView(R"({"skill":"","recorded_at":"","composite":0,"asked":0,"skipped":""})"));
  for (const JsonItem& item : interview.find("sessions").elements()) {
    const auto text = [&](std::string_view key) { return cell_of(item.value.find(key), 300); };
    const auto is = [&](std::string_view key) { return item.value.find(key).as_bool().value_or(false); };
    const std::string skill = text("skill"), when = text("timestamp"), asked = text("questions_asked");
    const std::string composite = cell_of(item.value.find("confidence").find("composite"));
    const std::string reason = text("skip_reason");
    const std::string skipped = !is("skipped") ? is("bypassed") ? "bypassed" : "" : reason.empty() ? "yes" : reason;
    table.add(std::array<std::string_view, 5>{skill, when, composite, asked, skipped});
  }
  return out + "\n" + table.text(style);
}

// All of initiative.context: the initiative, the workflow, what MEMORY.md says, the interviews.
std::string context_text(JsonView answer, const RenderStyle& style) {
  std::string out;
  const JsonView initiative = answer.find("initiative"), workflow = answer.find("workflow");
  if (is_empty(initiative)) {
    out += "no initiative\n";
  } else {
    out += fmt::format("source: {}\n", cell_of(answer.find("source"), kWidest));
    add_lines(out, initiative, "");
  }
  add_lines(out, workflow.find("active"), "workflow.");
  add_lines(out, workflow.find("state").find("active").find("phases"), "workflow.phases.");
  if (workflow.find("expired").as_bool().value_or(false)) out += "workflow.expired: true\n";
  const std::pair<std::string_view, std::string_view> noted[] = {
      {"active", "memory"}, {"delegations", "delegation"}, {"learnings", "learning"}};
  for (const auto& [key, word] : noted)
    for (const JsonItem& line : answer.find(key).elements())
      out += fmt::format("{}: {}\n", word, cell_of(line.value, kWidest));
  if (const JsonView history = workflow.find("history"); !is_empty(history))
    out += "\n" + ListTable::of("history", history).text(style);
  const JsonView interview = answer.find("interview");
  if (!is_empty(interview.find("sessions")) || !is_empty(interview.find("state")))
    out += "\n" + interviews_text(interview, style);
  return out;
}

std::string pruned_text(JsonView answer) {
  std::string ids;
  int count = 0;
  for (const JsonItem& id : answer.find("pruned").elements()) {
    ids += line_of(id.value, 300) + "\n";
    ++count;
  }
  return fmt::format("Pruned {} session(s) (retention: {}).\n{}", count, answer.find("retention").raw(), ids);
}

// Where the summary of an initiative is, not the document itself.
std::string archived_text(JsonView answer) {
  std::string out;
  for (const std::string_view key : {"name", "path", "line", "persisted"})
    out += fmt::format("{}: {}\n", key, cell_of(answer.find(key), kWidest));
  return out;
}

}  // namespace

std::optional<std::string> render_workflow_answer(JsonView answer, const RenderStyle& style) {
  const JsonView workflow = answer.find("workflow");
  if (workflow.find("step_number")) {
    // The requested part comes first.
    for (const JsonItem& field : answer.fields()) {
      if (field.key_is("metrics")) return metrics_text(field.value, style);
      if (field.key_is("workflow") || field.key_is("session")) break;
    }
    return workflow_text(answer);
  }
  if (answer.find("settings").kind() == JsonKind::object && answer.find("sources").kind() == JsonKind::object)
    return settings_text(answer, style);
  if (answer.find("pruned").kind() == JsonKind::array && answer.find("retention")) return pruned_text(answer);
  if (const JsonView all = answer.find("sessions"); !is_empty(all)) {
    const JsonView first = all.elements().begin()->value;
    if (first.find("step") && first.find("latest")) return resumable_text(all, style);
  }
  if (answer.find("summary") && answer.find("path") && answer.find("line")) return archived_text(answer);
  if (answer.find("initiative") && answer.find("delegations") && answer.find("learnings"))
    return context_text(answer, style);
  const JsonView interview = answer.find("interview");
  if (interview.find("max_questions") && !is_empty(interview.find("sessions")))
    return interviews_text(interview, style);
  if (const JsonView all = answer.find("specifications"); !is_empty(all)) return specifications_text(all);
  return std::nullopt;
}

}  // namespace holdfast::inline v1
