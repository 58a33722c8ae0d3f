#include "sim_interleaving.h"

#include <thread>
#include <vector>

namespace holdfast::lab {
namespace {

class InterleavingFile final : public ForwardingFile {
 public:
  InterleavingFile(std::unique_ptr<File> inner, InterleavingFileSystem& way)
      : ForwardingFile(std::move(inner)), way_(way) {}

  Result<std::size_t> read_at(std::uint64_t offset, std::span<char> into) override {
    way_.step();
    return ForwardingFile::read_at(offset, into);
  }
  Result<std::size_t> append(std::string_view bytes) override {
    way_.step();
    return ForwardingFile::append(bytes);
  }
  Result<void> write_at(std::uint64_t offset, std::string_view bytes) override {
    way_.step();
    return ForwardingFile::write_at(offset, bytes);
  }
  Result<void> truncate(std::uint64_t size) override {
    way_.step();
    return ForwardingFile::truncate(size);
  }
  Result<void> sync() override {
    way_.step();
    return ForwardingFile::sync();
  }
  Result<void> drop_cache() override {
    way_.step();
    return ForwardingFile::drop_cache();
  }
  Result<FileStat> stat() override {
    way_.step();
    return ForwardingFile::stat();
  }
  Result<bool> try_lock(LockKind kind) override {
    way_.step();
    return ForwardingFile::try_lock(kind);
  }
  void unlock() override {
    way_.step();
    ForwardingFile::unlock();
  }

 private:
  InterleavingFileSystem& way_;
};

class InterleavingDirectory final : public ForwardingDirectory {
 public:
  InterleavingDirectory(std::unique_ptr<Directory> inner, InterleavingFileSystem& way)
      : ForwardingDirectory(std::move(inner)), way_(way) {}

  Result<std::unique_ptr<File>> open(std::string_view path, OpenMode mode) override {
    way_.step();
    HOLDFAST_LET(file, ForwardingDirectory::open(path, mode));
    return std::make_unique<InterleavingFile>(std::move(file), way_);
  }
  Result<FileStat> stat(std::string_view path) override {
    way_.step();
    return ForwardingDirectory::stat(path);
  }
  Result<std::vector<DirectoryEntry>> list(std::string_view path) override {
    way_.step();
    return ForwardingDirectory::list(path);
  }
  Result<void> make_directory(std::string_view path) override {
    way_.step();
    return ForwardingDirectory::make_directory(path);
  }
  Result<void> make_link(std::string_view from, std::string_view to) override {
    way_.step();
    return ForwardingDirectory::make_link(from, to);
  }
  Result<void> make_symlink(std::string_view target, std::string_view path) override {
    way_.step();
    return ForwardingDirectory::make_symlink(target, path);
  }
  Result<void> rename(std::string_view from, std::string_view to) override {
    way_.step();
    return ForwardingDirectory::rename(from, to);
  }
  Result<void> remove(std::string_view path) override {
    way_.step();
    return ForwardingDirectory::remove(path);
  }
  Result<void> sync_directory(std::string_view path) override {
    way_.step();
    return ForwardingDirectory::sync_directory(path);
  }

 private:
  InterleavingFileSystem& way_;
};

}  // namespace

void InterleavingFileSystem::meet(std::uint64_t call, std::function<void()> visit) {
  const std::scoped_lock guard(mutex_);
  visits_.emplace(call, std::move(visit));
}

void InterleavingFileSystem::clear_visits() {
  const std::scoped_lock guard(mutex_);
  visits_.clear();
}

void InterleavingFileSystem::step() {
  const std::uint64_t call = calls_++;
  std::vector<std::function<void()>> now;
  {
    const std::scoped_lock guard(mutex_);
    const auto [first, last] = visits_.equal_range(call);
    for (auto each = first; each != last; ++each) now.push_back(each->second);
  }
  for (const auto& visit : now) std::thread(visit).join();
}

Result<std::unique_ptr<Directory>> InterleavingFileSystem::open_directory(std::string_view path, bool create) {
  step();
  HOLDFAST_LET(directory, inner_.open_directory(path, create));
  return std::make_unique<InterleavingDirectory>(std::move(directory), *this);
}

}  // namespace holdfast::lab
