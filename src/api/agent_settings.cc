#include "api/agent_settings.h"

#include <holdfast/document.h>
#include <holdfast/root.h>

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
  auto bytes = read_whole(**directory, file.path.substr(slash + 1));
  if (!bytes && bytes.error().code == Code::not_found) return file;
  if (!bytes) return fail(std::move(bytes).error());
  file.bytes = std::move(*bytes);
  file.there = true;
  return file;
}

Result<void> write_settings(const Call& call, const SettingsEdit& edit) {
  if (!edit.changes()) return {};
  const std::size_t slash = edit.file.path.rfind('/');
  RootOptions how;
  how.side = ".holdfast/settings";
  how.create = true;
  how.write = true;
  HOLDFAST_LET(root, Root::open(call.context, *call.stores.settings().files, edit.file.path.substr(0, slash), how));
  ReplaceOptions options;
  options.expected = edit.file.there ? revision_of(edit.file.bytes) : Revision(kAbsent);
  options.mode = kKeepMode;
  HOLDFAST_TRY(replace_document(call.context, *root, edit.file.path.substr(slash + 1), edit.next, options));
  return {};
}

}  // namespace holdfast::inline v1
