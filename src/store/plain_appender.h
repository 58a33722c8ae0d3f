// Lines at the end of a plain file that nobody's data depends on: not synced,
// no lock, one write a line.
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
// invalid_argument unless the path is absolute and names a file.
Result<FolderAndName> folder_and_name(std::string_view path);

// For appending; made, 0600, when it is missing.
Result<std::unique_ptr<File>> open_or_create(Directory& directory, const std::string& name);

class PlainAppender {
 public:
  PlainAppender(FileSystem& file_system, std::string path) : file_system_(file_system), path_(std::move(path)) {}

  bool on() const { return !path_.empty(); }
  // Adds the newline. A line that cannot be written is dropped, and the file is opened anew for the next.
  void line(std::string text);

 private:
  FileSystem& file_system_;
  const std::string path_;
  Mutex mutex_;
  std::unique_ptr<Directory> directory_ HOLDFAST_GUARDED_BY(mutex_);
  std::unique_ptr<File> file_ HOLDFAST_GUARDED_BY(mutex_);
};

}  // namespace holdfast::inline v1
