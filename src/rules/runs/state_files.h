// Files of a workspace's state: Markdown with typed front matter, one of
//   pm_task       id, status, assigned_tasks[]
//   user_stories  id
//   coder_task    id, status, story_id?, assigned_to
//   message       id, from, to, ts, task_id?
// A record is {"id": name of the file, "type", "task_id": the front matter's id, ...,
// "body"}. Thread-safety: as Store.
#pragma once

#include <holdfast/store.h>

namespace holdfast::inline v1 {

// A rule for every edit (record_rules.h): fails with invalid_argument, which names the unknown type, or the field that
// is missing or of another kind.
Result<void> check_state_file(const Store::Look& look, const RecordEdit& edit);

}  // namespace holdfast::inline v1
