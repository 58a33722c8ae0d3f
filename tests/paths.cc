#include "src/base/paths_testing.h"

namespace holdfast::paths {

const std::string& source() {
  static const std::string path = HOLDFAST_SOURCE_DIR;
  return path;
}

const std::string& binary() {
  static const std::string path = HOLDFAST_BINARY;
  return path;
}

const std::string& library() {
  static const std::string path = HOLDFAST_LIBRARY;
  return path;
}

}  // namespace holdfast::paths
