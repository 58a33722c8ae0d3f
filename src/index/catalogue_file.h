// The catalogue's file in the cache directory. Nothing here is ever an error:
// a cache that cannot be read or written is only slower.
#pragma once

#include <holdfast/context.h>

#include <string>

#include "index/catalogue.h"

namespace holdfast::inline v1 {

// `cache`: an absolute directory, made when missing; empty: no file at all.
Catalogue load_catalogue(FileSystem& file_system, const std::string& cache, const std::string& store);
void save_catalogue(const Context& context, FileSystem& file_system, const std::string& cache, const std::string& store,
                    Catalogue& catalogue);

}  // namespace holdfast::inline v1
