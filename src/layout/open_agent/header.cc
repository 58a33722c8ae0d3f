#include "layout/open_agent/header.h"

#include <algorithm>
#include <array>
#include <chrono>

#include "layout/moment.h"
#include "layout/open_agent/secrets.h"
#include "text/json_edit.h"
#include "text/json_scan.h"
#include "text/json_text.h"
#include "text/json_write.h"

namespace holdfast::inline v1::open_agent {
namespace {

// Keys that define a session; a caller's metadata must not change them.
constexpr std::array<std::string_view, 8> kFixed = {"type", "id",    "createdAt",       "updatedAt",
                                                    "flat", "model", "parentSessionId", "forkedAt"};

bool is_fixed(std::string_view key) { return std::ranges::find(kFixed, key) != kFixed.end(); }

// A time as written: epoch digits or a text.
std::string time_of(JsonView value) {
  if (value.kind() == JsonKind::number) return std::string(value.raw());
  return value.as_string().value_or("");
}

Result<void> set(std::string& doc, std::initializer_list<JsonStep> path, std::string_view json) {
  HOLDFAST_LET(edited, json_set(doc, path, json));
  doc = std::move(edited);
  return {};
}

void write_options(JsonWriter& json, const SessionDraft& draft, JsonView given) {
  json.key("options").begin_object();
  const auto own = [&](std::string_view key, std::string_view text) {
    if (!text.empty()) json.key(key).string(text);
  };
  own("model", draft.model);
  own("provider", draft.provider);
  for (const JsonItem& item : given.fields()) {
    const std::string key = item.key();
    if ((key == "model" && !draft.model.empty()) || (key == "provider" && !draft.provider.empty()) || key == "cwd")
      continue;
    json.key(key).raw(item.value.raw());
  }
  if (!draft.project.empty()) {
    json.key("cwd").string(draft.project);
  } else if (const JsonView cwd = given.find("cwd")) {
    json.key("cwd").raw(cwd.raw());
  }
  json.end_object();
}

// Merges keys of `from` into `into`, or into its options: all of them if `from` is newer, else those that are missing.
Result<void> merge_into(std::string& into, JsonView from, bool newer, bool in_options) {
  for (const JsonItem& item : from.fields()) {
    const std::string key = item.key();
    if (!in_options && (key == "type" || key == "id")) continue;
    const JsonView whole(into);
    if (!in_options && key == "options" && item.value.kind() == JsonKind::object) {
      if (whole.find("options").kind() == JsonKind::object) {
        HOLDFAST_TRY(merge_into(into, item.value, newer, true));
        continue;
      }
    }
    const JsonView old = in_options ? whole.find("options").find(key) : whole.find(key);
    if ((old && !newer) || old.raw() == item.value.raw()) continue;
    if (item.value.is_null()) {
      if (!newer) continue;
      auto less = in_options ? json_remove(into, {"options", JsonStep(key)}) : json_remove(into, {JsonStep(key)});
      if (!less) return fail(std::move(less).error());
      into = std::move(*less);
    } else if (in_options) {
      HOLDFAST_TRY(set(into, {"options", JsonStep(key)}, item.value.raw()));
    } else {
      HOLDFAST_TRY(set(into, {JsonStep(key)}, item.value.raw()));
    }
  }
  return {};
}

// For a header that was never a line: removed keys leave no trace.
Result<std::string> without_nulls(JsonView header) {
  std::string clean(header.raw());
  for (const JsonItem& item : header.fields()) {
    if (!item.value.is_null()) continue;
    const std::string key = item.key();
    HOLDFAST_LET(less, json_remove(clean, {JsonStep(key)}));
    clean = std::move(less);
  }
  return clean;
}

// Sets a key unless the merged header already has that value.
class SidePatch {
 public:
  SidePatch(std::string side, JsonView merged) : side_(std::move(side)), merged_(merged) {}

  Result<void> set_key(std::string_view key, const std::string& json) {
    const bool gone = json == "null";
    if (gone ? !merged_.find(key) : merged_.find(key).raw() == json) return {};
    changed_ = true;
    return set(side_, {JsonStep(key)}, json);
  }
  Result<void> set_option(std::string_view key, const std::string& json) {
    const JsonView old = merged_.find("options").find(key);
    if (json == "null" ? !old : old.raw() == json) return {};
    changed_ = true;
    return set(side_, {"options", JsonStep(key)}, json);
  }
  bool changed() const { return changed_; }
  std::string take() { return std::move(side_); }

 private:
  std::string side_;
  JsonView merged_;
  bool changed_ = false;
};

Result<void> patch_metadata(SidePatch& side, JsonView metadata) {
  for (const JsonItem& item : metadata.fields()) {
    const std::string key = item.key();
    if (key == "flat") continue;  // only used at creation
    if (is_fixed(key)) return fail(Code::invalid_argument, "metadata cannot change " + key + " of a header");
    if (key != "options" || item.value.kind() != JsonKind::object) {
      HOLDFAST_TRY(side.set_key(key, std::string(item.value.raw())));
      continue;
    }
    for (const JsonItem& option : item.value.fields())
      HOLDFAST_TRY(side.set_option(option.key(), std::string(option.value.raw())));
  }
  return {};
}

}  // namespace

std::int64_t epoch_ms(const Moment& moment) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(moment.now.time_since_epoch()).count();
}

