// The power to keep an index file that the layout prescribes, one for each group of
// sessions (a project). The engine has it rebuilt when a session of the group changed.
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
  // The group whose index a session is in.
  virtual std::string index_group(const SessionRef& ref) const = 0;
  // The file, from all sessions of the group; `rows` come newest first.
  virtual Result<Changes> write_index(Feed& feed, std::string_view group, std::span<const Session> rows,
                                      const Moment& moment) const = 0;
  // What a file says of each session, by id; nothing when it cannot be read.
  using Entries = std::map<std::string, std::string, std::less<>>;
  virtual Entries entries(std::string_view bytes) const = 0;
};

// The group of a session on any layout; empty: there is no index.
inline std::string index_group(const Layout& layout, const SessionRef& ref) {
  return layout.index_files() == nullptr ? std::string() : layout.index_files()->index_group(ref);
}

}  // namespace holdfast::inline v1
