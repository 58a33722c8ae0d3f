// Shows and changes the program's own configuration: the value of each key of the table
// (configuration_keys.h), and where it comes from. Thread-safety: pure except for the
// functions of the Environment.
#pragma once

#include <holdfast/error.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/default_stores.h"

namespace holdfast::inline v1 {

struct OwnSetting {
  std::string name;
  std::string help;
  std::string value;  // as text; a table as JSON; empty if not set
  std::string from;   // the variable or the file that sets it
};

// Every key of the table, in its order.
Result<std::vector<OwnSetting>> own_settings(const Environment& env);
// One of them, or a price (prices.MODEL.input). For an unknown key, fails with invalid_argument and suggests a key.
Result<OwnSetting> own_setting(const Environment& env, std::string_view name);

// Unknown keys in the person's own file.
Result<std::vector<std::string>> unknown_settings(const Environment& env);

// The path of the person's own file, which need not exist. Fails with not_found if there is no home directory.
Result<std::string> own_configuration_file(const Environment& env);

// Sets or removes (no value) one key in the person's own file; everything else in it stays.
// `prices.MODEL.input` and the like are keys too. Fails with invalid_argument if the key cannot have that value.
Result<void> set_own_setting(const Environment& env, std::string_view name, const std::optional<std::string>& value);
// Fails if set_own_setting would; changes nothing.
Result<void> check_own_setting(const Environment& env, std::string_view name, const std::optional<std::string>& value);

}  // namespace holdfast::inline v1
