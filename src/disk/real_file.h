#pragma once

#include <holdfast/file_system.h>

#include <memory>
#include <string>

#include "disk/real_path.h"

namespace holdfast::inline v1 {

// A File over an open descriptor. `path` is for messages.
std::unique_ptr<File> make_real_file(Descriptor descriptor, OpenMode mode, std::string path);

}  // namespace holdfast::inline v1
