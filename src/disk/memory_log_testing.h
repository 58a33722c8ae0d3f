// For tests and fuzz targets of the readers: a read-only directory with one file in memory.
// Much cheaper than the simulated file system when there are millions of small logs.
#pragma once

#include <holdfast/log_reader.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::inline v1 {

class MemoryFile final : public File {
 public:
  explicit MemoryFile(std::shared_ptr<std::string> bytes) : bytes_(std::move(bytes)) {}

  std::function<void(std::uint64_t)> before_read;  // called with each offset; may change the bytes

  Result<std::size_t> read_at(std::uint64_t offset, std::span<char> into) override {
    if (before_read) before_read(offset);
    if (offset >= bytes_->size()) return 0;
    const std::size_t count = std::min<std::size_t>(into.size(), bytes_->size() - static_cast<std::size_t>(offset));
    if (count > 0) std::memcpy(into.data(), bytes_->data() + offset, count);
    return count;
  }
  Result<FileStat> stat() override {
    FileStat stat;
    stat.kind = FileKind::file;
    stat.size = bytes_->size();
    return stat;
  }
  Result<std::size_t> append(std::string_view) override { return refused(); }
  Result<void> write_at(std::uint64_t, std::string_view) override { return refused(); }
  Result<void> truncate(std::uint64_t) override { return refused(); }
  std::uint64_t append_end() const override { return 0; }
  Result<void> sync() override { return refused(); }
  Result<void> set_mode(std::uint32_t) override { return refused(); }
  Result<bool> try_lock(LockKind) override { return refused(); }
  void unlock() override {}

 private:
  static Failure refused() { return fail(Code::read_only, "readers never write and never lock"); }

  std::shared_ptr<std::string> bytes_;
};

class MemoryDirectory final : public Directory {
 public:
  explicit MemoryDirectory(std::string bytes = {}) : bytes_(std::make_shared<std::string>(std::move(bytes))) {}

  std::string& bytes() { return *bytes_; }
  std::function<std::unique_ptr<File>(std::unique_ptr<File>)> wrap;  // applied to every opened file

  const std::string& path() const override { return path_; }
  Result<std::unique_ptr<File>> open(std::string_view, OpenMode mode) override {
    if (mode != OpenMode::read) return refused();
    std::unique_ptr<File> file = std::make_unique<MemoryFile>(bytes_);
    return wrap ? wrap(std::move(file)) : std::move(file);
  }
  Result<FileStat> stat(std::string_view) override { return refused(); }
  Result<std::vector<DirectoryEntry>> list(std::string_view) override { return refused(); }
  Result<void> make_directory(std::string_view) override { return refused(); }
  Result<void> make_link(std::string_view, std::string_view) override { return refused(); }
  Result<void> make_symlink(std::string_view, std::string_view) override { return refused(); }
  Result<std::string> read_symlink(std::string_view) override { return refused(); }
  Result<void> rename(std::string_view, std::string_view) override { return refused(); }
  Result<void> remove(std::string_view) override { return refused(); }
  Result<void> remove_directory(std::string_view) override { return refused(); }
  Result<void> sync_directory(std::string_view) override { return refused(); }

 private:
  static Failure refused() { return fail(Code::read_only, "readers only open files for reading"); }

  std::string path_ = "/memory";
  std::shared_ptr<std::string> bytes_;
};

struct ReadLog {
  std::vector<OwnedRecord> records;
  std::vector<Damage> damage;
  std::uint64_t position = 0;
  std::uint64_t in_flight = 0;
};

inline Result<ReadLog> read_log(Directory& directory, ReadOptions options = {}) {
  ReadLog log;
  HOLDFAST_LET(reader, LogReader::open({}, directory, "log", std::move(options)));
  Record record;
  for (;;) {
    HOLDFAST_LET(more, reader.next(record));
    if (!more) break;
    log.records.push_back({std::string(record.bytes), record.offset, record.salvaged});
  }
  log.damage = reader.damage();
  log.position = reader.position();
  log.in_flight = reader.in_flight();
  return log;
}

inline bool operator==(const OwnedRecord& a, const OwnedRecord& b) {
  return a.bytes == b.bytes && a.offset == b.offset && a.salvaged == b.salvaged;
}
inline bool operator==(const Damage& a, const Damage& b) {
  return a.offset == b.offset && a.length == b.length && a.kind == b.kind && a.salvaged == b.salvaged;
}

// The terminated lines of a log, found in the simplest way.
struct PlainLine {
  std::uint64_t offset = 0;
  std::string text;
};
inline std::vector<PlainLine> plain_lines(std::string_view bytes, std::uint64_t& in_flight) {
  std::vector<PlainLine> lines;
  std::size_t start = 0;
  for (std::size_t end = bytes.find('\n'); end != std::string_view::npos; end = bytes.find('\n', start)) {
    lines.push_back({start, std::string(bytes.substr(start, end - start))});
    start = end + 1;
  }
  in_flight = bytes.size() - start;
  return lines;
}

}  // namespace holdfast::inline v1
