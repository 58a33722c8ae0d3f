// The configuration of a store, and where a program looks for one. The library does not
// read the environment: a door passes it in. Thread-safety: as Store.
#pragma once

#include <holdfast/store.h>

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::inline v1 {

struct ConfigPlaces {
  std::string named;         // $LINGGEN_CONFIG; empty if not set
  std::string working;       // the working directory
  std::string linggen_home;  // $LINGGEN_HOME or ~/.linggen
  std::string home;          // ~
};

// Returns the candidate files; the first that exists is used: the seed's four
// places and those of the program, each list in its own order.
std::vector<std::string> config_candidates(const ConfigPlaces& places);

// Returns the candidates of a store: those of Linggen if it is a Linggen home, else the store's own file. `variable`
// reads the environment ($LINGGEN_CONFIG); relative paths are relative to `working`.
std::vector<std::string> config_places(Store& store, const std::function<std::string(std::string_view)>& variable,
                                       const std::string& working, const std::string& home);

struct FoundConfig {
  std::string path;
  std::string json;  // the whole file
};
// Returns nullopt if none exists. A corrupt error names the file and the line; the next
// candidate is not tried, because the program would not try it either.
Result<std::optional<FoundConfig>> find_config(const Context& context, FileSystem& file_system,
                                               const std::vector<std::string>& candidates);

// Returns the api_key in a configuration for a model: [[models]] with that id. Empty if none.
std::string configured_key(std::string_view config_json, std::string_view model);

// Returns the store's own file (Linggen: config/linggen-agent.runtime.toml) as JSON; "{}" if there is none.
Result<std::string> load_config(const Context& context, Store& store);
// Sets the given keys, in tables key by key; comments and everything else stay. A null removes a key.
Result<void> save_config(const Context& context, Store& store, std::string_view fields_json);

}  // namespace holdfast::inline v1
