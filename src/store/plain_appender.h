// Appends lines to a plain file that no data depends on: not synced, no lock,
// one write per line.
// Thread-safety: any thread.
#pragma once

#include <holdfast/file_system.h>

#include <memory>
#include <string>
#include <string_view>

#include "base/mutex.h"

namespace holdfast::inline v1 {

struct FolderAndName {
  std::string folder;
  std::string name;
};
// Fails with invalid_argument unless the path is absolute and names a file.
Result<FolderAndName> folder_and_name(std::string_view path);

// Opens for appending; creates the file (0600) if it is missing.
Result<std::unique_ptr<File>> open_or_create(Directory& directory, const std::string& name);

class PlainAppender {
 public:
  PlainAppender(FileSystem& file_system, std::string path) : file_system_(file_system), path_(std::move(path)) {}

  bool on() const { return !path_.empty(); }
  // Adds the newline. A line that cannot be written is dropped, and the file is opened again for the next line.
  void line(std::string text);

 private:
  FileSystem& file_system_;
  const std::string path_;
  Mutex mutex_;
  std::unique_ptr<Directory> directory_ HOLDFAST_GUARDED_BY(mutex_);
  std::unique_ptr<File> file_ HOLDFAST_GUARDED_BY(mutex_);
};

}  // namespace holdfast::inline v1
