// A file that hashes what is read from its start: the bytes that were parsed
// are the bytes that were hashed. Reads may go back and overlap; every byte is
// hashed once. Thread-safety: one thread.
#pragma once

#include <holdfast/file_system.h>

#include <memory>
#include <utility>

#include "base/hash.h"

namespace holdfast::inline v1 {

class HashedFile final : public File {
 public:
  // `prefix` is the hash of the first `hashed` bytes.
  HashedFile(std::unique_ptr<File> file, Xxh3Stream prefix, std::uint64_t hashed)
      : file_(std::move(file)), hash_(std::move(prefix)), hashed_(hashed) {}

  std::uint64_t hashed() const { return hashed_; }
  std::string hash() const { return hash_.hex(); }

  Result<std::size_t> read_at(std::uint64_t offset, std::span<char> into) override {
    HOLDFAST_LET(count, file_->read_at(offset, into));
    if (offset <= hashed_ && offset + count > hashed_) {
      const auto known = static_cast<std::size_t>(hashed_ - offset);
      hash_.add({into.data() + known, count - known});
      hashed_ = offset + count;
    }
    return count;
  }
  Result<FileStat> stat() override { return file_->stat(); }

  // Read-only.
  Result<std::size_t> append(std::string_view) override { return refused(); }
  std::uint64_t append_end() const override { return 0; }
  Result<void> write_at(std::uint64_t, std::string_view) override { return refused(); }
  Result<void> truncate(std::uint64_t) override { return refused(); }
  Result<void> sync() override { return refused(); }
  Result<void> set_mode(std::uint32_t) override { return refused(); }
  Result<bool> try_lock(LockKind) override { return refused(); }
  void unlock() override {}

 private:
  static Failure refused() { return fail(Code::unsupported, "this file is open for reading"); }

  std::unique_ptr<File> file_;
  Xxh3Stream hash_;
  std::uint64_t hashed_;
};

}  // namespace holdfast::inline v1
