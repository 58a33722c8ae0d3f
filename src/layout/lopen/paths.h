// Paths in a project that Lopen works on, and the names of its sessions. Format:
// docs/formats/lopen.md. Thread-safety: pure functions.
#pragma once

#include <holdfast/error.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "layout/place.h"

namespace holdfast::inline v1::lopen {

inline constexpr std::string_view kRoot = "project";
inline constexpr std::string_view kFolder = ".lopen";
inline constexpr std::string_view kSessions = ".lopen/sessions";
inline constexpr std::string_view kLatest = ".lopen/sessions/latest";
inline constexpr std::string_view kCorrupted = ".lopen/corrupted";
inline constexpr std::string_view kRequirements = "docs/requirements";

inline Place in_project(std::string path) { return {std::string(kRoot), std::move(path)}; }

// {module}-YYYYMMDD-{counter}
struct SessionName {
  std::string module;  // lower case
  std::string date;    // a real day, eight digits
  std::uint64_t counter = 1;

  std::string id() const { return series() + "-" + std::to_string(counter); }
  // What the counter counts: "auth-20260214".
  std::string series() const { return module + "-" + date; }
  // Newer sessions are greater; the module does not matter.
  bool operator<(const SessionName& other) const {
    return date != other.date ? date < other.date : counter < other.counter;
  }
};

// nullopt unless `id` is exactly such a name. The counter starts at 1 and may have leading zeros.
std::optional<SessionName> parse_session_name(std::string_view id);

// Matches [a-z][a-z0-9-]* and is short enough for a part of a file name.
bool is_module_name(std::string_view name);
// Fails with invalid_argument, which says what is wrong.
Result<void> check_module_name(std::string_view name);

inline std::string session_folder(std::string_view id) { return std::string(kSessions) + "/" + std::string(id); }
inline std::string state_document(std::string_view id) { return session_folder(id) + "/state.json"; }

}  // namespace holdfast::inline v1::lopen
