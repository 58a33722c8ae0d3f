// Which files below sessions/ are sessions, and the ids in their names.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "layout/layout.h"

namespace holdfast::inline v1::pi {

inline constexpr char kRoot[] = "agent";

// The ID in TIME_ID.jsonl, with or without folders before it; empty if the name has another form.
std::string id_in_name(std::string_view path);

// The session of a path that a fork names. Uses only the name: the file may be gone, or be anywhere.
std::string id_of_parent(std::string_view path);

// The session id of a file: from its name, else from its header, else the name itself.
Result<std::string> id_of_file(Feed& feed, const std::string& path);

// Passes sessions/PROJECT/*.jsonl, and files directly in sessions/.
Result<void> list_sessions(Feed& feed, const std::function<bool(SessionRef)>& take);

// Passes the sessions with this id in their names.
Result<void> locate_sessions(Feed& feed, std::string_view id, const std::function<bool(SessionRef)>& take);

}  // namespace holdfast::inline v1::pi
