// How a file in quarantine names the file that its bytes come from (Root::quarantine).
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "base/safe_name.h"

namespace holdfast::inline v1 {

// The end of the name, after a dot. It keeps the hash at the end of an encoded path, so it is one file's.
inline std::string quarantined_source(std::string_view source_path) {
  const std::string source = encode_name(source_path);
  return source.substr(source.size() - std::min<std::size_t>(source.size(), 160));
}

}  // namespace holdfast::inline v1
