// The opened directories of a store.
#pragma once

#include <holdfast/file_system.h>

#include <functional>
#include <map>
#include <string>

namespace holdfast::inline v1 {

// Root name -> the directory, or nullptr if this store has none of that name.
using RootDirectories = std::map<std::string, Directory*, std::less<>>;

}  // namespace holdfast::inline v1
