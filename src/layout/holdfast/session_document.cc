#include "layout/holdfast/session_document.h"

#include "base/time.h"
#include "layout/backup_finding.h"
#include "layout/holdfast/line.h"
#include "layout/holdfast/metadata.h"
#include "layout/holdfast/native_layout.h"
#include "layout/holdfast/paths.h"
#include "layout/moment.h"
#include "text/json_scan.h"
#include "text/json_text.h"
#include "text/json_write.h"

namespace holdfast::inline v1::native {
namespace {

Place at(std::string path) { return {std::string(kRoot), std::move(path)}; }

std::optional<Parent> parent_of(JsonView json) {
  const auto kind = parent_kind_of(json_text(json, "kind"));
  if (!kind) return std::nullopt;
  return Parent{json_text(json, "id"), *kind, json_text(json, "message")};
}

}  // namespace

std::string new_document(std::string_view id, const SessionDraft& draft, std::string_view now) {
  JsonWriter json(JsonLayout::pretty);
  json.begin_object().key("schema_version").int64(kSchemaVersion).key("id").string(id);
  const auto field = [&](std::string_view key, std::string_view text) {
    if (!text.empty()) json.key(key).string(text);
  };
  field("thread", draft.thread);
  field("project", draft.project);
  field("title", draft.title);
  json.key("status").string("active").key("created_at").string(now).key("updated_at").string(now);
  field("agent", draft.agent);
  field("model", draft.model);
  field("provider", draft.provider);
  field("git_branch", draft.git_branch);
  if (draft.parent) {
    json.key("parent").begin_object().key("id").string(draft.parent->id);
    json.key("kind").string(parent_kind_name(draft.parent->kind));
    field("message", draft.parent->message);
    json.end_object();
  }
  if (!draft.metadata.empty()) json.key("metadata").raw(safe_metadata(draft.metadata).value_or("{}"));
  return json.end_object().take() + "\n";
}

SessionFacts facts_of(JsonView document) {
  SessionFacts facts;
  facts.project = json_text(document, "project");
  facts.title = json_text(document, "title");
  facts.git_branch = json_text(document, "git_branch");
  facts.created_at = json_text(document, "created_at");
  facts.updated_at = json_text(document, "updated_at");
  facts.model = json_text(document, "model");
  facts.summary = json_text(document, "summary");
  facts.parent = parent_of(document.find("parent"));
  // Also for `active`: the lease shows whether its owner died, not an unanswered prompt.
  facts.status = status_of(json_text(document, "status"));
  if (const JsonView metadata = document.find("metadata")) facts.metadata = safe_metadata(metadata.raw()).value_or("");
  return facts;
}

SessionFacts facts_of_line(JsonView line) {
  SessionFacts facts;
  facts.project = json_text(line, "project");
  facts.created_at = json_text(line, "created_at");
  facts.parent = parent_of(line.find("parent"));
  return facts;
}

SessionDraft draft_from_document(JsonView document) {
  SessionDraft draft;
  draft.project = json_text(document, "project");
  draft.title = json_text(document, "title");
  draft.model = json_text(document, "model");
  draft.provider = json_text(document, "provider");
  draft.agent = json_text(document, "agent");
  draft.git_branch = json_text(document, "git_branch");
  draft.parent = parent_of(document.find("parent"));
  if (const JsonView metadata = document.find("metadata")) draft.metadata = metadata.raw();
  return draft;
}

Result<std::optional<std::string>> read_document(Feed& feed, const std::string& folder) {
  const Place place = at(session_document(folder));
  HOLDFAST_LET(bytes, feed.document(place));
  if (!bytes) return std::nullopt;
  const JsonCheck check = check_json(*bytes);
  if (check.ok() && JsonView(*bytes).kind() == JsonKind::object) return bytes;
  const std::string why = check.ok() ? std::string("not a JSON object")
                                     : "not a JSON document: " + std::string(json_fault_name(check.fault)) +
                                           " at byte " + std::to_string(check.at);
  HOLDFAST_LET(backup, feed.backup(place));
  if (!backup || !check_json(*backup).ok() || JsonView(*backup).kind() != JsonKind::object)
    return fail(Code::corrupt, why, place.path);
  feed.complain(place, 0, kRestoredFromBackup, backup_shown_message(why));
  return backup;
}

Result<std::string> rebuild_document(Feed& feed, const std::string& folder, std::string_view id, const Moment& moment) {
  SessionDraft draft;
  std::string created = iso8601(moment.now);
  HOLDFAST_TRY(feed.records(at(messages_log(folder)), {}, [&](const FeedRecord& record) {
    const JsonView line(record.bytes);
    if (kind_of_line(line) != LineKind::session) return false;
    draft = draft_from_document(line);
    if (const std::string written = json_text(line, "created_at"); !written.empty()) created = written;
    return false;
  }));
  return new_document(id, draft, created);
}

}  // namespace holdfast::inline v1::native
