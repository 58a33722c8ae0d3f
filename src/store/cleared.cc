#include "store/cleared.h"

#include "disk/steps.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::string_view kFolder = "cleared";

}  // namespace

std::string cleared_path(const Root& root, std::string_view name) { return root.side(kFolder, name); }

Result<void> settle_cleared(const Context& context, Root& root, const std::string& path) {
  Directory& directory = root.directory();
  const auto log = directory.stat(path);
  if (!log || log->kind != FileKind::file || log->links < 2 || !does(Step::clear_settled)) return {};
  // clear_session holds this lock until the log has one name.
  HOLDFAST_LET(held, root.lock(context));
  const auto now = directory.stat(path);
  const auto entries = directory.list(root.side(kFolder));
  if (!now || !entries) return {};
  for (const DirectoryEntry& entry : *entries) {
    const std::string aside = cleared_path(root, entry.name);
    const auto kept = directory.stat(aside);
    if (kept && kept->same_file(*now)) HOLDFAST_TRY(directory.remove(aside));
  }
  return {};
}

}  // namespace holdfast::inline v1
