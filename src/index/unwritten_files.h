// Documents whose new version could not be written and is kept in memory
// (decision 15). A Feed that has them answers with them.
// Thread-safety: plain values; shared as constants.
#pragma once

#include <holdfast/document.h>

#include <map>
#include <optional>
#include <string>

#include "layout/change.h"

namespace holdfast::inline v1 {

struct UnwrittenFile {
  std::optional<std::string> bytes;  // nullopt: the file is to be removed
  Revision base;                     // the version on disk when the change was planned
  bool source = false;
};
using UnwrittenFiles = std::map<Place, UnwrittenFile>;

}  // namespace holdfast::inline v1
