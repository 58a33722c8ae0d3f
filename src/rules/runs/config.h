// The configuration of a store, and where a program looks for one. The library
// reads no environment: a door passes in what it found. Thread-safety: as Store.
#pragma once

#include <holdfast/store.h>

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::inline v1 {

struct ConfigPlaces {
  std::string named;         // $LINGGEN_CONFIG; empty: not set
  std::string working;       // the working directory
  std::string linggen_home;  // $LINGGEN_HOME or ~/.linggen
  std::string home;          // ~
};

// Files in the order in which the first that exists is taken: the seed's four
// places and those of the program, each list in its own order.
std::vector<std::string> config_candidates(const ConfigPlaces& places);

// The candidates of a store: those of Linggen where it is one of its homes, else the store's own file. `variable` reads
// the environment ($LINGGEN_CONFIG); relative paths in it start at `working`.
std::vector<std::string> config_places(Store& store, const std::function<std::string(std::string_view)>& variable,
                                       const std::string& working, const std::string& home);

struct FoundConfig {
  std::string path;
  std::string json;  // the whole file
};
// nullopt when none exists. corrupt names the file and the line: the next one is
// not taken in its place, because the program would not either.
Result<std::optional<FoundConfig>> find_config(const Context& context, FileSystem& file_system,
                                               const std::vector<std::string>& candidates);

// The api_key that a configuration has for a model: [[models]] with that id. Empty: none.
std::string configured_key(std::string_view config_json, std::string_view model);

// The store's own file (Linggen: config/linggen-agent.runtime.toml) as JSON; "{}" when there is none.
Result<std::string> load_config(const Context& context, Store& store);
// Sets the given keys, tables key by key; comments and everything else stay. A null removes a key.
Result<void> save_config(const Context& context, Store& store, std::string_view fields_json);

}  // namespace holdfast::inline v1
