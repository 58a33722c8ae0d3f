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

std::string temporary_start(const std::string& name) { return "." + name + "."; }

// Writes the bytes under another name in the same directory, then calls `place`, which gives them their own.
Result<void> write_then(FileSystem& files, Directory& directory, const std::string& name, std::string_view bytes,
                        const std::function<Result<void>(File& file, const std::string& temporary)>& place) {
  // A unique name, so a late cleanup cannot remove the file of the next holder of the lock.
  const std::string temporary =
      temporary_start(name) + base32_letters(files.entropy(), kMaxIdLetters) + std::string(kTemporary);
  HOLDFAST_LET(file, directory.open(temporary, OpenMode::create_update));
  auto done = file->write_at(0, bytes);
  if (done) done = place(*file, temporary);
  if (!done) (void)directory.remove(temporary);
  return done ? directory.sync_directory("") : done;
}

Result<void> replace(FileSystem& files, Directory& directory, const std::string& name, std::string_view bytes,
                     const FileStat& before) {
  remove_left(directory, temporary_start(name));
  return write_then(files, directory, name, bytes, [&](File& file, const std::string& temporary) -> Result<void> {
    HOLDFAST_LET(now, file.stat());
    if (now.owner != before.owner)
      return fail(Code::unsafe_path, "it belongs to another user, and only that user can change it",
                  directory.path() + "/" + name);
    HOLDFAST_TRY(file.set_mode(before.mode));
    HOLDFAST_TRY(file.sync());
    return directory.rename(temporary, name);
  });
}

}  // namespace

Result<void> change_settings_file(FileSystem& files, const std::string& path, bool create, const EditText& edit) {
  const SplitPath split = split_path(path);
  auto directory = files.open_directory(split.folder, create);
  if (!directory && directory.error().code == Code::not_found && !create) return {};
  if (!directory) return fail(std::move(directory).error());
  const auto before = (*directory)->stat(split.name);
  if (before && before->kind != FileKind::file)
    return fail(Code::unsafe_path, "it is not a plain file; edit it by hand", path);
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
    return after == text ? Result<void>() : replace(files, **directory, split.name, after, locked);
  }
}

Result<void> create_settings_file(FileSystem& files, const std::string& path, std::string_view bytes) {
  const SplitPath split = split_path(path);
  HOLDFAST_LET(directory, files.open_directory(split.folder, true));
  return write_then(files, *directory, split.name, bytes,
                    [&](File& file, const std::string& temporary) -> Result<void> {
                      HOLDFAST_TRY(file.sync());
                      HOLDFAST_TRY(directory->make_link(temporary, split.name));  // replaces nothing
                      return directory->remove(temporary);
                    });
}

}  // namespace holdfast::inline v1
