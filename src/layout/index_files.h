// Optional interface of a layout that prescribes an index file, one for each group of sessions (a
// project). The engine has the file rebuilt when a session of the group has changed.
#pragma once

#include <holdfast/session.h>

#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "layout/change.h"
#include "layout/layout.h"
#include "layout/moment.h"

namespace holdfast::inline v1 {

class IndexFiles {
 public:
  virtual ~IndexFiles() = default;
  // The group whose index contains a session.
  virtual std::string index_group(const SessionRef& ref) const = 0;
  // What the file is called in the folder of its group. It is derived: nothing of a session is lost with it.
  virtual std::string_view index_name() const = 0;
  // Writes the file from all sessions of the group; `rows` are newest first.
  virtual Result<Changes> write_index(Feed& feed, std::string_view group, std::span<const Session> rows,
                                      const Moment& moment) const = 0;
  // The entry of each session in a file, by id; empty if the file cannot be read.
  using Entries = std::map<std::string, std::string, std::less<>>;
  virtual Entries entries(std::string_view bytes) const = 0;
};

// The index group of a session in any layout; empty if the layout has no index.
inline std::string index_group(const Layout& layout, const SessionRef& ref) {
  return layout.index_files() == nullptr ? std::string() : layout.index_files()->index_group(ref);
}

}  // namespace holdfast::inline v1
