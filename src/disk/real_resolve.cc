#include <limits.h>
#include <stdlib.h>

#include <memory>

#include "disk/resolve.h"

namespace holdfast::inline v1 {

std::string resolve_path(std::string_view path) {
  if (!path.starts_with('/') || path.find('\0') != std::string_view::npos) return std::string(path);
  std::string head(path);
  std::string tail;
  while (true) {
    const std::unique_ptr<char, void (*)(void*)> real(::realpath(head.c_str(), nullptr), ::free);
    if (real) {
      std::string resolved = real.get();
      if (tail.empty()) return resolved;
      return resolved == "/" ? tail : resolved + tail;
    }
    while (head.size() > 1 && head.back() == '/') head.pop_back();
    const std::size_t slash = head.rfind('/');
    std::string name = head.substr(slash);
    // ".." cannot leave a directory that does not exist.
    if (head.size() <= 1 || name == "/.." || name == "/.") return std::string(path);
    tail = name.append(tail);
    head.resize(slash == 0 ? 1 : slash);
  }
}

}  // namespace holdfast::inline v1
