// Keys of model providers. They are kept 0600 and never shown: lists and records
// have "***" instead. Thread-safety: as Store.
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
  std::string configured;  // api_key of the model in the configuration; empty: none
  // A variable of the environment, which only a door may read; nullopt: not set.
  std::function<std::optional<std::string>(std::string_view name)> environment;
};

struct ApiKey {
  std::string value;   // for the program, never for people
  std::string source;  // "config", "file" or the variable's name
};

// The configuration's key, else the store's, else the variable's. not_found.
Result<ApiKey> find_api_key(const Context& context, Store& store, std::string_view id, const KeySources& sources);

// LINGGEN_API_KEY_GEMINI_FLASH for "gemini-flash" on linggen; HOLDFAST_... elsewhere.
std::string api_key_variable(std::string_view layout, std::string_view id);

// A finding when the file with the keys lies in a work tree of git that does not
// ignore it; nullopt when all is well or there is no such file.
Result<std::optional<Finding>> credentials_in_git(const Context& context, FileSystem& file_system, Store& store);

}  // namespace holdfast::inline v1
