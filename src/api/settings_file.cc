#include "api/settings_file.h"

#include "api/new_file.h"
#include "base/id.h"
#include "disk/lock_wait.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::string_view kTemporary = ".new";

// Opens the file only to lock it. A file that cannot be written (read-only, several links) can still be locked.
Result<std::unique_ptr<File>> open_to_lock(Directory& directory, const std::string& name, bool create) {
  auto file = directory.open(name, OpenMode::update);
  if (!file && file.error().code == Code::not_found && create) {
    file = directory.open(name, OpenMode::create_update);
    if (!file && file.error().code == Code::already_exists) file = directory.open(name, OpenMode::update);
  }
  if (!file && file.error().code != Code::not_found) file = directory.open(name, OpenMode::read);
  return file;
}

Result<std::string> read_whole(File& file) {
  HOLDFAST_LET(stat, file.stat());
  std::string text(stat.size, '\0');
  HOLDFAST_LET(count, file.read_at(0, text));
  text.resize(count);
  return text;
}

// Only the holder of the lock writes temporary files: those that exist were left by a killed process.
void remove_left(Directory& directory, const std::string& start) {
  const auto entries = directory.list("");
  if (!entries) return;
  for (const DirectoryEntry& entry : *entries)
    if (entry.name.starts_with(start) && entry.name.ends_with(kTemporary)) (void)directory.remove(entry.name);
}

Result<void> replace(FileSystem& files, Directory& directory, const std::string& name, std::string_view bytes,
                     std::uint32_t mode) {
  const std::string start = "." + name + ".";
  remove_left(directory, start);
  // A unique name, so a late cleanup cannot remove the file of the next holder of the lock.
  const std::string temporary = start + base32_letters(files.entropy(), kMaxIdLetters) + std::string(kTemporary);
  HOLDFAST_LET(file, directory.open(temporary, OpenMode::create_update));
  auto done = file->write_at(0, bytes);
  if (done) done = file->set_mode(mode);
  if (done) done = file->sync();
  if (done) done = directory.rename(temporary, name);
  if (!done) (void)directory.remove(temporary);
  return done ? directory.sync_directory("") : done;
}

}  // namespace

Result<void> change_settings_file(FileSystem& files, const std::string& path, bool create, const SettingsEdit& edit) {
  const SplitPath split = split_path(path);
  auto directory = files.open_directory(split.folder, create);
  if (!directory && directory.error().code == Code::not_found && !create) return {};
  if (!directory) return fail(std::move(directory).error());
  const auto before = (*directory)->stat(split.name);
  if (before && before->kind != FileKind::file)
    return fail(Code::unsafe_path, "the configuration is not a plain file; edit it by hand", path);
  for (;;) {
    auto file = open_to_lock(**directory, split.name, create);
    if (!file && file.error().code == Code::not_found && !create) return {};
    if (!file) return fail(std::move(file).error());
    HOLDFAST_TRY(wait_for_lock(Context{}, **file, LockKind::exclusive, path));
    HOLDFAST_LET(locked, (*file)->stat());
    const auto now = (*directory)->stat(split.name);
    if (!now || !now->same_file(locked)) continue;  // replaced by the previous holder of the lock
    HOLDFAST_LET(text, read_whole(**file));
    HOLDFAST_LET(after, edit(text));
    return after == text ? Result<void>() : replace(files, **directory, split.name, after, locked.mode);
  }
}

}  // namespace holdfast::inline v1
