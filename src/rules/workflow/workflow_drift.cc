#include "rules/workflow/workflow_drift.h"

#include "text/json_value.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {
namespace {

// Returns "" for a store inside its project; nullopt if there is no project to read.
std::optional<std::string> project_of(const FileStore& store, const WorkflowView& view) {
  if (view.module.empty()) return std::nullopt;
  if (store.layout().shape("specification") != nullptr) return std::string();
  std::string project = JsonView(view.state).find("project").as_string().value_or("");
  if (!store.layout().traits().owns_logs || project.empty()) return std::nullopt;
  return project;
}

void report_unknown_drift(FileStore& store, const WorkflowView& view, const Error& error) {
  // A missing project has no specification either.
  if (error.code == Code::not_found) return;
  JsonWriter json;
  json.begin_object().key("sessionId").string(view.id).key("code").string(code_name(error.code));
  store.tell("workflow:drift_unknown", json.key("message").string(error.text()).end_object().take());
}

}  // namespace

void record_drift_base(const Context& context, FileStore& store, const WorkflowView& saved) {
  const auto project = project_of(store, saved);
  if (!project) return;
  const auto kept = record_section_hashes(context, store, *project, saved.id, saved.module);
  if (!kept) report_unknown_drift(store, saved, kept.error());
}

DriftReport drift_since_save(const Context& context, FileStore& store, const WorkflowView& resumed) {
  const auto project = project_of(store, resumed);
  if (!project) return {};
  auto report = find_drift(context, store, *project, resumed.id, resumed.module);
  if (report) return std::move(*report);
  report_unknown_drift(store, resumed, report.error());
  return {};
}

}  // namespace holdfast::inline v1
