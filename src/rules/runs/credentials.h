// API keys of model providers. They are stored with mode 0600 and never shown: lists
// and records have "***" instead. Thread-safety: as Store.
#pragma once

#include <holdfast/store.h>

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace holdfast::inline v1 {

Result<void> set_credential(const Context& context, Store& store, std::string_view id, std::string_view api_key);
Result<void> remove_credential(const Context& context, Store& store, std::string_view id);
Result<RecordList> list_credentials(const Context& context, Store& store);  // masked

struct KeySources {
  std::string configured;  // the model's api_key in the configuration; empty if none
  // Reads a variable of the environment, which only a door may do; nullopt if not set.
  std::function<std::optional<std::string>(std::string_view name)> environment;
};

struct ApiKey {
  std::string value;   // for the program, never for people
  std::string source;  // "config", "file" or the variable's name
};

// Returns the configuration's key, else the store's, else the variable's. Fails with not_found.
Result<ApiKey> find_api_key(const Context& context, Store& store, std::string_view id, const KeySources& sources);

// "gemini-flash" gives LINGGEN_API_KEY_GEMINI_FLASH on linggen, HOLDFAST_... elsewhere.
std::string api_key_variable(std::string_view layout, std::string_view id);

// Returns a finding if the file with the keys is in a git work tree that does not
// ignore it; nullopt if it is safe or there is no such file.
Result<std::optional<Finding>> credentials_in_git(const Context& context, FileSystem& file_system, Store& store);

}  // namespace holdfast::inline v1
