// Files of a workspace's state: Markdown with typed front matter, one of
//   pm_task       id, status, assigned_tasks[]
//   user_stories  id
//   coder_task    id, status, story_id?, assigned_to
//   message       id, from, to, ts, task_id?
// A record is {"id": name of the file, "type", "task_id": the front matter's id, ...,
// "body"}. Thread-safety: as Store.
#pragma once

#include <holdfast/store.h>

#include <string>
#include <string_view>

namespace holdfast::inline v1 {

// Checks that the edited file matches its type: a rule for every edit (record_rules.h).
Result<void> check_state_file(const Store::Look& look, const RecordEdit& edit);

// Creates the file or changes the given fields of an existing one; unknown fields stay.
// Returns the record. An invalid_argument error names the unknown type, or the field
// that is missing or of another kind.
Result<std::string> put_state_file(const Context& context, Store& store, std::string_view project,
                                   std::string_view name, std::string_view fields_json);
Result<std::string> get_state_file(const Context& context, Store& store, std::string_view project,
                                   std::string_view name);
// Also lists a file whose front matter does not match its type, with a finding.
Result<RecordList> list_state_files(const Context& context, Store& store, std::string_view project);
Result<void> remove_state_file(const Context& context, Store& store, std::string_view project, std::string_view name);

}  // namespace holdfast::inline v1
