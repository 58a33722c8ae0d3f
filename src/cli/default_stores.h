// Which stores this machine has, from the environment and the working directory
// (the contract's table). The library never looks there itself.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "api/store_settings.h"

namespace holdfast::inline v1 {

struct Surroundings {
  std::function<std::string(std::string_view name)> variable;  // empty when unset
  std::function<bool(const std::string& path)> exists;
  std::string directory;  // the working directory, absolute
};

// Those of this process.
Surroundings surroundings();

// Defaults that exist, the native one first; home = the nearest .holdfast with a
// FORMAT above the working directory, else $HOLDFAST_HOME, else the data directory.
// $HOLDFAST_STORE (LAYOUT:ROOT) comes before all of them.
Result<StoreSettings> default_stores(const Surroundings& around);

// An absolute path: relative ones start at the working directory, ~/ at $HOME.
std::string absolute_path(const Surroundings& around, std::string_view path);
// LAYOUT:ROOT with an absolute root.
std::string absolute_store(const Surroundings& around, std::string_view name);

}  // namespace holdfast::inline v1
