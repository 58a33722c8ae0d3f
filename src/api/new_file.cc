#include "api/new_file.h"

#include "disk/real_file_system.h"

namespace holdfast::inline v1 {

SplitPath split_path(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return {slash == 0 ? "/" : path.substr(0, slash), path.substr(slash + 1)};
}

Result<std::unique_ptr<Directory>> open_folder_for_file(FileSystem& files, std::string_view folder) {
  auto* const foreign = dynamic_cast<OpensForeign*>(&files);
  return foreign != nullptr ? foreign->open_to_read(folder) : files.open_directory(folder, false);
}

namespace {

// A missing directory is invalid_argument, not not_found: the path is a parameter, not an id.
Result<std::unique_ptr<Directory>> folder_of_new(FileSystem& files, const std::string& path) {
  const SplitPath target = split_path(path);
  if (!path.starts_with('/') || target.name.empty())
    return fail(Code::invalid_argument, "the new file needs an absolute path, not \"" + path + "\"");
  auto directory = open_folder_for_file(files, target.folder);
  if (!directory && directory.error().code == Code::not_found)
    return fail(Code::invalid_argument, "there is no directory for the new file", target.folder);
  return directory;
}

Failure exists_already(const std::string& path) {
  return fail(Code::already_exists, "there is a file with this name; it is not overwritten", path);
}

}  // namespace

Result<void> check_new_file(FileSystem& files, const std::string& path) {
  HOLDFAST_LET(directory, folder_of_new(files, path));
  if (!directory->exists(split_path(path).name)) return {};
  return exists_already(path);
}

Result<void> write_new_file(FileSystem& files, const std::string& path, std::string_view bytes) {
  const SplitPath target = split_path(path);
  HOLDFAST_LET(directory, folder_of_new(files, path));
  auto file = directory->open(target.name, OpenMode::create_update);
  if (!file && file.error().code == Code::already_exists) return exists_already(path);
  if (!file) return fail(std::move(file).error());
  auto written = (*file)->write_at(0, bytes);
  if (written) written = (*file)->sync();
  if (written) written = directory->sync_directory("");
  if (!written) (void)directory->remove(target.name);
  return written;
}

}  // namespace holdfast::inline v1
