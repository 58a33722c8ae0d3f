// Creates a file that appears whole or not at all, and never replaces another: it is
// written under another name, synced and linked, and the directory is synced. Nothing else
// in the directory is touched; a crash leaves at most a file named .holdfast-… that no
// agent reads (decision 42). Thread-safety: one thread per object.
#pragma once

#include <holdfast/file_system.h>

#include <memory>
#include <string>
#include <string_view>

namespace holdfast::inline v1 {

class AtomicFileCreator {
 public:
  // `path` is below `directory`, which must outlive this object. Missing folders on the way are created
  // (0700). Fails with unsafe_path if one of them is a symbolic link; writing follows none (decision 31).
  static Result<AtomicFileCreator> begin(FileSystem& files, Directory& directory, std::string_view path);
  AtomicFileCreator(AtomicFileCreator&&) noexcept = default;
  AtomicFileCreator& operator=(AtomicFileCreator&&) = delete;
  ~AtomicFileCreator();  // removes an unfinished file

  Result<void> write(std::string_view bytes);
  // Durable and visible if this succeeds, removed if it fails; fails with already_exists if the file exists.
  Result<void> finish();

 private:
  AtomicFileCreator(Directory& directory, std::string path, std::string beside, std::unique_ptr<File> file)
      : directory_(&directory), path_(std::move(path)), beside_(std::move(beside)), file_(std::move(file)) {}

  Directory* directory_;
  std::string path_, beside_;
  std::unique_ptr<File> file_;
  std::uint64_t size_ = 0;
};

}  // namespace holdfast::inline v1
