// The ids that the messages of a log have, so that a writer refuses one that is taken and a parent that is not
// there. Of a log that was read once, only what was added since is read. Thread-safety: one thread at a time.
#pragma once

#include <holdfast/context.h>
#include <holdfast/file_system.h>

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "layout/layout.h"
#include "layout/writable_layout.h"

namespace holdfast::inline v1 {

class KnownIds {
 public:
  // Up to the end of the log as it is now; a missing one holds none.
  Result<void> read_on(const Context& context, Directory& directory, const std::string& log,
                       const LineWriter& line_writer);
  // Of a message that was accepted and may not be in the file yet.
  void add(std::string id) { ids_.insert(std::move(id)); }
  bool contains(std::string_view id) const { return ids_.contains(id); }

 private:
  std::set<std::string, std::less<>> ids_;
  std::uint64_t read_to_ = 0;
};

}  // namespace holdfast::inline v1
