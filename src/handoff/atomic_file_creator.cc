#include "handoff/atomic_file_creator.h"

#include "base/id.h"
#include "base/parent_path.h"
#include "base/safe_name.h"
#include "disk/steps.h"

namespace holdfast::inline v1 {
namespace {

Result<void> make_folders(Directory& directory, std::string_view folder) {
  if (folder.empty() || directory.exists(folder)) return {};
  HOLDFAST_TRY(make_folders(directory, parent_of(folder)));
  const auto made = directory.make_directory(folder);
  if (!made && made.error().code != Code::already_exists) return made;
  if (!does(Step::new_file_folder_sync)) return {};
  return directory.sync_directory(parent_of(folder));
}

// Fails with unsafe_path if one of the folders that exist is a symbolic link.
Result<void> check_folders(Directory& directory, std::string_view path) {
  HOLDFAST_TRY(check_relative_path(path));
  for (std::size_t slash = path.find('/'); slash != std::string_view::npos; slash = path.find('/', slash + 1)) {
    const std::string_view folder = path.substr(0, slash);
    const auto stat = directory.stat(folder);
    if (!stat || stat->kind != FileKind::symlink) continue;
    const auto target = directory.read_symlink(folder);
    return fail(Code::unsafe_path,
                "a symbolic link" + (target ? " to " + *target : std::string()) +
                    " is in the place of a folder, and nothing is written through links",
                directory.path() + "/" + std::string(folder));
  }
  return {};
}

}  // namespace

Result<AtomicFileCreator> AtomicFileCreator::begin(FileSystem& files, Directory& directory, std::string_view path) {
  HOLDFAST_TRY(check_folders(directory, path));
  const std::string_view folder = parent_of(path);
  HOLDFAST_TRY(make_folders(directory, folder));
  if (directory.exists(path)) return fail(Code::already_exists, "the file already exists", std::string(path));
  std::string beside = (folder.empty() ? std::string() : std::string(folder) + "/") + ".holdfast-" +
                       base32_letters(files.entropy(), kMaxIdLetters);
  HOLDFAST_LET(file, directory.open(beside, OpenMode::create_update));
  return AtomicFileCreator(directory, std::string(path), std::move(beside), std::move(file));
}

AtomicFileCreator::~AtomicFileCreator() {
  if (file_ != nullptr) (void)directory_->remove(beside_);
}

Result<void> AtomicFileCreator::write(std::string_view bytes) {
  HOLDFAST_TRY(file_->write_at(size_, bytes));
  size_ += bytes.size();
  return {};
}

Result<void> AtomicFileCreator::finish() {
  if (does(Step::new_file_sync)) HOLDFAST_TRY(file_->sync());
  HOLDFAST_TRY(directory_->make_link(beside_, path_));
  file_.reset();
  (void)directory_->remove(beside_);
  if (!does(Step::new_file_name_sync)) return {};
  auto synced = directory_->sync_directory(parent_of(path_));
  if (!synced) (void)directory_->remove(path_);  // after a failure the file does not exist
  return synced;
}

}  // namespace holdfast::inline v1
