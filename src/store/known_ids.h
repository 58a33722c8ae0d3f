// The message ids in a log, so a writer can refuse a name that is taken and a parent that does not exist. After
// the first read, only new records are read. Thread-safety: one thread at a time.
#pragma once

#include <holdfast/context.h>
#include <holdfast/file_system.h>

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "layout/layout.h"
#include "layout/writable_layout.h"

namespace holdfast::inline v1 {

class KnownIds {
 public:
  // Reads up to the present end of the log; a missing log has no ids.
  Result<void> read_on(const Context& context, Directory& directory, const std::string& log,
                       const LineWriter& line_writer);
  // Adds the id of a message that was accepted and may not be in the file yet.
  void add(std::string id) { ids_.insert(std::move(id)); }
  bool contains(std::string_view id) const { return ids_.contains(id); }
  // The same, or the offset of a line that names a message without an id (LineWriter::names_by_offset).
  bool is_taken(std::string_view id) const;

 private:
  std::set<std::string, std::less<>> ids_;
  std::vector<std::uint64_t> unnamed_;  // offsets of lines without an id, ascending
  std::uint64_t read_to_ = 0;
  std::optional<FileStat> file_;  // the one that was read
};

}  // namespace holdfast::inline v1
