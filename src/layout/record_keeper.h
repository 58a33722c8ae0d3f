// The power to keep documents beside sessions: runs, missions, projects, threads.
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
  // The key of a project in paths ({project}); the real path is looked at for
  // encodings that two paths share (decision 19). unsupported where nothing is kept by project.
  virtual Result<std::string> project_key(Feed& feed, std::string_view real_path) const = 0;
};

// Of any layout; nothing where it keeps no records.
inline std::span<const RecordShape> shapes_of(const Layout& layout) {
  return layout.records() == nullptr ? std::span<const RecordShape>() : layout.records()->shapes();
}
inline Result<std::string> project_key_of(const Layout& layout, Feed& feed, std::string_view real_path) {
  if (layout.records() == nullptr) return layout.cannot("projects");
  return layout.records()->project_key(feed, real_path);
}

}  // namespace holdfast::inline v1
