#include "layout/maestro/session_file.h"

#include <algorithm>
#include <array>

#include "base/hash.h"
#include "layout/json_pick.h"
#include "text/json_copy.h"
#include "text/json_edit.h"
#include "text/json_write.h"

namespace holdfast::inline v1::maestro {
namespace {

constexpr std::array<std::string_view, 8> kKnown = {"schemaVersion", "id",      "threadId",      "status",
                                                    "startedAt",     "endedAt", "workspaceRoot", "agent"};

std::string_view status_word(Status status) {
  if (status == Status::complete) return "completed";
  if (status == Status::failed) return "failed";
  if (status == Status::stopped) return "stopped";
  return "running";
}

std::string hash_of(JsonView config) { return "sha256:" + sha256_hex(compact_json(config)); }

// Writes `agent` as given, or made from its parts.
void write_agent(JsonWriter& json, const SessionDraft& draft) {
  const JsonView metadata(draft.metadata);
  const JsonView given = metadata.find("agent");
  json.key("agent").begin_object();
  if (given.kind() == JsonKind::object) {
    if (!given.find("harness")) json.key("harness").string(draft.agent);
    for (const JsonItem& item : given.fields()) {
      json.key(item.key());
      copy_json(json, item.value);
    }
  } else {
    const JsonView config = metadata.find("config");
    // The session's own value, else that of the agent's configuration: a known hash is not computed again.
    const auto part = [&](std::string_view name) {
      const JsonView own = metadata.find(name);
      return own ? own : config.find(name);
    };
    const std::string harness = text_of(part("harness")), hash = text_of(part("configHash"));
    json.key("harness").string(metadata.find("harness") || draft.agent.empty() ? harness : draft.agent);
    json.key("configHash").string(!hash.empty() ? hash : hash_of(config ? config : JsonView("{}")));
    json.key("env");
    const JsonView env = part("env");
    env.kind() == JsonKind::object ? copy_json(json, env) : copy_json(json, JsonView("{}"));
  }
  json.end_object();
}

}  // namespace

std::string new_session_file(std::string_view id, const SessionDraft& draft, std::string_view now) {
  constexpr std::array<std::string_view, 5> kParts = {"harness", "configHash", "config", "env", "toolRuns"};
  const JsonView metadata(draft.metadata);
  JsonWriter json(JsonLayout::pretty);
  json.begin_object().key("schemaVersion").int64(1).key("id").string(id).key("threadId").string(draft.thread);
  json.key("status").string("running").key("startedAt").string(now).key("endedAt").null();
  json.key("workspaceRoot").string(draft.project);
  write_agent(json, draft);
  json.key("toolRuns");
  const JsonView runs = metadata.find("toolRuns");
  copy_json(json, runs.kind() == JsonKind::array ? runs : JsonView("[]"));
  for (const JsonItem& item : metadata.fields()) {
    const std::string key = item.key();
    if (std::ranges::find(kKnown, key) != kKnown.end() || std::ranges::find(kParts, key) != kParts.end()) continue;
    json.key(key);
    copy_json(json, item.value);
  }
  return json.end_object().take();
}

SessionFacts session_facts(JsonView record) {
  SessionFacts facts;
  JsonWriter rest;
  rest.begin_object();
  for (const JsonItem& item : record.fields()) {
    const std::string key = item.key();
    if (key == "startedAt") {
      facts.created_at = text_of(item.value);
    } else if (key == "workspaceRoot") {
      facts.project = text_of(item.value);
    } else if (key == "status") {
      const std::string word = text_of(item.value);
      // The lease shows whether the owner of a running session is alive.
      facts.status = word == "completed" ? Status::complete
                     : word == "running" ? Status::active
                                         : status_of(word).value_or(Status::unknown);
    } else if (key != "schemaVersion" && key != "id") {
      if (key == "endedAt") facts.updated_at = text_of(item.value);
      rest.key(key);
      copy_json(rest, item.value);
    }
  }
  if (facts.updated_at.empty()) facts.updated_at = facts.created_at;
  facts.metadata = rest.end_object().take();
  return facts;
}

Result<std::string> patch_session_file(std::string_view bytes, const SessionPatch& patch, std::string_view now) {
  const auto cannot = [](std::string_view what) {
    return fail(Code::unsupported, "layout maestro cannot hold: " + std::string(what));
  };
  if (patch.title) return cannot("the title of a session; threads have one");
  if (patch.model) return cannot("the model of a session; threads have one");
  if (patch.summary) return cannot("the summary of a session");
  if (patch.leaf) return cannot("branches");
  std::string text(bytes);
  const auto set = [&](std::string_view key, std::string_view value) -> Result<void> {
    const JsonView old = JsonView(text).find(key);
    if (old && compact_json(old) == compact_json(JsonView(value))) return {};
    HOLDFAST_LET(edited, json_set(text, {JsonStep(key)}, pretty_json(JsonView(value), 1)));
    text = std::move(edited);
    return {};
  };
  if (patch.status) {
    const std::string_view word = status_word(*patch.status);
    HOLDFAST_TRY(set("status", "\"" + std::string(word) + "\""));
    const bool ended = JsonView(text).find("endedAt").kind() == JsonKind::string;
    if (word == "running") {
      HOLDFAST_TRY(set("endedAt", "null"));
    } else if (!ended) {
      HOLDFAST_TRY(set("endedAt", "\"" + std::string(now) + "\""));
    }
  }
  if (patch.metadata) {
    for (const JsonItem& item : JsonView(*patch.metadata).fields()) {
      const std::string key = item.key();
      if (key == "schemaVersion" || key == "id" || key == "threadId") return cannot("another " + key + " of a session");
      if (item.value.is_null() && key != "endedAt") {
        HOLDFAST_LET(edited, json_remove(text, {JsonStep(key)}));
        text = std::move(edited);
      } else {
        HOLDFAST_TRY(set(key, item.value.raw()));
      }
    }
  }
  return text;
}

}  // namespace holdfast::inline v1::maestro
