// Optional interface of a layout that keeps documents beside sessions: runs, missions, projects, threads.
#pragma once

#include <holdfast/error.h>

#include <span>
#include <string>
#include <string_view>

#include "layout/layout.h"
#include "layout/record_shape.h"

namespace holdfast::inline v1 {

class RecordKeeper {
 public:
  virtual ~RecordKeeper() = default;
  virtual std::span<const RecordShape> shapes() const = 0;
  // The key of a project in paths ({project}). Checks the real path if the encoding may map two
  // paths to one key (decision 19). Fails with unsupported if nothing is kept by project.
  virtual Result<std::string> project_key(Feed& feed, std::string_view real_path) const = 0;
};

// For any layout; empty if it keeps no records.
inline std::span<const RecordShape> shapes_of(const Layout& layout) {
  return layout.records() == nullptr ? std::span<const RecordShape>() : layout.records()->shapes();
}
inline Result<std::string> project_key_of(const Layout& layout, Feed& feed, std::string_view real_path) {
  if (layout.records() == nullptr) return layout.cannot("projects");
  return layout.records()->project_key(feed, real_path);
}

}  // namespace holdfast::inline v1
