#include "watched_file_system.h"

#include <utility>

#include "disk/forwarding_testing.h"

namespace holdfast::lab {
namespace {

class WatchedFile final : public ForwardingFile {
 public:
  WatchedFile(WatchedFileSystem& owner, std::unique_ptr<File> inner, std::string path)
      : ForwardingFile(std::move(inner)), owner_(owner), path_(std::move(path)) {}

  Result<void> sync() override {
    return owner_.ring(path_, [this] { return ForwardingFile::sync(); });
  }

 private:
  WatchedFileSystem& owner_;
  std::string path_;
};

class WatchedDirectory final : public ForwardingDirectory {
 public:
  WatchedDirectory(WatchedFileSystem& owner, std::unique_ptr<Directory> inner)
      : ForwardingDirectory(std::move(inner)), owner_(owner) {}

  Result<void> sync_directory(std::string_view path) override {
    return owner_.ring(std::string(path) + "/", [&] { return ForwardingDirectory::sync_directory(path); });
  }
  Result<std::unique_ptr<File>> open(std::string_view path, OpenMode mode) override {
    HOLDFAST_LET(file, ForwardingDirectory::open(path, mode));
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
