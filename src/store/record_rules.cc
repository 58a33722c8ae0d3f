#include "store/record_rules.h"

#include <set>
#include <string>

#include "store/initiative_status.h"
#include "store/record_text.h"
#include "store/state_files.h"

namespace holdfast::inline v1 {
namespace {

bool removes(const RecordEdit& edit) { return edit.kind == RecordEdit::Kind::remove; }

// Several that other programs left active may become fewer, never more.
Result<void> check_missions(const Store::Look& look, std::span<const RecordEdit> edits, const std::string& project) {
  HOLDFAST_LET(list, look({"mission", project, {}}));
  std::set<std::string> active;
  for (const std::string& mission : list.records)
    if (JsonView(mission).find("active").as_bool().value_or(false)) active.insert(text_in(mission, "id"));
  const std::size_t before = active.size();
  for (const RecordEdit& edit : edits) {
    if (edit.key.kind != "mission" || edit.key.project != project) continue;
    const auto says = removes(edit) ? std::optional(false) : JsonView(edit.json).find("active").as_bool();
    if (!says) continue;
    if (*says) {
      active.insert(edit.key.id);
    } else {
      active.erase(edit.key.id);
    }
  }
  if (active.size() <= 1 || active.size() <= before) return {};
  return fail(Code::invalid_argument, "one mission of a project is active at a time, and this would be another",
              project);
}

Result<void> check_initiative(const Store::Look& look, const RecordEdit& edit) {
  const auto status = JsonView(edit.json).find("status").as_string();
  if (!status) return {};
  HOLDFAST_LET(there, look(edit.key));
  if (there.records.empty()) return {};
  return check_status_step(text_in(there.records.front(), "status"), *status);
}

}  // namespace

Result<void> check_record_rules(const Store::Look& look, std::span<const RecordEdit> edits) {
  std::set<std::string> projects;
  for (const RecordEdit& edit : edits) {
    if (edit.key.kind == "mission" && projects.insert(edit.key.project).second)
      HOLDFAST_TRY(check_missions(look, edits, edit.key.project));
    if (edit.key.kind == "initiative" && !removes(edit)) HOLDFAST_TRY(check_initiative(look, edit));
    if (edit.key.kind == "state_file" && !removes(edit)) HOLDFAST_TRY(check_state_file(look, edit));
  }
  return {};
}

}  // namespace holdfast::inline v1
