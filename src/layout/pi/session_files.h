// Which files below sessions/ are sessions, and what their names say.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "layout/layout.h"

namespace holdfast::inline v1::pi {

inline constexpr char kRoot[] = "agent";

// TIME_ID.jsonl, with or without folders before it -> ID; empty when the name is another one.
std::string id_in_name(std::string_view path);

// The session of a path that a fork names. Only the name is looked at: the file may be gone, or be anywhere.
std::string id_of_parent(std::string_view path);

// The session that a file is of: by its name, else by its header, else the name itself.
Result<std::string> id_of_file(Feed& feed, const std::string& path);

// sessions/PROJECT/*.jsonl, and files that lie in sessions/ itself.
Result<void> list_sessions(Feed& feed, const std::function<bool(SessionRef)>& take);

// By names alone; nullopt when no name says it.
Result<std::optional<SessionRef>> locate_session(Feed& feed, std::string_view id);

}  // namespace holdfast::inline v1::pi
