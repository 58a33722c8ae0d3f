// Paths in a native store. Format: docs/formats/holdfast.md.
#pragma once

#include <string>
#include <string_view>

namespace holdfast::inline v1::native {

inline constexpr std::string_view kRoot = "data";
inline constexpr std::string_view kFormat = "FORMAT";
inline constexpr std::string_view kProjects = "projects";
inline constexpr std::string_view kNoProject = "none";

// Readable, and never the same for two paths: the last name of the path, then 8 hex
// digits of the hash of the whole path; "none" for no project.
std::string project_key(std::string_view real_path);

inline std::string project_folder(std::string_view key) { return std::string(kProjects) + "/" + std::string(key); }
inline std::string session_folder(std::string_view key, std::string_view id) {
  return project_folder(key) + "/sessions/" + std::string(id);
}
inline std::string session_document(std::string_view folder) { return std::string(folder) + "/session.json"; }
inline std::string messages_log(std::string_view folder) { return std::string(folder) + "/messages.jsonl"; }

}  // namespace holdfast::inline v1::native