Result<std::string> new_header(std::string_view id, const SessionDraft& draft, std::int64_t now_ms) {
  const JsonView metadata(draft.metadata);
  if (!draft.metadata.empty() && (metadata.kind() != JsonKind::object || !check_json(draft.metadata).ok()))
    return fail(Code::invalid_argument, "metadata must be a JSON object");
  JsonWriter json;
  json.begin_object().key("type").string("session_header").key("id").string(id);
  json.key("model").string(draft.model).key("provider").string(draft.provider);
  json.key("createdAt").int64(now_ms).key("updatedAt").int64(now_ms);
  write_options(json, draft, metadata.find("options"));
  if (draft.parent) {
    json.key("parentSessionId").string(draft.parent->id);
    if (draft.parent->kind == ParentKind::fork) json.key("forkedAt").int64(now_ms);
    if (!draft.parent->message.empty()) json.key("parentMessageUuid").string(draft.parent->message);
    if (draft.parent->kind != ParentKind::fork) json.key("parentKind").string(parent_kind_name(draft.parent->kind));
  }
  if (!draft.title.empty()) json.key("title").string(draft.title);
  if (!draft.git_branch.empty()) json.key("gitBranch").string(draft.git_branch);
  if (!draft.agent.empty()) json.key("agent").string(draft.agent);
  for (const JsonItem& item : metadata.fields()) {
    const std::string key = item.key();
    if (is_fixed(key) || key == "options" || key == "provider") continue;
    json.key(key).raw(item.value.raw());
  }
  return without_secrets(json.end_object().take());
}

std::string side_document(std::string_view folder, std::string_view header) {
  return JsonWriter().begin_object().key("folder").string(folder).key("header").raw(header).end_object().take() + "\n";
}

Result<std::string> merged_header(JsonView line, JsonView side) {
  const bool spoken = side.kind() == JsonKind::object;
  if (line.kind() != JsonKind::object) return spoken ? without_nulls(side) : std::string();
  std::string merged(line.raw());
  if (!spoken) return merged;
  const auto when = [](JsonView header) { return header.find("updatedAt").as_int64().value_or(0); };
  HOLDFAST_TRY(merge_into(merged, side, when(side) >= when(line), false));
  return merged;
}

Result<std::string> patched_side(std::string_view side, JsonView merged, const SessionPatch& patch,
                                 std::int64_t now_ms) {
  SidePatch now(std::string(side), merged);
  if (patch.title) HOLDFAST_TRY(now.set_key("title", json_quoted(*patch.title)));
  if (patch.summary) HOLDFAST_TRY(now.set_key("summary", json_quoted(*patch.summary)));
  if (patch.model) HOLDFAST_TRY(now.set_key("model", json_quoted(*patch.model)));
  if (patch.status) HOLDFAST_TRY(now.set_key("status", json_quoted(status_name(*patch.status))));
  if (patch.metadata) {
    if (!check_json(*patch.metadata).ok()) return fail(Code::invalid_argument, "metadata must be a JSON object");
    HOLDFAST_LET(clean, without_secrets(*patch.metadata));
    HOLDFAST_TRY(patch_metadata(now, JsonView(clean)));
  }
  const bool changed = now.changed();
  std::string text = now.take();
  if (changed) HOLDFAST_TRY(set(text, {"updatedAt"}, std::to_string(now_ms)));
  return text;
}

SessionFacts facts_of(JsonView header) {
  SessionFacts facts;
  JsonWriter rest;
  rest.begin_object();
  bool any = false;
  Parent parent;
  for (const JsonItem& item : header.fields()) {
    const std::string key = item.key();
    const auto text = [&] { return item.value.as_string().value_or(""); };
    if (key == "type" || key == "id" || key == "forkedAt") continue;
    if (key == "createdAt") {
      facts.created_at = time_of(item.value);
    } else if (key == "updatedAt") {
      facts.updated_at = time_of(item.value);
    } else if (key == "model") {
      facts.model = text();
    } else if (key == "title") {
      facts.title = text();
    } else if (key == "summary") {
      facts.summary = text();
    } else if (key == "gitBranch") {
      facts.git_branch = text();
    } else if (key == "parentSessionId") {
      parent.id = text();
    } else if (key == "parentMessageUuid") {
      parent.message = text();
    } else if (key == "parentKind") {
      parent.kind = parent_kind_of(text()).value_or(ParentKind::fork);
    } else if (key == "status") {
      if (const auto status = status_of(text()); status && *status != Status::active) facts.status = *status;
    } else {
      if (key == "options") facts.project = json_text(item.value, "cwd");
      rest.key(key).raw(item.value.raw());
      any = true;
    }
  }
  if (!parent.id.empty()) facts.parent = std::move(parent);
  if (any) facts.metadata = without_secrets(rest.end_object().take()).value_or("");
  return facts;
}

}  // namespace holdfast::inline v1::open_agent
