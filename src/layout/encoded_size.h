// How large the media are that a record holds in base64. Thread-safety: pure function.
#pragma once

#include <cstdint>
#include <string_view>

#include "text/base64.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {

// Of a text in base64, or of a data URL; 0 for anything else.
inline std::uint64_t encoded_size(JsonView data) {
  if (data.kind() != JsonKind::string || data.raw().size() < 2) return 0;
  std::string_view text = data.raw().substr(1, data.raw().size() - 2);
  if (text.starts_with("data:")) {
    const std::size_t coding = text.substr(0, 200).find(";base64,");
    if (coding == std::string_view::npos) return 0;
    text.remove_prefix(coding + std::string_view(";base64,").size());
  }
  return base64_size(text);
}

}  // namespace holdfast::inline v1
