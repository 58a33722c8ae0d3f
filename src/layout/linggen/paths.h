// Paths in a Linggen home. Format: docs/formats/linggen.md.
#pragma once

#include <holdfast/error.h>

#include <string>
#include <string_view>

#include "layout/feed.h"

namespace holdfast::inline v1::linggen {

inline constexpr std::string_view kHome = "home";
inline constexpr std::string_view kWorkspace = "workspace";
inline constexpr std::string_view kProjects = "projects";
inline constexpr std::string_view kSessions = "sessions";  // of a project, or flat below the home

inline Place at_home(std::string path) { return {std::string(kHome), std::move(path)}; }

// Replaces every '/' with '-' and nothing else: "/srv/p" is "-srv-p".
std::string encode_path(std::string_view path);

// The key of a real path: its encoding; if the folder of that name belongs to another
// path, the encoding followed by '-' and 8 hex digits of the path's hash (decision 19).
Result<std::string> key_of_path(Feed& feed, std::string_view path);

// The real path in a project's project.json; empty if it cannot be read.
Result<std::string> path_of_key(Feed& feed, std::string_view key);

inline std::string project_document(std::string_view key) {
  return std::string(kProjects) + "/" + std::string(key) + "/project.json";
}
// An empty key is the flat folder of current versions.
std::string session_folder(std::string_view key, std::string_view id);
inline std::string session_document(std::string_view folder) { return std::string(folder) + "/session.yaml"; }
inline std::string messages_log(std::string_view folder) { return std::string(folder) + "/messages.jsonl"; }

}  // namespace holdfast::inline v1::linggen
