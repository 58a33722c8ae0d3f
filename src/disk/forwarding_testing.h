// Files and directories that forward everything to others; tests override what they
// observe or change. Lifetime: they own what they forward to.
#pragma once

#include <holdfast/file_system.h>

#include <memory>
#include <utility>

namespace holdfast::inline v1 {

class ForwardingFile : public File {
 public:
  explicit ForwardingFile(std::unique_ptr<File> inner) : inner_(std::move(inner)) {}

  Result<std::size_t> read_at(std::uint64_t offset, std::span<char> into) override {
    return inner_->read_at(offset, into);
  }
  Result<std::size_t> append(std::string_view bytes) override { return inner_->append(bytes); }
  std::uint64_t append_end() const override { return inner_->append_end(); }
  Result<void> write_at(std::uint64_t offset, std::string_view bytes) override {
    return inner_->write_at(offset, bytes);
  }
  Result<void> truncate(std::uint64_t size) override { return inner_->truncate(size); }
  Result<void> sync() override { return inner_->sync(); }
  Result<void> drop_cache() override { return inner_->drop_cache(); }
  Result<void> set_mode(std::uint32_t mode) override { return inner_->set_mode(mode); }
  Result<FileStat> stat() override { return inner_->stat(); }
  Result<bool> try_lock(LockKind kind) override { return inner_->try_lock(kind); }
  void unlock() override { inner_->unlock(); }

 private:
  std::unique_ptr<File> inner_;
};

class ForwardingDirectory : public Directory {
 public:
  explicit ForwardingDirectory(std::unique_ptr<Directory> inner) : inner_(std::move(inner)) {}

  const std::string& path() const override { return inner_->path(); }
  Result<std::unique_ptr<File>> open(std::string_view path, OpenMode mode) override { return inner_->open(path, mode); }
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
  Result<void> sync_directory(std::string_view path) override { return inner_->sync_directory(path); }

 private:
  std::unique_ptr<Directory> inner_;
};

}  // namespace holdfast::inline v1
