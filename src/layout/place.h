// The location of a file: a path below one of a layout's named roots (decision 8).
#pragma once

#include <string>

namespace holdfast::inline v1 {

struct Place {
  std::string root;  // one of the names in Layout::roots()
  std::string path;  // relative, '/' between names; "" is the root itself

  bool operator==(const Place&) const = default;
  auto operator<=>(const Place&) const = default;
};

}  // namespace holdfast::inline v1
