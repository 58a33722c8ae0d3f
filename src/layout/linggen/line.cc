#include "layout/linggen/line.h"

#include <algorithm>

#include "text/json_scan.h"
#include "text/json_write.h"

namespace holdfast::inline v1::linggen {
namespace {

// "Tool NAME: text", as observations are written; an empty name when it is not.
std::string_view tool_in(std::string_view content) {
  constexpr std::string_view kPrefix = "Tool ";
  if (!content.starts_with(kPrefix)) return {};
  const std::size_t colon = content.find(": ", kPrefix.size());
  if (colon == std::string_view::npos) return {};
  const std::string_view name = content.substr(kPrefix.size(), colon - kPrefix.size());
  return name.find_first_of(" \n\t") == std::string_view::npos ? name : std::string_view();
}

// `block`: the call or result that the line is for; `first`: of the message's lines.
std::string spell(const Message& message, std::string_view agent, std::string_view content, std::int64_t second,
                  bool first, const Block* block = nullptr) {
  const bool by_model = message.role == Role::assistant;
  const bool by_person = message.role == Role::user;
  JsonWriter json;
  json.begin_object().key("agent_id").string(agent);
  json.key("from_id").string(by_model ? agent : by_person ? "user" : "system");
  json.key("to_id").string(by_model ? "user" : agent);
  json.key("content").string(content).key("timestamp").int64(second);
  json.key("is_observation").boolean(message.role == Role::tool);
  write_extra(json, message, first, block);
  return json.end_object().take();
}

std::string spell_call(const Block& block) {
  JsonWriter json;
  json.begin_object().key("type").string("tool").key("tool").string(block.name);
  return json.key("args").raw(block.json.empty() ? "{}" : std::string_view(block.json)).end_object().take();
}

}  // namespace

void LineReader::read_content(Message& message, std::string_view content, bool observation, const BlockExtra& extra) {
  if (observation) {
    const std::string_view tool = tool_in(content);
    Block block{.kind = BlockKind::tool_result, .text = std::string(content), .name = std::string(tool)};
    if (!tool.empty()) block.text = content.substr(content.find(": ") + 2);
    block.is_error = extra.is_error;
    const auto call = extra.call.empty() ? std::ranges::find(open_, tool, &OpenCall::tool)
                                         : std::ranges::find(open_, extra.call, &OpenCall::id);
    if (call != open_.end()) {
      block.id = call->id;
      open_.erase(call);
    } else if (!extra.call.empty()) {
      block.id = extra.call;
    } else {
      block.id = "line-" + std::to_string(message.offset);
    }
    message.blocks.push_back(std::move(block));
    return;
  }
  const bool payload = content.starts_with('{') && check_json(content).ok();
  const JsonView json(payload ? content : std::string_view());
  if (json.find("type").is_string("tool") && json.find("tool").kind() == JsonKind::string) {
    Block block{.kind = BlockKind::tool_call, .id = extra.call};
    if (block.id.empty()) block.id = "line-" + std::to_string(message.offset);
    block.name = json.find("tool").as_string().value_or("");
    block.json = json.find("args") ? std::string(json.find("args").raw()) : "{}";
    open_.push_back({block.id, block.name});
    message.blocks.push_back(std::move(block));
  } else if (json.find("type").is_string("plan") || json.find("type").is_string("finalize_task")) {
    message.blocks.push_back({.kind = BlockKind::other, .json = std::string(content)});
  } else {
    message.blocks.push_back({.kind = BlockKind::text, .text = std::string(content)});
  }
}

Message LineReader::read(JsonView line, std::uint64_t offset) {
  Message message;
  message.offset = offset;
  message.role = Role::system;
  message.origin = Origin::notice;
  std::string from;
  std::optional<std::string> content;
  bool observation = false;
  JsonView rest;
  for (const JsonItem& item : line.fields()) {
    if (item.key_is("agent_id"))
      message.agent = item.value.as_string().value_or("");
    else if (item.key_is("from_id"))
      from = item.value.as_string().value_or("");
    else if (item.key_is("content"))
      content = item.value.as_string();
    else if (item.key_is("timestamp"))
      message.timestamp =
          item.value.kind() == JsonKind::number ? std::string(item.value.raw()) : item.value.as_string().value_or("");
    else if (item.key_is("is_observation"))
      observation = item.value.as_bool().value_or(false);
    else if (item.key_is(kExtra))
      rest = item.value;
  }
  if (!content || from.empty()) {  // somebody else's line: kept, shown, not understood
    message.blocks.push_back({.kind = BlockKind::other, .json = std::string(line.raw())});
    return message;
  }
  if (observation) {
    message.role = Role::tool;
    message.origin = Origin::tool;
  } else if (from == "user") {
    message.role = Role::user;
    message.origin = Origin::typed;
  } else if (from == message.agent) {
    message.role = Role::assistant;
    message.origin = Origin::model;
  } else if (from != "system") {  // another agent gives this one its task
    message.role = Role::user;
    message.origin = Origin::injected;
  }
  const BlockExtra extra = rest ? read_extra(rest, message) : BlockExtra();
  read_content(message, *content, observation, extra);
  return message;
}

Result<std::vector<std::string>> spell_lines(const Message& message, std::string_view agent, std::int64_t second) {
  std::vector<std::string> lines;
  std::string text;
  bool any_text = false;
  const auto flush = [&] {
    if (any_text) lines.push_back(spell(message, agent, text, second, lines.empty()));
    text.clear();
    any_text = false;
  };
  for (const Block& block : message.blocks) {
    switch (block.kind) {
      case BlockKind::text:
        if (any_text) text += '\n';
        text += block.text;
        any_text = true;
        break;
      case BlockKind::tool_call:
        flush();
        lines.push_back(spell(message, agent, spell_call(block), second, lines.empty(), &block));
        break;
      case BlockKind::tool_result: {
        flush();
        Message result = message;
        result.role = Role::tool;
        const std::string content = block.name.empty() ? block.text : "Tool " + block.name + ": " + block.text;
        lines.push_back(spell(result, agent, content, second, lines.empty(), &block));
        break;
      }
      case BlockKind::other:
        flush();
        lines.push_back(spell(message, agent, block.json, second, lines.empty()));
        break;
      case BlockKind::thinking:
      case BlockKind::image:
        return fail(Code::unsupported,
                    "layout linggen cannot hold: " + std::string(block_kind_name(block.kind)) + " in a message");
    }
  }
  flush();
  if (lines.empty()) lines.push_back(spell(message, agent, "", second, true));
  return lines;
}

}  // namespace holdfast::inline v1::linggen
