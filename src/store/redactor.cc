#include "store/redactor.h"

#include "layout/record_shape.h"
#include "layout/thread_keeper.h"
#include "layout/unknown_content.h"
#include "store/record_lookup.h"
#include "text/json_edit.h"
#include "text/json_text.h"
#include "text/secrets.h"

namespace holdfast::inline v1 {
namespace {

void hide_json(RedactOptions request, TextSide side, std::string& json) {
  if (json.empty()) return;
  if (auto hidden = redacted_json(json, request, side)) json = std::move(*hidden);
}

// Which side a block's text belongs to: calls of tools are input, their results output.
TextSide side_of_block(Role role, BlockKind kind) {
  if (kind == BlockKind::tool_call) return TextSide::input;
  if (kind == BlockKind::tool_result || kind == BlockKind::thinking) return TextSide::output;
  return role == Role::user || role == Role::system ? TextSide::input : TextSide::output;
}

}  // namespace

void redact_in_place(std::string& text) {
  if (auto hidden = redacted(text)) text = std::move(*hidden);
}

Message redacted_message(RedactOptions request, Message message) {
  if (!request.any()) return message;
  for (Block& block : message.blocks) {
    const TextSide side = side_of_block(message.role, block.kind);
    if (!request.of(side)) continue;
    redact_in_place(block.text);
    redact_in_place(block.name);
    const std::string before = block.json;
    hide_json(request, side, block.json);
    hide_json(request, side, block.extra);
    // The block's text comes from the JSON, whose keys may show which parts are secrets.
    if (block.kind == BlockKind::other && block.json != before && !block.text.empty())
      block.text = words_in(JsonView(block.json));
    // "arguments" holds the same text once more, as originally formatted.
    if (block.json != before && JsonView(block.extra).find("arguments"))
      block.extra = json_remove(block.extra, {"arguments"}).value_or(std::string());
    if (block.extra == "{}") block.extra.clear();
  }
  if (const TextSide side = side_of_block(message.role, BlockKind::text); request.of(side))
    hide_json(request, side, message.extra);
  for (std::string* text : {&message.timestamp, &message.model, &message.stop_reason, &message.cost, &message.agent,
                            &message.context.cwd, &message.context.git_branch, &message.context.permission_mode,
                            &message.context.version, &message.context.user_type})
    redact_in_place(*text);
  return message;
}

RedactOptions Redactor::with_privacy(JsonView thread) const {
  const JsonView privacy = thread.find("privacy");
  RedactOptions request = store_;
  request.inputs = request.inputs || privacy.find("redactInputs").as_bool() == true;
  request.outputs = request.outputs || privacy.find("redactOutputs").as_bool() == true;
  return request;
}

Result<std::string> Redactor::thread_document(Feed& feed, std::string_view id) const {
  HOLDFAST_LET(shape, shape_of_kind(layout_, "thread"));
  HOLDFAST_LET(place, place_of_record(layout_, feed, *shape, {"thread", {}, std::string(id)}));
  HOLDFAST_LET(bytes, feed.document(place));
  return bytes.value_or("{}");
}

Result<RedactOptions> Redactor::redaction_for(Feed& feed, std::string_view thread) const {
  if (!threads_ || thread.empty() || (store_.inputs && store_.outputs)) return store_;
  HOLDFAST_LET(document, thread_document(feed, thread));
  return with_privacy(JsonView(document));
}

Result<RedactOptions> Redactor::redaction_for(Feed& feed, const SessionRef& ref) const {
  if (!threads_ || (store_.inputs && store_.outputs)) return store_;
  HOLDFAST_LET(thread, thread_of(layout_, feed, ref));
  return redaction_for(feed, thread);
}

Result<SessionDraft> Redactor::hidden(Feed& feed, const SessionDraft& draft) const {
  HOLDFAST_LET(request, redaction_for(feed, draft.thread));
  SessionDraft safe = draft;
  if (!request.any()) return safe;
  // A title may be made of anything; the other fields were typed or configured.
  redact_in_place(safe.title);
  if (!request.inputs) return safe;
  for (std::string* text : {&safe.first_prompt, &safe.model, &safe.provider, &safe.agent, &safe.git_branch})
    redact_in_place(*text);
  hide_json(request, TextSide::input, safe.metadata);
  return safe;
}

Result<SessionPatch> Redactor::hidden(Feed& feed, const SessionRef& ref, const SessionPatch& patch) const {
  HOLDFAST_LET(request, redaction_for(feed, ref));
  SessionPatch safe = patch;
  if (!request.any()) return safe;
  if (safe.title) redact_in_place(*safe.title);
  if (safe.summary) redact_in_place(*safe.summary);
  if (safe.model) redact_in_place(*safe.model);
  if (safe.metadata) hide_json(request, TextSide::unknown, *safe.metadata);
  return safe;
}

Result<RecordEdit> Redactor::hidden(Feed& feed, const RecordShape& shape, const RecordEdit& edit) const {
  RecordEdit safe = edit;
  if (shape.secret || shape.kind == "config" || edit.json.empty()) return safe;
  const JsonView given(edit.json);
  RedactOptions request = store_;
  if (shape.kind == "thread" && threads_) {
    // A privacy setting in the edit takes effect at once; settings that it does not have stay as they are.
    HOLDFAST_LET(its, redaction_for(feed, edit.key.id));
    const JsonView privacy = given.find("privacy");
    request.inputs |= privacy.find("redactInputs").as_bool().value_or(its.inputs);
    request.outputs |= privacy.find("redactOutputs").as_bool().value_or(its.outputs);
  } else if (shape.kind == "session" || shape.kind == "message") {
    std::string thread = json_text(given, "thread_id");
    if (thread.empty() && shape.kind == "message") thread = edit.key.project;
    if (thread.empty() && shape.kind == "session") {
      HOLDFAST_LET(place, place_of_record(layout_, feed, shape, edit.key));
      HOLDFAST_LET(bytes, feed.document(place));
      thread = json_text(JsonView(bytes.value_or("{}")), "threadId");
    }
    HOLDFAST_LET(its, redaction_for(feed, thread));
    request = its;
  }
  hide_json(request, TextSide::unknown, safe.json);
  return safe;
}

}  // namespace holdfast::inline v1
