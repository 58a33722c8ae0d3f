// Bytes that we wrote to a log and that no successful sync has covered yet. They
// are authoritative if the kernel drops its copy after a failed sync. One reused
// buffer, because it is filled once per record.
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
  // Call before the lines are written: then `add` needs no memory and cannot fail
  // when the lines are already in the log.
  void make_room(std::span<const std::string_view> lines);

  // Adds lines that are in the log from `offset` on, each followed by a newline.
  void add(std::uint64_t sequence, std::uint64_t offset, std::span<const std::string_view> lines);

  // Drops everything up to `sequence`, which a sync has covered.
  void covered(std::uint64_t sequence);
  void clear();

  // Drops bytes that are no longer in this file, because somebody replaced or
  // truncated it: the file holds neither our bytes there nor the NULs that a
  // failed sync leaves. Returns the number of bytes dropped.
  Result<std::size_t> drop_replaced_bytes(File& file);

  // Offset in the log just after the last of these bytes; 0 if there are none.
  std::uint64_t end() const { return pieces_.empty() ? 0 : pieces_.back().offset + pieces_.back().size; }
  std::size_t bytes() const { return store_.size(); }

  // Overwrites the part of a chunk (read from `offset` of the log) that we
  // wrote: our copy takes precedence over what the page cache holds now.
  void overlay(std::string& chunk, std::uint64_t offset) const;

 private:
  struct Piece {
    std::uint64_t sequence;
    std::uint64_t offset;  // in the log
    std::size_t at;        // in store_
    std::size_t size;
  };

  std::vector<Piece> pieces_;
  std::string store_;
};

}  // namespace holdfast::inline v1
