#include "layout/claude_code/record.h"
#include "layout/claude_content.h"
#include "layout/json_pick.h"

namespace holdfast::inline v1::claude_code {
namespace {

void read_tools(JsonCursor& at, Message& message) {
  if (!at.enter_object()) {
    at.skip();
    return;
  }
  std::string_view key;
  while (at.next_key(key)) {
    if (key == "content")
      read_claude_content(at, message.blocks, {.texts = false, .payloads = false});
    else
      at.skip();
  }
}

}  // namespace

Record read_tree_record(std::string_view line) {
  Record record;
  Message& message = record.message;
  std::string_view key, type;
  std::string logical_parent, leaf, summary, title;
  JsonCursor at(line);
  at.enter_object();
  while (at.next_key(key)) {
    if (is_request_payload(type, key)) break;
    if (key == "type")
      type = at.word();
    else if (key == "message")
      read_tools(at, message);
    else if (key == "uuid")
      message.id = at.text();
    else if (key == "parentUuid")
      message.parent = at.text();
    else if (key == "logicalParentUuid")
      logical_parent = at.text();
    else if (key == "isSidechain")
      message.side = at.skip().as_bool().value_or(false);
    else if (key == "leafUuid")
      leaf = at.text();
    else if (key == "summary")
      summary = at.text();
    else if (key == "customTitle" || key == "aiTitle")
      title = at.text();
    else
      at.skip();
  }
  if (!message.id.empty()) {
    record.kind = RecordKind::message;
    record.tree = true;
    if (type != "user" && type != "assistant") message.blocks.clear();
    if (type == "system" && message.parent.empty()) message.parent = std::move(logical_parent);
  } else if (type == "last-prompt" && !leaf.empty()) {
    record.kind = RecordKind::leaf;
    record.text = std::move(leaf);
  } else if (!title.empty() && !(type == "summary" && !summary.empty())) {
    record.kind = RecordKind::title;
    record.text = std::move(title);
  }
  return record;
}

}  // namespace holdfast::inline v1::claude_code
