// Bytes that we wrote to a log and no successful sync has covered yet: the truth
// if the kernel drops its copy after a failed one. One buffer, reused, because
// it is filled once a record.
// Thread-safety: one thread at a time.
#pragma once

#include <holdfast/file_system.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::inline v1 {

class Unsynced {
 public:
  // Before these lines are written: their `add` needs no memory then, and cannot fail
  // over what is in the log already.
  void make_room(std::span<const std::string_view> lines);

  // Lines that lie in the log from `offset` on, each followed by a newline.
  void add(std::uint64_t sequence, std::uint64_t offset, std::span<const std::string_view> lines);

  // A sync has covered everything up to `sequence`.
  void covered(std::uint64_t sequence);
  void clear();

  // Forgets what was written to this file and is not in it any more, because
  // somebody replaced or cut the file: at its place are other bytes than ours and
  // than the NULs that a failed sync leaves. How many bytes went.
  Result<std::size_t> keep_what_fits(File& file);

  // Just after the last of these bytes in the log; 0 when there are none.
  std::uint64_t end() const { return pieces_.empty() ? 0 : pieces_.back().offset + pieces_.back().size; }
  std::size_t bytes() const { return store_.size(); }

  // Puts our bytes into a chunk that was read from `offset` of the log: what we
  // wrote counts more than what the cache says now.
  void overlay(std::string& chunk, std::uint64_t offset) const;

 private:
  struct Piece {
    std::uint64_t sequence;
    std::uint64_t offset;  // in the log
    std::size_t at;        // in the store
    std::size_t size;
  };

  std::vector<Piece> pieces_;
  std::string store_;
};

}  // namespace holdfast::inline v1
