// Where the files of findings are, for answers about several stores. Thread-safety: as Store.
#pragma once

#include <holdfast/store.h>

#include <span>

namespace holdfast::inline v1 {

// Puts the directory of the store in front of the files of its findings. A store of copies (the archive, another
// machine) has no directory with these files: they stay relative.
void place_findings(Store& store, std::span<Finding> findings);

}  // namespace holdfast::inline v1
