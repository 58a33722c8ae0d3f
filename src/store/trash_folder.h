// A folder of the trash: what its manifest lists, and how it is deleted (docs/formats/trash.md).
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

// The manifest lists what is or will be in the folder.
std::string manifest_path(const TrashFolder& found);
std::string manifest_of(const TrashFolder& found);
// nullopt without a valid manifest: the rest of such a folder is garbage that nobody restores.
std::optional<TrashFolder> read_manifest(Root& root, const std::string& name, const std::string& folder);

// From all roots, youngest first.
Result<std::vector<TrashFolder>> list_trash_folders(FileStore& engine);

// Deletes the folder permanently. The manifest goes first, durably.
Result<void> forget(Root& root, const TrashFolder& found);
// Removes the rest of a folder without a manifest. The sync of the manifest's removal may have failed, so a power
// loss could bring the manifest back unless the folder goes too. Does nothing while there is a manifest.
Result<void> forget_folder(Root& root, const std::string& folder);

}  // namespace holdfast::inline v1
