// The real file system, counting the bytes that are read of its files.
#pragma once

#include <holdfast/file_system.h>

#include <atomic>
#include <memory>
#include <utility>

namespace holdfast::inline v1 {

class ReadsCounted final : public FileSystem {
 public:
  std::atomic<std::uint64_t> bytes_read = 0;

  Result<std::unique_ptr<Directory>> open_directory(std::string_view path, bool create) override {
    HOLDFAST_LET(directory, real_file_system().open_directory(path, create));
    return std::make_unique<CountedDirectory>(*this, std::move(directory));
  }
  Result<FileSystemKind> kind_of(std::string_view path) override { return real_file_system().kind_of(path); }
  std::uint64_t entropy() override { return real_file_system().entropy(); }

 private:
  class CountedFile final : public File {
   public:
    CountedFile(ReadsCounted& owner, std::unique_ptr<File> inner) : owner_(owner), inner_(std::move(inner)) {}
    Result<std::size_t> read_at(std::uint64_t offset, std::span<char> into) override {
      HOLDFAST_LET(count, inner_->read_at(offset, into));
      owner_.bytes_read += count;
      return count;
    }
    Result<std::size_t> append(std::string_view bytes) override { return inner_->append(bytes); }
    std::uint64_t append_end() const override { return inner_->append_end(); }
    Result<void> write_at(std::uint64_t offset, std::string_view bytes) override {
      return inner_->write_at(offset, bytes);
    }
    Result<void> truncate(std::uint64_t size) override { return inner_->truncate(size); }
    Result<void> sync() override { return inner_->sync(); }
    Result<void> set_mode(std::uint32_t mode) override { return inner_->set_mode(mode); }
    Result<FileStat> stat() override { return inner_->stat(); }
    Result<bool> try_lock(LockKind kind) override { return inner_->try_lock(kind); }
    void unlock() override { inner_->unlock(); }

   private:
    ReadsCounted& owner_;
    std::unique_ptr<File> inner_;
  };

  class CountedDirectory final : public Directory {
   public:
    CountedDirectory(ReadsCounted& owner, std::unique_ptr<Directory> inner) : owner_(owner), inner_(std::move(inner)) {}
    const std::string& path() const override { return inner_->path(); }
    Result<std::unique_ptr<File>> open(std::string_view path, OpenMode mode) override {
      HOLDFAST_LET(file, inner_->open(path, mode));
      return std::make_unique<CountedFile>(owner_, std::move(file));
    }
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
    ReadsCounted& owner_;
    std::unique_ptr<Directory> inner_;
  };
};

}  // namespace holdfast::inline v1
