// Agents of a store: their specifications, their skills, and per-project overrides.
// Thread-safety: as Store.
#pragma once

#include <holdfast/store.h>

#include <optional>
#include <string>
#include <string_view>

namespace holdfast::inline v1 {

// List agents/*.md and skills (flat or SKILL.md in a folder): the fields of the front
// matter, and the text as "body". An unreadable file becomes a finding.
Result<RecordList> list_agents(const Context& context, Store& store);
Result<RecordList> list_skills(const Context& context, Store& store);

struct AgentOverride {
  std::optional<std::string> idle_prompt;
  std::optional<std::int64_t> idle_interval_secs;  // above 0
};

// Sets the given fields and keeps the rest of an existing override; returns the record.
Result<std::string> set_agent_override(const Context& context, Store& store, std::string_view project,
                                       std::string_view agent, const AgentOverride& request);
Result<std::string> get_agent_override(const Context& context, Store& store, std::string_view project,
                                       std::string_view agent);
Result<void> remove_agent_override(const Context& context, Store& store, std::string_view project,
                                   std::string_view agent);

}  // namespace holdfast::inline v1
