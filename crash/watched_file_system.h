// The real file system with callbacks around every sync, to do something to the disk exactly there.
#pragma once

#include <holdfast/file_system.h>

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace holdfast::lab {

class WatchedFileSystem : public FileSystem {
 public:
  struct Sync {
    std::uint64_t number = 0;  // from 1
    std::string path;          // of the file, or of the directory with a trailing '/'
  };
  std::function<void(const Sync&)> before_sync;
  std::function<void(const Sync&)> after_sync;
  std::uint64_t syncs = 0;

  Result<std::unique_ptr<Directory>> open_directory(std::string_view path, bool create) override;
  Result<FileSystemKind> kind_of(std::string_view path) override { return real_file_system().kind_of(path); }
  std::uint64_t entropy() override { return real_file_system().entropy(); }

  Result<void> ring(std::string path, const std::function<Result<void>()>& sync);
};

}  // namespace holdfast::lab
