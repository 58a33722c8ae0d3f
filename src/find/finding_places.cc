#include "find/finding_places.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "disk/copies.h"
#include "store/engine.h"

namespace holdfast::inline v1 {

void place_findings(Store& store, std::span<Finding> findings) {
  const FileStore* const engine = engine_or_null(store);
  if (engine == nullptr || holds_copies(engine->file_system())) return;
  const std::string_view name = store.name();
  const std::string_view root = name.substr(std::min(name.find(':') + 1, name.size()));
  if (!root.starts_with('/')) return;
  for (Finding& finding : findings) {
    if (finding.file.empty() || finding.file.starts_with('/') || finding.file == name) continue;
    finding.file.insert(0, std::string(root == "/" ? "" : root) + "/");
  }
}

}  // namespace holdfast::inline v1
