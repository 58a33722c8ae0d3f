#include "model/initiative.h"

#include <algorithm>

#include "text/json_edit.h"

namespace holdfast::inline v1 {

std::string Initiative::milestone_after(std::string_view done) const {
  bool behind = false;
  for (const JsonItem& item : progress.view().fields()) {
    if (behind && !item.value.is_string("completed")) return item.key();
    behind = behind || item.key_is(done);
  }
  for (const JsonItem& item : progress.view().fields()) {
    if (!item.key_is(done) && !item.value.is_string("completed")) return item.key();
  }
  return {};
}

Result<void> Initiative::set_progress(std::string_view milestone, std::string_view state) {
  const bool there = !progress.raw.empty();
  if (there && progress.view().kind() != JsonKind::object)
    return fail(Code::corrupt, "the progress of the initiative is not an object; nothing was changed");
  HOLDFAST_LET(edited,
               json_set(there ? progress.raw : "{}", {JsonStep(milestone)}, record_values::spell(std::string(state))));
  progress.raw = std::move(edited);
  return {};
}

Result<void> Initiative::add_checkpoint(std::string_view checkpoint_json) {
  const JsonView list = checkpoints.view();
  if (!checkpoints.raw.empty() && list.kind() != JsonKind::array)
    return fail(Code::corrupt, "the checkpoints of the initiative are not an array; nothing was changed");
  const auto count = static_cast<std::size_t>(std::ranges::distance(list.elements()));
  HOLDFAST_LET(edited,
               json_set(list.kind() == JsonKind::array ? checkpoints.raw : "[]", {JsonStep(count)}, checkpoint_json));
  checkpoints.raw = std::move(edited);
  return {};
}

}  // namespace holdfast::inline v1
