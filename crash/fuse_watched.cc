#include "fuse_watched.h"

#include <utility>

#include "disk/passing_on_testing.h"

namespace holdfast::lab {
namespace {

class WatchedFile final : public PassingFile {
 public:
  WatchedFile(WatchedFileSystem& owner, std::unique_ptr<File> inner, std::string path)
      : PassingFile(std::move(inner)), owner_(owner), path_(std::move(path)) {}

  Result<void> sync() override {
    return owner_.ring(path_, [this] { return PassingFile::sync(); });
  }

 private:
  WatchedFileSystem& owner_;
  std::string path_;
};

class WatchedDirectory final : public PassingDirectory {
 public:
  WatchedDirectory(WatchedFileSystem& owner, std::unique_ptr<Directory> inner)
      : PassingDirectory(std::move(inner)), owner_(owner) {}

  Result<void> sync_directory(std::string_view path) override {
    return owner_.ring(std::string(path) + "/", [&] { return PassingDirectory::sync_directory(path); });
  }
  Result<std::unique_ptr<File>> open(std::string_view path, OpenMode mode) override {
    HOLDFAST_LET(file, PassingDirectory::open(path, mode));
    return std::make_unique<WatchedFile>(owner_, std::move(file), std::string(path));
  }

 private:
  WatchedFileSystem& owner_;
};

}  // namespace

Result<std::unique_ptr<Directory>> WatchedFileSystem::open_directory(std::string_view path, bool create) {
  HOLDFAST_LET(directory, real_file_system().open_directory(path, create));
  return std::make_unique<WatchedDirectory>(*this, std::move(directory));
}

Result<void> WatchedFileSystem::ring(std::string path, const std::function<Result<void>()>& sync) {
  const Sync now{++syncs, std::move(path)};
  if (before_sync) before_sync(now);
  auto done = sync();
  if (after_sync) after_sync(now);
  return done;
}

}  // namespace holdfast::lab
