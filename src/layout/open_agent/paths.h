// Ids and paths of an Open Agent SDK store. Format: docs/formats/open-agent.md.
// Thread-safety: pure functions.
#pragma once

#include <holdfast/error.h>

#include <string>
#include <string_view>

#include "layout/layout.h"
#include "layout/moment.h"

namespace holdfast::inline v1::open_agent {

inline constexpr std::string_view kRoot = "home";
inline constexpr std::string_view kProjects = "projects";
inline constexpr std::string_view kFlat = "sessions";
inline constexpr std::string_view kHeaders = ".holdfast/headers";
inline constexpr std::string_view kIndex = "sessions-index.json";
inline constexpr std::string_view kLogEnd = ".jsonl";

inline Place at(std::string path) { return {std::string(kRoot), std::move(path)}; }

// 8-4-4-4-12 hex digits in any case: the only ids that the SDK accepts.
bool is_uuid(std::string_view text);
// Whether the text may be a prefix of an id; an unambiguous prefix is accepted in place of an id.
bool may_begin_uuid(std::string_view text);
std::string new_uuid(const Moment& moment);
// The SDK's own error message.
std::string bad_id_text(std::string_view id);

// Replaces every '/' with '-'. Two paths may share a folder (decision 19), so headers
// and index entries keep the real path. Fails with unsafe_path if the result cannot be
// the name of a directory.
Result<std::string> project_folder_name(std::string_view real_path);

// "projects/-home-me" or "sessions".
std::string folder_of(const SessionRef& ref);
std::string log_path(std::string_view folder, std::string_view id);
std::string side_path(std::string_view id);
std::string results_folder(std::string_view folder, std::string_view id);

SessionRef ref_in(std::string_view folder, std::string_view id);

}  // namespace holdfast::inline v1::open_agent
