// The files of the page in the browser, built into the binary (cmake/web.cmake).
#pragma once

#include <span>
#include <string_view>

namespace holdfast::inline v1 {

struct Asset {
  std::string_view path;  // "/app.js"
  std::string_view type;
  std::string_view bytes;
};

std::span<const Asset> assets();

}  // namespace holdfast::inline v1
