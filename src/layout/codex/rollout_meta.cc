#include "layout/codex/rollout_meta.h"

#include <array>

#include "layout/json_pick.h"
#include "text/json_write.h"

namespace holdfast::inline v1::codex {
namespace {

std::optional<HistoryBase> read_base(JsonView written) {
  const auto [thread, ordinal, offset] = pick<3>(written, {"thread_id", "end_ordinal_exclusive", "end_byte_offset"});
  if (thread.kind() != JsonKind::string) return std::nullopt;
  HistoryBase base{text_of(thread), {}};
  base.end.ordinal = ordinal.as_int64().value_or(-1);
  if (const auto bytes = offset.as_int64(); bytes && *bytes >= 0) base.end.offset = static_cast<std::uint64_t>(*bytes);
  return base;
}

std::optional<Parent> parent_of(JsonView spawned_by, JsonView source, JsonView forked_from,
                                const std::optional<HistoryBase>& base, std::string_view thread) {
  const JsonView spawn = source.find("subagent").find("thread_spawn").find("parent_thread_id");
  const std::string spawner = text_of(spawn ? spawn : spawned_by);
  if (!spawner.empty()) return Parent{spawner, ParentKind::subagent, {}};
  std::string origin = text_of(forked_from);
  if (origin.empty() && base) origin = base->thread;
  if (origin.empty() || origin == thread) return std::nullopt;
  return Parent{origin, ParentKind::fork, {}};
}

}  // namespace

Meta read_meta(JsonView payload, std::string_view thread) {
  const auto [timestamp, cwd, originator, version, source, provider, git, spawned_by, forked_from, base, nickname,
              history_mode] =
      pick<12>(payload, {"timestamp", "cwd", "originator", "cli_version", "source", "model_provider", "git",
                         "parent_thread_id", "forked_from_id", "history_base", "agent_nickname", "history_mode"});
  Meta meta;
  meta.version = text_of(version);
  meta.base = read_base(base);
  meta.facts.created_at = written_time(timestamp);
  meta.facts.project = text_of(cwd);
  meta.facts.git_branch = text_of(git.find("branch"));
  meta.facts.parent = parent_of(spawned_by, source, forked_from, meta.base, thread);

  JsonWriter json;
  json.begin_object();
  const std::array<std::pair<std::string_view, JsonView>, 6> kept = {{{"cli_version", version},
                                                                      {"originator", originator},
                                                                      {"source", source},
                                                                      {"model_provider", provider},
                                                                      {"agent_nickname", nickname},
                                                                      {"history_mode", history_mode}}};
  for (const auto& [name, value] : kept) {
    if (value && !value.is_null()) json.key(name).raw(value.raw());
  }
  json.end_object();
  if (json.text() != "{}") meta.facts.metadata = json.take();
  return meta;
}

}  // namespace holdfast::inline v1::codex
