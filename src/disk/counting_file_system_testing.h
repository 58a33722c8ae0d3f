// The real file system, counting the bytes read from its files. On request, a read fails.
#pragma once

#include <holdfast/file_system.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

#include "disk/forwarding_testing.h"

namespace holdfast::inline v1 {

class CountingFileSystem final : public FileSystem {
 public:
  std::atomic<std::uint64_t> bytes_read = 0;
  std::atomic<std::int64_t> reads_left = INT64_MAX;  // until all fail

  Result<std::unique_ptr<Directory>> open_directory(std::string_view path, bool create) override {
    HOLDFAST_LET(directory, real_file_system().open_directory(path, create));
    return std::make_unique<CountedDirectory>(*this, std::move(directory));
  }
  Result<FileSystemKind> kind_of(std::string_view path) override { return real_file_system().kind_of(path); }
  std::uint64_t entropy() override { return real_file_system().entropy(); }

 private:
  class CountedFile final : public ForwardingFile {
   public:
    CountedFile(CountingFileSystem& owner, std::unique_ptr<File> inner)
        : ForwardingFile(std::move(inner)), owner_(owner) {}
    Result<std::size_t> read_at(std::uint64_t offset, std::span<char> into) override {
      if (owner_.reads_left-- <= 0) return fail(Code::io_error, "reads fail now");
      HOLDFAST_LET(count, ForwardingFile::read_at(offset, into));
      owner_.bytes_read += count;
      return count;
    }

   private:
    CountingFileSystem& owner_;
  };

  class CountedDirectory final : public ForwardingDirectory {
   public:
    CountedDirectory(CountingFileSystem& owner, std::unique_ptr<Directory> inner)
        : ForwardingDirectory(std::move(inner)), owner_(owner) {}
    Result<std::unique_ptr<File>> open(std::string_view path, OpenMode mode) override {
      HOLDFAST_LET(file, ForwardingDirectory::open(path, mode));
      return std::make_unique<CountedFile>(owner_, std::move(file));
    }

   private:
    CountingFileSystem& owner_;
  };
};

}  // namespace holdfast::inline v1
