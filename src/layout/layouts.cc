// The layouts of this build, one line each.
#include <array>

#include "layout/holdfast/native_layout.h"

namespace holdfast::inline v1 {

std::span<const Layout* const> layouts() {
  static const std::array<const Layout*, 1> all = {
      &native_layout(),
  };
  return all;
}

}  // namespace holdfast::inline v1
