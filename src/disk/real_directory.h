#pragma once

#include <holdfast/file_system.h>

#include <memory>
#include <string>

#include "disk/real_path.h"

namespace holdfast::inline v1 {

// A Directory over an open (readable) directory descriptor. `path` is absolute. `writers`: 0, or the bits 0020 and 0002
// for those who may read what is made in it; directories at its top they may write to.
std::unique_ptr<Directory> make_real_directory(Descriptor descriptor, std::string path, Resolve resolve,
                                               std::uint32_t writers = 0);

// One directory called `name` in the open directory `parent`, of that mode whatever the umask. 0 or errno.
int make_private_directory(int parent, const char* name, std::uint32_t mode = 0700);

}  // namespace holdfast::inline v1
