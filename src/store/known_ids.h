// The message ids in a log, so a writer can refuse an id that is taken and a parent that does not exist. After
// the first read, only new records are read. Thread-safety: one thread at a time.
#pragma once

#include <holdfast/context.h>
#include <holdfast/file_system.h>

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>

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

 private:
  std::set<std::string, std::less<>> ids_;
  std::uint64_t read_to_ = 0;
  std::optional<FileStat> file_;  // the one that was read
};

}  // namespace holdfast::inline v1
