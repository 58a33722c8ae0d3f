#pragma once

#include <holdfast/file_system.h>

#include <memory>
#include <string>

#include "disk/real_path.h"

namespace holdfast::inline v1 {

// A Directory over an open (readable) directory descriptor. `path` is absolute.
std::unique_ptr<Directory> make_real_directory(Descriptor descriptor, std::string path, Resolve resolve);

// One directory called `name` in the open directory `parent`, mode 0700 whatever the umask. 0 or errno.
int make_private_directory(int parent, const char* name);

}  // namespace holdfast::inline v1
