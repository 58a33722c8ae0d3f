#include "layout/maestro/message_file.h"

#include <algorithm>
#include <array>

#include "layout/json_pick.h"
#include "layout/record_extension.h"
#include "layout/unknown_content.h"
#include "model/block_read.h"
#include "model/check_read_back.h"
#include "text/json_copy.h"
#include "text/json_write.h"

namespace holdfast::inline v1::maestro {
namespace {

// Unknown members, followed by those that a caller gave in `extra`.
std::string with_unknown(JsonView record, std::string extra) {
  constexpr std::array<std::string_view, 9> kKnown = {"schemaVersion", "id",        "threadId",   "sessionId", "role",
                                                      "content",       "createdAt", "toolCallId", kRest};
  JsonWriter json;
  json.begin_object();
  bool any = false;
  for (const JsonItem& item : record.fields()) {
    const auto is_it = [&](std::string_view name) { return item.key_is(name); };
    if (std::ranges::any_of(kKnown, is_it) || JsonView(extra).find(item.key())) continue;
    json.key(item.key()).raw(compact_json(item.value));
    any = true;
  }
  if (!any) return extra;
  for (const JsonItem& item : JsonView(extra).fields()) json.key(item.key()).raw(item.value.raw());
  return json.end_object().take();
}

}  // namespace

Message message_of(JsonView record) {
  const auto [id, role, content, created, call, more] =
      pick<6>(record, {"id", "role", "content", "createdAt", "toolCallId", kRest});
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
  const BlockKind usual = message.role == Role::tool ? BlockKind::tool_result : BlockKind::text;
  const BlockExtension rest = more ? read_extension(more, message) : BlockExtension();
  message.extra = with_unknown(record, std::move(message.extra));
  Block block{.text = text_of(content)};
  if (rest.kind.value_or(usual) == BlockKind::tool_result) {
    block.kind = BlockKind::tool_result;
    block.id = text_of(call);
    block.name = rest.tool;
    block.is_error = rest.is_error;
    if (rest.output) set_output(rest.output, block);
  } else if (content.kind() != JsonKind::string && content && !content.is_null()) {
    block = unknown_block(content);
  }
  block.extra = rest.extra;
  message.blocks =
      block.kind == BlockKind::text ? split_texts(std::move(block), rest.texts) : std::vector<Block>{std::move(block)};
  return message;
}

Result<std::string> spell_message_file(const Message& message, const MessageHead& head) {
  Block said{.kind = BlockKind::text};
  std::vector<std::string> texts;
  for (const Block& block : message.blocks) {
    const bool result = block.kind == BlockKind::tool_result;
    const bool alone = message.blocks.size() == 1;
    if (block.kind != BlockKind::text && (!result || !alone)) {
      return fail(Code::unsupported, "layout maestro cannot hold: " + std::string(block_kind_name(block.kind)) +
                                         (result ? " beside other content in one message" : " in a message"));
    }
    if (alone) said = block;
    texts.push_back(block.text);
  }
  if (texts.size() > 1) said.text = joined_texts(texts);
  const bool result = said.kind == BlockKind::tool_result;
  const Role role = result ? Role::tool : message.role;
  JsonWriter json(JsonLayout::pretty);
  json.begin_object().key("schemaVersion").int64(1).key("id").string(head.id);
  json.key("threadId").string(head.thread).key("sessionId").string(head.session);
  json.key("role").string(role_name(role)).key("content").string(said.text);
  json.key("createdAt").string(head.created_at).key("toolCallId");
  said.id.empty() ? json.null() : json.string(said.id);
  Message beside = message;
  beside.blocks.clear();
  for (std::string* text : {&beside.id, &beside.timestamp}) text->clear();
  said.id.clear();
  write_extension(json, {.message = &beside,
                         .block = &said,
                         .kind = role == Role::tool && !result,
                         .role = role != message.role,
                         .tool = true,
                         .texts = &texts});
  std::string bytes = pretty_json(JsonView(json.end_object().text()));
  Message read = message_of(JsonView(bytes));
  HOLDFAST_TRY(check_read_back(message, {&read, 1}, "maestro"));
  return bytes;
}

}  // namespace holdfast::inline v1::maestro
