// The daily text logs of a store. Thread-safety: as Store.
#pragma once

#include <holdfast/store.h>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::inline v1 {

inline constexpr std::chrono::days kLogRetention{7};

// "linggen-agent-2026-11-15.log"; "holdfast-..." on layouts other than linggen.
std::string log_name(std::string_view layout, std::chrono::system_clock::time_point day);
// Whether this is such a name, or "linggen-agent.2026-11-15" as the program writes it.
bool is_log_name(std::string_view name);

// Appends one line to today's log, creating it if needed. Not synced. Returns the name of the log.
Result<std::string> write_log(const Context& context, Store& store, std::string_view line);

struct DailyLog {
  std::string name;
  std::uint64_t bytes = 0;
  std::string updated_at;  // ISO-8601
};
// Newest first.
Result<std::vector<DailyLog>> list_logs(const Context& context, Store& store);

struct LogText {
  std::string name, text;
};
// `day` is "2026-11-15"; empty: today. Fails with not_found, or with invalid_argument if it is not a day.
Result<LogText> read_log(const Context& context, Store& store, std::string_view day);

// Returns the names of daily logs last changed longer ago than `keep`.
Result<std::vector<std::string>> logs_older_than(const Context& context, Store& store, std::chrono::seconds keep);
// Deletes daily logs last changed longer ago than `keep`, and no other files. Returns
// their names.
Result<std::vector<std::string>> prune_logs(const Context& context, Store& store,
                                            std::chrono::seconds keep = kLogRetention);

}  // namespace holdfast::inline v1
