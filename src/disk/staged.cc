#include "disk/staged.h"

#include "base/safe_name.h"

namespace holdfast::inline v1 {

std::string backup_path(const Root& root, std::string_view path) { return root.side("backup", encode_name(path)); }

Result<std::string> read_whole(Directory& directory, std::string_view path) {
  HOLDFAST_LET(file, directory.open(path, OpenMode::read));
  HOLDFAST_LET(stat, file->stat());
  std::string bytes;
  Result<std::size_t> count = 0;
  bytes.resize_and_overwrite(static_cast<std::size_t>(stat.size), [&](char* into, std::size_t size) {
    count = file->read_at(0, {into, size});
    return count.value_or(0);
  });
  if (!count) return fail(std::move(count).error());
  return bytes;
}

namespace {

// Fails with unsafe_path if a directory on the path is a symbolic link: reading would follow
// it, and no change can be made there.
Result<void> check_real_way(Directory& directory, std::string_view path) {
  for (std::size_t slash = path.find('/'); slash != std::string_view::npos; slash = path.find('/', slash + 1)) {
    const std::string_view above = path.substr(0, slash);
    const auto stat = directory.stat(above);
    if (!stat) return stat.error().code == Code::not_found ? Result<void>{} : fail(stat.error());
    if (stat->kind == FileKind::symlink)
      return fail(Code::unsafe_path, "a parent directory is a symbolic link, which is not followed",
                  directory.path() + "/" + std::string(above));
  }
  return {};
}

// Counts the names that we gave the file ourselves: its own, its backup, and
// what a crash in keep_backup left among the temporary files.
std::uint64_t own_links(Root& root, std::string_view path, const FileStat& file) {
  Directory& directory = root.directory();
  std::uint64_t count = 1;
  if (const auto backup = directory.stat(backup_path(root, path)); backup && backup->same_file(file)) ++count;
  const auto staged = directory.list(root.side("tmp"));
  if (!staged) return count;
  for (const auto& entry : *staged)
    if (const auto stat = directory.stat(root.side("tmp", entry.name)); stat && stat->same_file(file)) ++count;
  return count;
}

}  // namespace

Result<std::optional<std::string>> read_own_file(Root& root, std::string_view path) {
  Directory& directory = root.directory();
  if (does(Step::document_kind_check)) HOLDFAST_TRY(check_real_way(directory, path));
  auto stat = directory.stat(path);
  if (!stat) {
    if (stat.error().code == Code::not_found) return std::nullopt;
    return fail(std::move(stat).error());
  }
  if (does(Step::document_kind_check) && stat->kind != FileKind::file)
    return fail(Code::unsafe_path, "this name is not a plain file, so it is not written", std::string(path));
  if (does(Step::document_link_check) && stat->links > 1) {
    if (own_links(root, path, *stat) < stat->links)
      return fail(Code::unsafe_path, "this file has another name (hard link), so it is not written", std::string(path));
  }
  HOLDFAST_LET(bytes, read_whole(directory, path));
  return bytes;
}

Result<std::string> stage_file(Root& root, std::string_view bytes, std::uint32_t mode, std::optional<Step> sync) {
  HOLDFAST_TRY(root.ensure_directory(root.side("tmp")));
  std::string path = root.side("tmp", root.unique_name("new."));
  HOLDFAST_LET(file, root.directory().open(path, OpenMode::create_update));
  auto written = file->write_at(0, bytes);
  if (written && mode != 0600) written = file->set_mode(mode);
  if (written && sync && does(*sync)) written = file->sync();
  if (written) return path;
  drop_staged(root, path);
  return fail(std::move(written).error());
}

std::uint32_t next_mode(Root& root, std::string_view path, std::uint32_t wanted) {
  if (wanted != kKeepMode) return wanted;
  const auto present = root.directory().stat(path);
  return present && present->kind == FileKind::file ? present->mode & 0777U : 0644U;
}

Result<std::string> stage_symlink(Root& root, std::string_view target) {
  HOLDFAST_TRY(root.ensure_directory(root.side("tmp")));
  std::string path = root.side("tmp", root.unique_name("link."));
  HOLDFAST_TRY(root.directory().make_symlink(target, path));
  return path;
}

Result<void> recreate_name(Root& root, std::string_view path) {
  HOLDFAST_LET(staged, stage_symlink(root, "removed"));
  return root.directory().rename(staged, path);
}

void drop_staged(Root& root, std::string_view staged) { (void)root.directory().remove(staged); }

Result<void> keep_backup(Root& root, std::string_view path) {
  if (!does(Step::document_backup)) return {};
  Directory& directory = root.directory();
  auto present = directory.stat(path);
  if (!present) return present.error().code == Code::not_found ? Result<void>{} : fail(std::move(present).error());
  const std::string backup = backup_path(root, path);
  // If both are names of one file, a rename between them would do nothing and
  // leave the temporary name behind.
  if (const auto old = directory.stat(backup); old && old->same_file(*present)) return {};
  HOLDFAST_TRY(root.ensure_directory(root.side("tmp")));
  HOLDFAST_TRY(root.ensure_directory(root.side("backup")));
  const std::string link = root.side("tmp", root.unique_name("backup."));
  HOLDFAST_TRY(directory.make_link(path, link));
  auto renamed = directory.rename(link, backup);
  if (!renamed) drop_staged(root, link);
  return renamed;
}

void forget_old_backup(Root& root, std::string_view path) { (void)root.directory().remove(backup_path(root, path)); }

}  // namespace holdfast::inline v1
