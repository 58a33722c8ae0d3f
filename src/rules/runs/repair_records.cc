#include "rules/runs/repair_records.h"

#include <charconv>

#include "rules/runs/missions.h"
#include "rules/runs/runs.h"
#include "store/engine.h"
#include "store/record_text.h"

namespace holdfast::inline v1 {

Result<RecordRepairs> repair_records(const Context& context, Store& store, bool also_unowned) {
  HOLDFAST_LET(files, engine_of(store));
  const Layout& layout = files->layout();
  RecordRepairs settled;
  if (layout.shape("project") == nullptr) return settled;
  HOLDFAST_LET(projects, store.list_records(context, {"project", {}, {}}));
  settled.findings = std::move(projects.findings);
  if (layout.shape("run") != nullptr) {
    HOLDFAST_LET(failed, fail_dead_runs(context, store, also_unowned));
    settled.failed_runs = failed;
  }
  if (layout.shape("legacy_mission") == nullptr) return settled;
  for (const std::string& project : projects.records) {
    const std::string path = text_in(project, "path");
    if (path.empty()) continue;
    HOLDFAST_LET(done, migrate_mission(context, store, path));
    settled.migrated_missions += done.migrated ? 1 : 0;
    for (Finding& finding : done.findings) settled.findings.push_back(std::move(finding));
  }
  return settled;
}

Result<std::string> daemon_files(const Context& context, Store& store) {
  if (store.layout_name() != "linggen") return "{}";
  HOLDFAST_LET(files, engine_of(store));
  JsonWriter json;
  json.begin_object();
  DirectoryFeed feed(context, files->roots().directories());
  HOLDFAST_LET(pid, feed.document({"home", "ling.pid"}, 4096));
  std::int64_t number = 0;
  if (pid) {
    json.key("pid_file").string("ling.pid").key("pid");
    const bool valid = std::from_chars(pid->data(), pid->data() + pid->size(), number).ec == std::errc();
    valid ? json.int64(number) : json.null();
  }
  HOLDFAST_LET(log, feed.stat({"home", "ling.log"}));
  if (log) json.key("log_file").string("ling.log").key("log_bytes").uint64(log->size);
  return json.end_object().take();
}

}  // namespace holdfast::inline v1
