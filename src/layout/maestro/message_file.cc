#include "layout/maestro/message_file.h"

#include "layout/json_pick.h"
#include "text/json_write.h"

namespace holdfast::inline v1::maestro {
Message message_of(JsonView record) {
  const auto [id, role, content, created, call] = pick<5>(record, {"id", "role", "content", "createdAt", "toolCallId"});
  Message message;
  message.id = text_of(id);
  message.timestamp = text_of(created);
  message.role = Role::system;
  message.origin = Origin::notice;
  if (role.is_string("user")) {
    message.role = Role::user;
    message.origin = Origin::typed;
  } else if (role.is_string("assistant")) {
    message.role = Role::assistant;
    message.origin = Origin::model;
  } else if (role.is_string("tool")) {
    message.role = Role::tool;
    message.origin = Origin::tool;
  }
  Block block{.text = text_of(content)};
  if (message.role == Role::tool) {
    block.kind = BlockKind::tool_result;
    block.id = text_of(call);
  } else if (content.kind() != JsonKind::string && content) {
    block = {.kind = BlockKind::other, .json = std::string(content.raw())};
  }
  message.blocks.push_back(std::move(block));
  return message;
}

Result<std::string> spell_message_file(const Message& message, const MessageHead& head) {
  std::string content;
  std::string call;
  Role role = message.role;
  bool any = false;
  for (const Block& block : message.blocks) {
    const bool result = block.kind == BlockKind::tool_result;
    if (block.kind != BlockKind::text && (!result || message.blocks.size() != 1)) {
      return fail(Code::unsupported, "layout maestro cannot hold: " + std::string(block_kind_name(block.kind)) +
                                         (result ? " beside other content in one message" : " in a message"));
    }
    if (result) {
      call = block.id;
      role = Role::tool;
    }
    if (any) content += '\n';
    content += block.text;
    any = true;
  }
  JsonWriter json(JsonLayout::pretty);
  json.begin_object().key("schemaVersion").int64(1).key("id").string(head.id);
  json.key("threadId").string(head.thread).key("sessionId").string(head.session);
  json.key("role").string(role_name(role)).key("content").string(content);
  json.key("createdAt").string(head.created_at).key("toolCallId");
  call.empty() ? json.null() : json.string(call);
  return json.end_object().take();
}

}  // namespace holdfast::inline v1::maestro
