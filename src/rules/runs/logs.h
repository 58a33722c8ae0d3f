// The daily text logs of a store. Thread-safety: as Store.
#pragma once

#include <holdfast/store.h>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::inline v1 {

inline constexpr std::chrono::days kKeepLogs{7};

// "linggen-agent-2026-11-15.log" (on other layouts than linggen "holdfast-...").
std::string log_name(std::string_view layout, std::chrono::system_clock::time_point day);
// Whether it is such a name, or "linggen-agent.2026-11-15" as the program writes it.
bool is_log_name(std::string_view name);

// One line at the end of today's log, which is made with the first. Not synced.
Result<void> write_log(const Context& context, Store& store, std::string_view line);

// Deletes daily logs last changed longer ago than `keep`; nothing else, whatever
// its age. Their names.
Result<std::vector<std::string>> prune_logs(const Context& context, Store& store,
                                            std::chrono::seconds keep = kKeepLogs);

}  // namespace holdfast::inline v1
