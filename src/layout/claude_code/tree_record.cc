#include "layout/claude_code/record.h"
#include "layout/claude_content.h"
#include "layout/json_pick.h"
#include "layout/unknown_content.h"

namespace holdfast::inline v1::claude_code {
namespace {

void read_tools(JsonCursor& at, Message& message) {
  if (!at.enter_object()) return read_claude_content(at, message.blocks, {.texts = false, .payloads = false});
  std::string_view key;
  while (at.next_key(key)) {
    if (key == "content")
      read_claude_content(at, message.blocks, {.texts = false, .payloads = false});
    else if (key == "id")
      message.response = at.text();
    else
      at.skip();
  }
}

// The fields found in one walk over a line.
struct TreeFields {
  std::string_view type = {};
  std::string logical_parent = {}, leaf = {}, summary = {}, title = {};
  bool has_message = false, has_parent = false, has_side = false;

  // Everything that a message needs except its id.
  bool has_all() const { return has_message && has_parent && has_side && (type == "user" || type == "assistant"); }
};

// Whether a record without a uuid is a message, as in read_record.
bool is_message_without_id(const TreeFields& fields, std::string_view line) {
  if (fields.has_message && is_said(fields.type)) return true;
  if (fields.type == "attachment") return is_queued_prompt(JsonView(line).find("attachment"));
  const bool flat = (fields.type == "last-prompt" && !fields.leaf.empty()) ||
                    (fields.type == "summary" && !fields.summary.empty()) || !fields.title.empty();
  return !flat && is_unknown_record(fields.type, line);
}

constexpr std::string_view kIdNext = ",\"uuid\":\"";

// Skips the value of toolUseResult, which is long and irrelevant to the tree. Returns true if it
// jumped to what may be the rest of the record, found by its length, without scanning the value.
bool skip_tool_use_result(JsonCursor& at, const TreeFields& fields, TailSizeCache& seen) {
  const std::string_view here = at.rest();
  if (fields.has_all() && seen.size > 0 && here.size() > seen.size &&
      here.substr(here.size() - seen.size).starts_with(kIdNext)) {
    at.go_to(seen.size);
    return true;
  }
  at.step_over();
  if (at.rest().starts_with(kIdNext)) seen.size = at.rest().size();
  return false;
}

// Returns false if the jump did not land at the rest of the record, but inside one of its values.
bool read_fields(std::string_view line, TailSizeCache& seen, const JsonMarks* marks, TreeFields& fields,
                 Message& message) {
  std::string_view key;
  bool jumped = false;
  JsonCursor at(line, marks);
  at.enter_object();
  while (at.next_key(key)) {
    if (is_request_payload(fields.type, key)) break;
    if (key == "type") {
      fields.type = at.word();
    } else if (key == "message") {
      read_tools(at, message);
      fields.has_message = true;
    } else if (key == "uuid") {
      message.id = at.text();
    } else if (key == "parentUuid") {
      message.parent = at.kind() == JsonKind::string ? at.text() : named_parent(at.skip());
      fields.has_parent = true;
    } else if (key == "logicalParentUuid") {
      fields.logical_parent = at.text();
    } else if (key == "isSidechain") {
      message.side = at.skip().as_bool().value_or(false);
      fields.has_side = true;
    } else if (key == "leafUuid") {
      fields.leaf = at.text();
    } else if (key == "summary") {
      fields.summary = at.text();
    } else if (key == "customTitle" || key == "aiTitle") {
      fields.title = at.text();
    } else if (key == "toolUseResult") {
      if (fields.has_all() && !message.id.empty()) break;
      jumped = skip_tool_use_result(at, fields, seen) || jumped;
    } else {
      at.step_over();
    }
  }
  // Only members of the record itself extend to its last byte.
  return !jumped || at.rest().empty();
}

}  // namespace

Record read_tree_record(std::string_view line, TailSizeCache& seen, const JsonMarks* marks) {
  Record record;
  Message& message = record.message;
  TreeFields fields;
  if (!read_fields(line, seen, marks, fields, message)) {
    seen = {};
    fields = {};
    message = {};
    read_fields(line, seen, marks, fields, message);
  }
  if (!message.id.empty() || is_message_without_id(fields, line)) {
    record.kind = RecordKind::message;
    record.tree = !message.id.empty();
    if (fields.type != "user" && fields.type != "assistant") message.blocks.clear();
    if (fields.type != "assistant") message.response.clear();
    if (fields.type == "system" && message.parent.empty()) message.parent = std::move(fields.logical_parent);
  } else if (fields.type == "last-prompt" && !fields.leaf.empty()) {
    record.kind = RecordKind::leaf;
    record.text = std::move(fields.leaf);
  } else if (!fields.title.empty() && !(fields.type == "summary" && !fields.summary.empty())) {
    record.kind = RecordKind::title;
    record.text = std::move(fields.title);
  }
  return record;
}

}  // namespace holdfast::inline v1::claude_code
