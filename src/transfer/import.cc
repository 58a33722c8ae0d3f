#include "transfer/import.h"

#include <algorithm>
#include <set>

#include "model/model_json.h"
#include "text/json_copy.h"
#include "text/json_edit.h"
#include "text/json_scan.h"
#include "text/json_text.h"
#include "text/json_value.h"
#include "text/json_write.h"
#include "transfer/atif_import.h"

namespace holdfast::inline v1 {
namespace {

// Reads the session object of the exported JSON.
void read_head(JsonView session, ImportedSession& imported) {
  SessionDraft& draft = imported.draft;
  draft.id = json_text(session, "id");
  draft.project = json_text(session, "project");
  draft.title = json_text(session, "title");
  draft.model = json_text(session, "model");
  draft.agent = json_text(session, "agent");
  draft.provider = json_text(session, "provider");
  draft.git_branch = json_text(session, "git_branch");
  if (const JsonView metadata = session.find("metadata"); metadata.kind() == JsonKind::object)
    draft.metadata = compact_json(metadata);
  imported.past.summary = json_text(session, "summary");
  imported.past.status = status_of(json_text(session, "status"));
  imported.past.created_at = json_text(session, "created_at");
  imported.past.updated_at = json_text(session, "updated_at");
  if (const JsonView parent = session.find("parent"); parent.kind() == JsonKind::object) {
    const auto kind = parent_kind_of(json_text(parent, "kind"));
    draft.parent = Parent{json_text(parent, "id"), kind.value_or(ParentKind::fork), json_text(parent, "message")};
  }
  JsonWriter origin;
  origin.begin_object().key("imported_from").begin_object();
  origin.key("layout").string(json_text(session, "layout")).key("id").string(draft.id).end_object().end_object();
  imported.past.origin = origin.take();
}

// The message with every block of an unknown kind converted to kind `other`.
Result<std::string> with_known_blocks(JsonView json) {
  std::string text(json.raw());
  std::size_t number = 0;
  for (const JsonItem& block : json.find("blocks").elements()) {
    const std::size_t at = number++;
    if (block.value.kind() != JsonKind::object || block_kind_of(json_text(block.value, "type"))) continue;
    JsonWriter other;
    other.begin_object().key("type").string("other").key("raw").raw(block.value.raw()).end_object();
    HOLDFAST_LET(edited, json_set(text, {"blocks", at}, other.text()));
    text = std::move(edited);
  }
  return text;
}

Result<void> add_message(JsonView json, ImportedSession& imported) {
  HOLDFAST_LET(known, with_known_blocks(json));
  auto message = message_from_json(JsonView(known));
  if (!message)
    return fail(Code::invalid_argument,
                "message " + std::to_string(imported.messages.size()) + ": " + message.error().message);
  // Only reading adds it, beside the ordinal.
  message->abandoned =
      json.find("ordinal").kind() == JsonKind::number && json.find("abandoned").as_bool().value_or(false);
  imported.messages.push_back(std::move(*message));
  return {};
}

Result<ImportedSession> read_lines(std::string_view text) {
  ImportedSession imported;
  imported.format = "jsonl";
  bool headed = false;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    if (!check_json(line).ok())
      return fail(Code::corrupt, "line " + std::to_string(number) + " is not complete JSON; nothing was imported");
    if (!headed && JsonView(line).find("session").kind() == JsonKind::object) {
      read_head(JsonView(line).find("session"), imported);
      headed = true;
      continue;
    }
    HOLDFAST_TRY(add_message(JsonView(line), imported));
  }
  if (!headed)
    return fail(Code::invalid_argument, "the first line must be {\"session\":…}, as written by holdfast export");
  return imported;
}

}  // namespace

std::uint64_t kept_verbatim(const std::vector<Message>& messages) {
  std::uint64_t count = 0;
  for (const Message& message : messages) {
    count += message.extra.empty() ? 0 : 1;
    for (const Block& block : message.blocks)
      count += (block.kind == BlockKind::other ? 1 : 0) + (block.extra.empty() ? 0 : 1);
  }
  return count;
}

