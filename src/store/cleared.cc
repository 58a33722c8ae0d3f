#include "store/cleared.h"

#include "base/safe_name.h"
#include "base/time.h"
#include "disk/steps.h"

namespace holdfast::inline v1 {
namespace {

// The part of the name after the time and the random letters.
std::string end_of_cleared_name(std::string_view session_id) {
  return encode_name(session_id).substr(0, 128) + ".jsonl";
}

}  // namespace

std::string new_cleared_path(const Context& context, const Root& root, std::string_view session_id) {
  return root.side(kClearedFolder,
                   root.unique_name(compact_utc(context.clock->now()) + ".") + "." + end_of_cleared_name(session_id));
}

bool is_cleared_log_of(std::string_view name, std::string_view session_id) {
  const std::size_t time = name.find('.');
  const std::size_t letters = time == std::string_view::npos ? time : name.find('.', time + 1);
  return letters != std::string_view::npos && name.substr(letters + 1) == end_of_cleared_name(session_id);
}

Result<void> settle_cleared(const Context& context, Root& root, const std::string& path) {
  Directory& directory = root.directory();
  const auto log = directory.stat(path);
  if (!log || log->kind != FileKind::file || log->links < 2 || !does(Step::clear_settled)) return {};
  // clear_session holds this lock until the log has one name.
  HOLDFAST_LET(held, root.lock(context));
  const auto now = directory.stat(path);
  const auto entries = directory.list(root.side(kClearedFolder));
  if (!now || !entries) return {};
  for (const DirectoryEntry& entry : *entries) {
    const std::string aside = root.side(kClearedFolder, entry.name);
    const auto kept = directory.stat(aside);
    if (kept && kept->same_file(*now)) HOLDFAST_TRY(directory.remove(aside));
  }
  return {};
}

}  // namespace holdfast::inline v1
