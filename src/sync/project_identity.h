// Identifies the project of a directory on any machine: its repository's remote and the path below it,
// otherwise its path. Links on the way to a directory do not matter. Thread-safety: pure functions of the disk.
#pragma once

#include <holdfast/file_system.h>

#include <optional>
#include <string>
#include <string_view>

namespace holdfast::inline v1 {

// "github.com/me/thing", the same for all spellings of an address; empty if it names no host.
std::string normal_git_remote(std::string_view url);

// "github.com/me/thing" or "github.com/me/thing//below/it"; "path:/srv/p" without a repository or remote.
// Reads .git/config and runs no program.
std::string project_identity(FileSystem& files, const std::string& given);

// How many directories a project is below that one: 0 if it is the same; nullopt if it is neither.
std::optional<std::size_t> levels_below(std::string_view identity, std::string_view share);
// Whether a project is that one or below it.
bool is_project_in(std::string_view identity, std::string_view share);
// Whether both are one project: older versions noted paths as they were given.
bool is_same_project(std::string_view identity, std::string_view other);

}  // namespace holdfast::inline v1
