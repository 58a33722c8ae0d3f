// A folder of the trash: what it says it holds, and how it is forgotten (docs/formats/trash.md).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "store/session_trash.h"

namespace holdfast::inline v1 {

// A file or directory of a session, and its name in the trash.
struct TrashedFile {
  std::string path, name;
};

struct TrashFolder {
  TrashedSession session;
  std::string root;
  std::vector<TrashedFile> files;
};

// The manifest, which says what is or will be there.
std::string manifest_path(const TrashFolder& found);
std::string manifest_of(const TrashFolder& found);
// Nothing without one that can be understood: the rest is rubbish that nobody restores.
std::optional<TrashFolder> read_manifest(Root& root, const std::string& name, const std::string& folder);

// Of all roots, the youngest first.
Result<std::vector<TrashFolder>> look_into_trash(FileStore& engine);

// For good. The manifest goes first, durably.
Result<void> forget(Root& root, const TrashFolder& found);
// What is left of one that was forgotten, by somebody whose sync may have failed: the manifest comes back with the
// power unless the folder goes too. Nothing while there is a manifest.
Result<void> forget_folder(Root& root, const std::string& folder);

}  // namespace holdfast::inline v1
