// `holdfast config`: the program's own configuration.
#pragma once

#include <holdfast/error.h>

#include <string>
#include <vector>

namespace holdfast::inline v1 {

struct Configure {
  enum class Verb { list, get, set, unset, path } verb = Verb::list;
  std::string key = {}, value = {};
  bool dry_run = false;  // of set and unset; the others only look
};

// `words` follow `config`. invalid_argument, with a hint, for the rest.
Result<Configure> configure_of(const std::vector<std::string>& words);

// Exits with 1 when a key that was asked for is not set.
Result<int> run_config(const Configure& request, bool json);

}  // namespace holdfast::inline v1
