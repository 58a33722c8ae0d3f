#pragma once

#include <holdfast/file_system.h>

#include <memory>
#include <string>

#include "disk/real_path.h"

namespace holdfast::inline v1 {

// A Directory over an open (readable) directory descriptor. `path` is absolute. `writers` is 0, or the bits 0020 and
// 0002 of those who may read what is created in it; they may also write to directories at its top level.
std::unique_ptr<Directory> make_real_directory(Descriptor descriptor, std::string path, Resolve resolve,
                                               std::uint32_t writers = 0);

// Creates one directory called `name` in the open directory `parent`, with this mode whatever the umask. Returns 0 or
// errno.
int make_private_directory(int parent, const char* name, std::uint32_t mode = 0700);

}  // namespace holdfast::inline v1
