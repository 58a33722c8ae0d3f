// Which stores there are, as a door tells the api: plain values.
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

// The process for which a door's calls are made, when that is another one
// (`call --owner-pid`): sessions that it makes, resumes or appends to are its own
// until it ends.
struct CallOwner {
  // What is owned: a session, or a run of a project.
  struct Thing {
    std::string store = {};  // LAYOUT:ROOT
    std::string session = {};
    std::string run = {}, project = {};
  };
  std::string note;  // who, in the lease
  // Keeps the lease of it for the owner from now on, beyond this process.
  std::function<Result<void>(const Thing& thing)> hold;
};

struct StoreSettings {
  FileSystem* files = nullptr;         // outlives the stores
  std::vector<StoreOptions> defaults;  // that exist, the most wanted first
  // The same at this moment, for a door that lives on: stores begin while it runs. Empty: `defaults` stay.
  std::function<std::vector<StoreOptions>()> defaults_now = {};
  StoreOptions home;  // where new things go when nothing is named; made when absent
  // By layout: roots besides the first that a store gets unless it names its own.
  std::map<std::string, std::map<std::string, std::string, std::less<>>, std::less<>> other_roots;
  // Roots of one store that the door knows from its surroundings; those that it has stay.
  std::function<void(StoreOptions& store)> complete = {};
  // What the configuration in a store (LAYOUT:ROOT) is about to be given: refused now when it would be where it is
  // read.
  std::function<Result<void>(std::string_view store, std::string_view values)> check_config = {};
  // Where an agent would keep its sessions, of its layout: a directory that is there, with sessions or without; else
  // empty.
  std::function<std::string(std::string_view layout)> place_of = {};
  // Where sessions of a layout belong that were in `root`, when that was in another home; else empty.
  std::function<std::string(std::string_view layout, std::string_view root)> moved_to = {};
  std::string cache;  // directory for derived data; empty: none
  // As in StoreOptions, for every store; `metrics` keeps the figures of each in the cache.
  bool redact_inputs = false;
  bool redact_outputs = false;
  std::string log_file = {};
  std::string spans_file = {};
  bool metrics = false;
  std::optional<CallOwner> owner;
  OuterSettings outer;               // what the door found of settings for workflows
  bool sync = false;                 // what is saved is queued for a remote
  std::string sync_directory;        // where the queue goes when a call does not say; absolute
  bool sync_redact = false;          // secrets are masked in what is sent
  PriceTable prices;                 // of models, for statistics
  std::vector<std::string> choices;  // stores here, when there are several: what writes must name one
  bool several = false;              // the defaults were named one by one: what works on one store must not choose
  bool keep = false;                 // the door lives on: stores and writers stay open between calls
  // How far local time is ahead of UTC at a time; empty: days are in UTC.
  std::function<std::chrono::seconds(std::chrono::system_clock::time_point)> utc_offset = {};
  // The archive: where it lies (empty: nowhere), which layouts and directories of projects it leaves out, and how many
  // bytes stay free on its disk.
  std::string archive = {};
  std::vector<std::string> archive_exclude = {};
  std::uint64_t archive_min_free = std::uint64_t{1} << 30;
  std::int64_t archive_keep_days = 0;  // 0: for ever
  std::string user_units = {};         // where systemd looks for units of this person; empty: nowhere
  // Told now and then what a long operation is at, a line without an end; empty: nobody wants to know.
  std::function<void(std::string_view text)> progress = {};
  // Makes a summary of a transcript, as the person's settings say; empty: nobody does.
  std::function<Result<std::string>(const Context& context, const std::string& transcript)> summarise = {};
  // A variable of the environment, for what a store's program would look up there; empty: not set.
  std::function<std::string(std::string_view name)> variable = {};
  std::string directory = {};  // the working directory
  // For reports.
  std::string person = {};                      // the home of the person; ~ stands for it
  std::vector<std::string> configured_by = {};  // configuration files that are there
  std::optional<Error> refused = {};            // why there are no settings
};

// "LAYOUT:ROOT". invalid_argument: no such layout (with the nearest), or no absolute root.
Result<StoreOptions> store_named(std::string_view name);
// "LAYOUT:ROOT" of the options.
std::string store_name(const StoreOptions& options);
// The root where sessions belong that were captured in `root`: the agent's own place when that lay in another home.
std::string root_now(const StoreSettings& settings, std::string_view layout, const std::string& root);

}  // namespace holdfast::inline v1
