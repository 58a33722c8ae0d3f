#include "api/agent_settings.h"

#include "api/settings_file.h"
#include "disk/resolve.h"
#include "disk/staged.h"
#include "store/projects.h"

namespace holdfast::inline v1 {

Result<SettingsFile> read_settings_file(const Call& call, const std::string& path) {
  SettingsFile file;
  file.path = resolve_path(normalize_path(path));
  const std::size_t slash = file.path.rfind('/');
  auto directory = call.stores.settings().files->open_directory(file.path.substr(0, slash), false);
  if (!directory && directory.error().code == Code::not_found) return file;
  if (!directory) return fail(std::move(directory).error());
  const std::string name = file.path.substr(slash + 1);
  auto bytes = read_whole(**directory, name);
  if (!bytes && bytes.error().code == Code::not_found) {
    if (const auto stat = (*directory)->stat(name); stat && stat->kind == FileKind::symlink)
      return fail(Code::unsafe_path, "it is a link to a file that does not exist; create that file or remove the link",
                  file.path);
    return file;
  }
  if (!bytes) return fail(std::move(bytes).error());
  file.bytes = std::move(*bytes);
  file.there = true;
  constexpr std::uint32_t kOwnerWrites = 0200;
  HOLDFAST_LET(stat, (*directory)->stat(name));
  file.read_only = (stat.mode & kOwnerWrites) == 0;
  return file;
}

Result<SettingsEdit> edit_settings(SettingsFile file, std::string next) {
  SettingsEdit edit{std::move(file), std::move(next)};
  if (edit.changes() && edit.file.read_only)
    return fail(Code::permission_denied,
                "the file is read-only, so it is left as it is; make it writable, or edit it by hand", edit.file.path);
  return edit;
}

Result<void> write_settings(const Call& call, const SettingsEdit& edit) {
  if (!edit.changes()) return {};
  const auto changed_meanwhile = [&] {
    return fail(Code::conflict, "somebody else changed the file in the meantime; try again", edit.file.path);
  };
  FileSystem& files = *call.stores.settings().files;
  if (!edit.file.there) {
    auto created = create_settings_file(files, edit.file.path, edit.next);
    return !created && created.error().code == Code::already_exists ? changed_meanwhile() : created;
  }
  bool found = false;
  HOLDFAST_TRY(change_settings_file(files, edit.file.path, false, [&](const std::string& now) -> Result<std::string> {
    found = true;
    if (now != edit.file.bytes) return changed_meanwhile();
    return edit.next;
  }));
  return found ? Result<void>() : changed_meanwhile();
}

}  // namespace holdfast::inline v1
