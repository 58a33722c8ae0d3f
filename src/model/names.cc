// The spellings of the vocabulary, one table per enumeration.
#include <holdfast/session.h>

#include <array>
#include <utility>

#include "model/archived_status.h"

namespace holdfast::inline v1 {
namespace {

template <typename T, std::size_t N>
using Names = std::array<std::pair<T, std::string_view>, N>;

template <typename T, std::size_t N>
std::string_view name_in(const Names<T, N>& names, T value) {
  for (const auto& [known, name] : names) {
    if (known == value) return name;
  }
  return "unknown";
}

template <typename T, std::size_t N>
std::optional<T> value_in(const Names<T, N>& names, std::string_view text) {
  for (const auto& [value, name] : names) {
    if (name == text) return value;
  }
  return std::nullopt;
}

constexpr Names<Role, 4> kRoles = {
    {{Role::user, "user"}, {Role::assistant, "assistant"}, {Role::tool, "tool"}, {Role::system, "system"}}};

constexpr Names<BlockKind, 8> kBlocks = {{{BlockKind::text, "text"},
                                          {BlockKind::thinking, "thinking"},
                                          {BlockKind::tool_call, "tool_call"},
                                          {BlockKind::tool_result, "tool_result"},
                                          {BlockKind::image, "image"},
                                          {BlockKind::document, "document"},
                                          {BlockKind::audio, "audio"},
                                          {BlockKind::other, "other"}}};

constexpr Names<Status, 8> kStatuses = {{{Status::unknown, "unknown"},
                                         {Status::running, "running"},
                                         {Status::interrupted, "interrupted"},
                                         {Status::active, "active"},
                                         {Status::complete, "complete"},
                                         {Status::failed, "failed"},
                                         {Status::stopped, "stopped"},
                                         {kArchivedStatus, "archived"}}};

constexpr Names<ParentKind, 3> kParents = {
    {{ParentKind::fork, "fork"}, {ParentKind::resume, "resume"}, {ParentKind::subagent, "subagent"}}};

}  // namespace

std::string_view role_name(Role role) { return name_in(kRoles, role); }
std::optional<Role> role_of(std::string_view name) { return value_in(kRoles, name); }
std::string_view block_kind_name(BlockKind kind) { return name_in(kBlocks, kind); }
std::optional<BlockKind> block_kind_of(std::string_view name) { return value_in(kBlocks, name); }
std::string_view status_name(Status status) { return name_in(kStatuses, status); }
std::optional<Status> status_of(std::string_view name) { return value_in(kStatuses, name); }
std::string_view parent_kind_name(ParentKind kind) { return name_in(kParents, kind); }
std::optional<ParentKind> parent_kind_of(std::string_view name) { return value_in(kParents, name); }

}  // namespace holdfast::inline v1
