// The program's own configuration, as a person looks at it and changes it: what each key
// of the table (configuration_keys.h) is, and where that comes from. Thread-safety: pure
// but for what the Environment is asked.
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
  std::string value;  // as text; a table as JSON; empty: nobody sets it
  std::string from;   // the variable or the file that sets it
};

// Every key of the table, in its order.
Result<std::vector<OwnSetting>> own_settings(const Environment& around);
// One of them, or a price (prices.MODEL.input). invalid_argument, with the nearest, for a key that is not in the table.
Result<OwnSetting> own_setting(const Environment& around, std::string_view name);

// Keys in the person's own file that mean nothing.
Result<std::vector<std::string>> unknown_settings(const Environment& around);

// The person's own file, there or not. not_found: there is no home to have one in.
Result<std::string> own_configuration_file(const Environment& around);

// Sets or removes (no value) one key in the person's own file; everything else in it stays.
// `prices.MODEL.input` and its like are keys too. invalid_argument for a value that the key cannot have.
Result<void> set_own_setting(const Environment& around, std::string_view name, const std::optional<std::string>& value);
// What it would refuse; nothing is changed.
Result<void> check_own_setting(const Environment& around, std::string_view name,
                               const std::optional<std::string>& value);

}  // namespace holdfast::inline v1
