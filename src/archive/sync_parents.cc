#include "archive/sync_parents.h"

#include "base/parent_path.h"

namespace holdfast::inline v1 {

Result<void> sync_parents(FileSystem& file_system, const std::string& path) {
  for (std::string_view at = path; at.size() > 1;) {
    at = absolute_parent(at);
    // A directory that we cannot open was not created by us.
    if (const auto parent = file_system.open_directory(at, false)) HOLDFAST_TRY((*parent)->sync_directory(""));
  }
  return {};
}

}  // namespace holdfast::inline v1
