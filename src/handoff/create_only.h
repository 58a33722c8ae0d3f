// A file that is there as a whole or not at all, and never in place of another:
// written beside its name, synced, linked, and the names synced. Nothing else in
// the directory is touched; a crash leaves at most a file named .holdfast-… that
// no agent looks at (decision 42). Thread-safety: one thread an object.
#pragma once

#include <holdfast/file_system.h>

#include <memory>
#include <string>
#include <string_view>

namespace holdfast::inline v1 {

class CreateOnly {
 public:
  // `path` is below the directory, which outlives this; missing folders on the way are made (0700).
  // unsafe_path: a symbolic link is in the place of one; writing follows none (decision 31).
  static Result<CreateOnly> begin(FileSystem& files, Directory& directory, std::string_view path);
  // That alone, as far as the folders are there: nothing is written.
  static Result<void> check_folders(Directory& directory, std::string_view path);
  CreateOnly(CreateOnly&&) noexcept = default;
  CreateOnly& operator=(CreateOnly&&) = delete;
  ~CreateOnly();  // removes what was not finished

  Result<void> write(std::string_view bytes);
  // Durable and visible when this succeeds, gone when it fails; already_exists when there is such a file.
  Result<void> finish();

 private:
  CreateOnly(Directory& directory, std::string path, std::string beside, std::unique_ptr<File> file)
      : directory_(&directory), path_(std::move(path)), beside_(std::move(beside)), file_(std::move(file)) {}

  Directory* directory_;
  std::string path_, beside_;
  std::unique_ptr<File> file_;
  std::uint64_t size_ = 0;
};

}  // namespace holdfast::inline v1
