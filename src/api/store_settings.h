// What a door tells the api about its stores: plain values.
#pragma once

#include <holdfast/store.h>

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "find/prices.h"
#include "rules/workflow/workflow_settings.h"

namespace holdfast::inline v1 {

// Another process on whose behalf a door makes its calls (`call --owner-pid`). It
// owns the sessions that these calls create, resume or append to, until it ends.
struct CallOwner {
  // A session, or a run of a project.
  struct Thing {
    std::string store = {};  // LAYOUT:ROOT
    std::string session = {};
    std::string run = {}, project = {};
  };
  std::string note;  // names the owner in the lease
  // Holds the lease of `thing` for the owner from now on, even after this process ends.
  std::function<Result<void>(const Thing& thing)> hold;
};

struct StoreSettings {
  FileSystem* files = nullptr;         // must outlive the stores
  std::vector<StoreOptions> defaults;  // existing stores, highest priority first
  // The current defaults, for a door that stays open while stores are created. If empty, `defaults` never change.
  std::function<std::vector<StoreOptions>()> current_defaults = {};
  StoreOptions home;  // written by calls that name no store; created if absent
  bool here = false;  // the working directory is inside the home: @last is its latest session (decision 55)
  // @last is the newest session of all stores, wherever the working directory is: for people who look.
  bool looks_everywhere = false;
  // By layout: further roots for stores that do not name them.
  std::map<std::string, std::map<std::string, std::string, std::less<>>, std::less<>> other_roots;
  // Adds the roots of a store that the door knows from its environment; keeps those that the store has.
  std::function<void(StoreOptions& store)> complete = {};
  // Checks values before they are written to the configuration in a store (LAYOUT:ROOT); fails if reading them would
  // fail later.
  std::function<Result<void>(std::string_view store, std::string_view values)> check_config = {};
  // The directory where the agent of a layout would keep its sessions, with or without sessions; empty if it does not
  // exist.
  std::function<std::string(std::string_view layout)> place_of = {};
  // Where sessions of a layout belong now if `root` was in another home; else empty.
  std::function<std::string(std::string_view layout, std::string_view root)> moved_to = {};
  std::string cache;  // directory for derived data; empty if none
  // As in StoreOptions, for every store; `metrics` keeps the metrics of each in the cache.
  bool redact_inputs = false;
  bool redact_outputs = false;
  std::string log_file = {};
  std::string spans_file = {};
  bool metrics = false;
  std::optional<CallOwner> owner;
  OuterSettings outer;               // settings for workflows that the door found
  bool sync = false;                 // queue every change for a remote
  std::string sync_directory;        // destination of the queue if a call names none; absolute
  bool sync_redact = false;          // mask secrets in what is sent
  PriceTable prices;                 // of models, for statistics
  std::vector<std::string> choices;  // if there are several stores here, a call that writes must name one of these
  bool several = false;              // the defaults were named one by one: a call for one store must not pick one
  bool keep = false;                 // the door stays open: stores and writers stay open between calls
  // How far local time is ahead of UTC at a time; if empty, days are in UTC.
  std::function<std::chrono::seconds(std::chrono::system_clock::time_point)> utc_offset = {};
  // The archive: its path (empty if there is none), the layouts and project directories that it excludes, and how many
  // bytes to keep free on its disk.
  std::string archive = {};
  std::vector<std::string> archive_exclude = {};
  std::uint64_t archive_min_free = std::uint64_t{1} << 30;
  std::int64_t archive_keep_days = 0;  // 0 for ever
  std::string user_units = {};         // where systemd looks for units of this person; empty if unknown
  // Called from time to time with the progress of a long operation, a line without its newline; may be empty.
  std::function<void(std::string_view text)> progress = {};
  // Summarizes a transcript with the person's summary command; empty if none is configured.
  std::function<Result<std::string>(const Context& context, const std::string& transcript)> summarise = {};
  // Returns a variable of the environment, for what a store's program would look up there; "" if not set.
  std::function<std::string(std::string_view name)> variable = {};
  std::string directory = {};  // the working directory
  // For reports.
  std::string person = {};                      // the person's home directory, shown as ~
  std::vector<std::string> configured_by = {};  // configuration files that exist
  std::optional<Error> refused = {};            // why the settings are invalid
};

// Parses "LAYOUT:ROOT". Fails with invalid_argument if there is no such layout (suggests one) or the root is not
// absolute.
Result<StoreOptions> parse_store_name(std::string_view name);
// "LAYOUT:ROOT" of the options.
std::string store_name(const StoreOptions& options);
// Where sessions that were captured in `root` belong now: the agent's own place if `root` was in another home.
std::string current_root(const StoreSettings& settings, std::string_view layout, const std::string& root);

}  // namespace holdfast::inline v1