std::string unknown_fields(JsonView object, std::span<const std::string_view> known) {
  JsonWriter json;
  json.begin_object();
  bool any = false;
  for (const JsonItem& field : object.fields()) {
    if (std::ranges::find(known, field.key()) != known.end()) continue;
    json.key(field.key()).raw(field.value.raw());
    any = true;
  }
  json.end_object();
  return any ? json.take() : std::string();
}

namespace {

// A document may be damaged. A duplicate id, and a parent that does not come earlier, are dropped, because no
// store would accept them. The original value stays in `extra`.
Result<void> settle_tree(std::vector<Message>& messages) {
  std::set<std::string, std::less<>> ids;
  const auto give_up = [](std::string_view name, std::string& value, Message& message) -> Result<void> {
    const std::string extra = message.extra.empty() ? "{}" : message.extra;
    HOLDFAST_LET(kept, json_set(extra, {JsonStep(name)}, JsonWriter().string(value).take()));
    message.extra = std::move(kept);
    value.clear();
    return {};
  };
  for (Message& message : messages) {
    if (!message.parent.empty() && !ids.contains(message.parent))
      HOLDFAST_TRY(give_up("parent", message.parent, message));
    if (!message.id.empty() && !ids.insert(message.id).second) HOLDFAST_TRY(give_up("id", message.id, message));
  }
  return {};
}

Result<ImportedSession> read_document(std::string_view text) {
  if (!check_json(text).ok()) {
    const std::string_view first = text.substr(0, text.find('\n'));
    if (check_json(first).ok() && JsonView(first).kind() == JsonKind::object) return read_lines(text);
    return fail(Code::invalid_argument, "the input is neither JSON nor JSON lines");
  }
  const JsonView document(text);
  if (json_text(document, "schema_version").starts_with("ATIF-v1.")) return read_atif(document);
  const JsonView session = document.find("session");
  if (session.kind() != JsonKind::object)
    return fail(Code::invalid_argument, "the input is neither a session that holdfast exported nor an ATIF trajectory");
  if (document.find("messages").kind() != JsonKind::array) return read_lines(text);
  ImportedSession imported;
  imported.format = "json";
  read_head(session, imported);
  for (const JsonItem& message : document.find("messages").elements())
    HOLDFAST_TRY(add_message(message.value, imported));
  return imported;
}

// Counts messages that a rewind took back and that no parent makes a branch of their own. They become a part of the
// conversation; those at its end become the branch that is continued.
std::uint64_t count_abandoned(const std::vector<Message>& messages) {
  std::set<std::string, std::less<>> parents;
  for (const Message& message : messages) parents.insert(message.parent);
  std::size_t left = messages.size();
  while (left > 0 && messages[left - 1].abandoned) --left;
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < messages.size(); ++i) {
    const Message& message = messages[i];
    const bool loose = message.parent.empty() && (message.id.empty() || !parents.contains(message.id));
    count += message.abandoned && (i >= left || loose) ? 1 : 0;
  }
  return count;
}

// Gives a message without a time that of the message before it, or that of the session: a store would otherwise use
// the time of the import.
void fill_times(ImportedSession& imported) {
  std::string last = imported.past.created_at;
  for (Message& message : imported.messages) {
    if (message.timestamp.empty()) message.timestamp = last;
    last = message.timestamp;
  }
}

}  // namespace

Result<ImportedSession> read_import(std::string_view text) {
  HOLDFAST_LET(imported, read_document(text));
  imported.abandoned = count_abandoned(imported.messages);
  HOLDFAST_TRY(settle_tree(imported.messages));
  fill_times(imported);
  return imported;
}

Result<WholeSession> import_session(const Context& context, Store& store, const ImportedSession& imported) {
  return create_whole(context, store, imported.draft, imported.past, imported.messages);
}

}  // namespace holdfast::inline v1
