#include "layout/holdfast/paths.h"

#include "base/ascii.h"
#include "base/hash.h"

namespace holdfast::inline v1::native {

std::string project_key(std::string_view real_path) {
  if (real_path.empty()) return std::string(kNoProject);
  std::string_view name = real_path;
  while (name.size() > 1 && name.back() == '/') name.remove_suffix(1);
  name = name.substr(name.rfind('/') + 1);
  std::string key;
  for (const char letter : name.substr(0, 40)) {
    if (is_ascii_alnum(letter))
      key += ascii_lower(letter);
    else if (!key.empty() && key.back() != '-')
      key += '-';
  }
  if (!key.empty() && key.back() != '-') key += '-';
  return key + sha256_hex(real_path).substr(0, 8);
}

}  // namespace holdfast::inline v1::native
