// `holdfast config`: the program's own configuration.
#pragma once

#include <holdfast/error.h>

#include <string>
#include <vector>

namespace holdfast::inline v1 {

struct Configure {
  enum class Verb { list, get, set, unset, path } verb = Verb::list;
  std::string key = {}, value = {};
  bool dry_run = false;  // for set and unset; the others only read
};

// `words` follow `config`. Fails with invalid_argument and a hint for anything else.
Result<Configure> configure_of(const std::vector<std::string>& words);

// Exits with 1 if a requested key is not set.
Result<int> run_config(const Configure& request, bool json);

}  // namespace holdfast::inline v1
