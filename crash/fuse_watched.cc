#include "fuse_watched.h"

#include <utility>

namespace holdfast::lab {
namespace {

class WatchedFile final : public File {
 public:
  WatchedFile(WatchedFileSystem& owner, std::unique_ptr<File> inner, std::string path)
      : owner_(owner), inner_(std::move(inner)), path_(std::move(path)) {}

  Result<void> sync() override {
    return owner_.ring(path_, [this] { return inner_->sync(); });
  }

  Result<std::size_t> read_at(std::uint64_t offset, std::span<char> into) override {
    return inner_->read_at(offset, into);
  }
  Result<std::size_t> append(std::string_view bytes) override { return inner_->append(bytes); }
  std::uint64_t append_end() const override { return inner_->append_end(); }
  Result<void> write_at(std::uint64_t offset, std::string_view bytes) override {
    return inner_->write_at(offset, bytes);
  }
  Result<void> truncate(std::uint64_t size) override { return inner_->truncate(size); }
  Result<void> drop_cache() override { return inner_->drop_cache(); }
  Result<void> set_mode(std::uint32_t mode) override { return inner_->set_mode(mode); }
  Result<FileStat> stat() override { return inner_->stat(); }
  Result<bool> try_lock(LockKind kind) override { return inner_->try_lock(kind); }
  void unlock() override { inner_->unlock(); }

 private:
  WatchedFileSystem& owner_;
  std::unique_ptr<File> inner_;
  std::string path_;
};

class WatchedDirectory final : public Directory {
 public:
  WatchedDirectory(WatchedFileSystem& owner, std::unique_ptr<Directory> inner)
      : owner_(owner), inner_(std::move(inner)) {}

  Result<void> sync_directory(std::string_view path) override {
    return owner_.ring(std::string(path) + "/", [&] { return inner_->sync_directory(path); });
  }
  Result<std::unique_ptr<File>> open(std::string_view path, OpenMode mode) override {
    HOLDFAST_LET(file, inner_->open(path, mode));
    return std::make_unique<WatchedFile>(owner_, std::move(file), std::string(path));
  }

  const std::string& path() const override { return inner_->path(); }
  Result<FileStat> stat(std::string_view path) override { return inner_->stat(path); }
  Result<std::vector<DirectoryEntry>> list(std::string_view path) override { return inner_->list(path); }
  Result<void> make_directory(std::string_view path) override { return inner_->make_directory(path); }
  Result<void> make_link(std::string_view from, std::string_view to) override { return inner_->make_link(from, to); }
  Result<void> make_symlink(std::string_view target, std::string_view path) override {
    return inner_->make_symlink(target, path);
  }
  Result<std::string> read_symlink(std::string_view path) override { return inner_->read_symlink(path); }
  Result<void> rename(std::string_view from, std::string_view to) override { return inner_->rename(from, to); }
  Result<void> remove(std::string_view path) override { return inner_->remove(path); }
  Result<void> remove_directory(std::string_view path) override { return inner_->remove_directory(path); }

 private:
  WatchedFileSystem& owner_;
  std::unique_ptr<Directory> inner_;
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
