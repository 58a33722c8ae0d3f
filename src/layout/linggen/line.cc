#include "layout/linggen/line.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/id.h"
#include "layout/unknown_content.h"
#include "model/block_read.h"
#include "model/check_read_back.h"
#include "model/time_formats.h"
#include "text/json_scan.h"
#include "text/json_write.h"

namespace holdfast::inline v1::linggen {
namespace {

constexpr std::string_view kMadeUp = "lines";
constexpr std::size_t kMadeUpLetters = 12;

// The NAME in "Tool NAME: text", the form of observations; empty if the content has another form.
std::string_view tool_in(std::string_view content) {
  constexpr std::string_view kPrefix = "Tool ";
  if (!content.starts_with(kPrefix)) return {};
  const std::size_t colon = content.find(": ", kPrefix.size());
  if (colon == std::string_view::npos) return {};
  const std::string_view name = content.substr(kPrefix.size(), colon - kPrefix.size());
  return name.find_first_of(" \n\t") == std::string_view::npos ? name : std::string_view();
}

bool is_call(JsonView json) {
  return json.find("type").is_string("tool") && json.find("tool").kind() == JsonKind::string;
}

bool is_kept_whole(JsonView json) {
  return json.find("type").is_string("plan") || json.find("type").is_string("finalize_task");
}

// The kind that a reader gives to the content of a line.
BlockKind kind_of(std::string_view content, bool observation) {
  if (observation) return BlockKind::tool_result;
  const bool payload = content.starts_with('{') && check_json(content).ok();
  const JsonView json(payload ? content : std::string_view());
  if (is_call(json)) return BlockKind::tool_call;
  return is_kept_whole(json) ? BlockKind::other : BlockKind::text;
}

struct Speech {
  const Message& message;
  std::string_view agent;
  std::int64_t second;
};

// What one line is for.
struct Part {
  Role role;
  Block block;
  std::string content;
  std::vector<std::string> texts = {};  // that the content joins
};

// `first` is set for the first line of the message.
std::string spell(const Speech& speech, const Part& part, bool first) {
  const auto& [role, block, content, texts] = part;
  const bool by_model = role == Role::assistant;
  const bool by_person = role == Role::user;
  const bool observation = role == Role::tool;
  JsonWriter json;
  json.begin_object().key("agent_id").string(speech.agent);
  json.key("from_id").string(by_model ? speech.agent : by_person ? "user" : "system");
  json.key("to_id").string(by_model ? "user" : speech.agent);
  json.key("content").string(content).key("timestamp").int64(speech.second);
  json.key("is_observation").boolean(observation);
  Message said = speech.message;  // small without its blocks
  said.agent.clear();
  const auto time = parse_any_time(said.timestamp);
  if (!time || time->time_since_epoch() == std::chrono::seconds(speech.second)) said.timestamp.clear();
  ExtensionData rest{.message = &said, .first = first, .block = &block, .texts = &texts};
  rest.kind = kind_of(content, observation) != block.kind;
  rest.role = role != said.role;
  rest.output = block.kind == BlockKind::tool_result && tool_in(content) != block.name;
  // A result that names its tool answers the open call of that tool, as in the program's own lines.
  rest.no_id = block.kind == BlockKind::tool_result && block.id.empty() && block.name.empty();
  write_extension(json, rest);
  return json.end_object().take();
}

std::string spell_call(const Block& block) {
  JsonWriter json;
  json.begin_object().key("type").string("tool").key("tool").string(block.name);
  return json.key("args").raw(block.json.empty() ? "{}" : std::string_view(block.json)).end_object().take();
}

}  // namespace

void LineReader::read_content(Message& message, std::string_view content, bool observation,
                              const BlockExtension& rest) {
  const BlockKind kind = rest.kind.value_or(kind_of(content, observation));
  const std::string by_offset = "line-" + std::to_string(message.offset);
  Block block{.kind = kind};
  block.extra = rest.extra;
  if (kind == BlockKind::tool_result) {
    const std::string_view tool = tool_in(content);
    block.text = tool.empty() ? content : content.substr(content.find(": ") + 2);
    block.name = tool;
    if (rest.output) {
      block.text.clear();
      block.name.clear();
      set_output(rest.output, block);
      if (const std::string named = "Tool " + std::string(tool) + ": " + block.text; !tool.empty() && named == content)
        block.name = tool;
    }
    block.is_error = rest.is_error;
    const auto call = rest.call ? std::ranges::find(open_, *rest.call, &OpenCall::id)
                                : std::ranges::find(open_, tool, &OpenCall::tool);
    block.id = rest.call ? *rest.call : call != open_.end() ? call->id : by_offset;
    if (call != open_.end()) open_.erase(call);
  } else if (kind == BlockKind::tool_call) {
    const JsonView json(content);
    block.id = rest.call.value_or(by_offset);
    block.name = json.find("tool").as_string().value_or("");
    block.json = json.find("args") ? std::string(json.find("args").raw()) : "{}";
    open_.push_back({block.id, block.name});
  } else if (kind == BlockKind::other) {
    block.json = content;
    block.text = words_in(JsonView(content));
  } else {
    block.kind = BlockKind::text;
    block.text = content;
    if (rest.texts.size() > 1) {
      message.blocks = split_texts(std::move(block), rest.texts);
      return;
    }
  }
  message.blocks.push_back(std::move(block));
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
    else if (item.key_is(kRest))
      rest = item.value;
  }
  if (!content || from.empty()) {  // a line of another program: kept and shown, but not interpreted
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
  } else if (from != "system") {  // another agent assigns this one its task
    message.role = Role::user;
    message.origin = Origin::injected;
  }
  const BlockExtension more = rest ? read_extension(rest, message) : BlockExtension();
  read_content(message, *content, observation, more);
  return message;
}

std::string made_up_response(std::uint64_t random) { return make_id(kMadeUp, random, kMadeUpLetters); }

bool is_made_up_response(std::string_view response) {
  return response.size() == kMadeUp.size() + 1 + kMadeUpLetters && response.starts_with(kMadeUp) &&
         response[kMadeUp.size()] == '_';
}

Result<std::vector<std::string>> spell_lines(const Message& message, std::string_view agent, std::int64_t second,
                                             std::string_view response) {
  std::vector<Part> parts;
  const auto add = [&](Role role, const Block& block, std::string content) {
    parts.push_back({role, block, std::move(content)});
  };
  Block text;
  std::vector<std::string> texts;
  const auto flush = [&] {
    if (!texts.empty()) parts.push_back({message.role, text, joined_texts(texts), std::exchange(texts, {})});
  };
  for (const Block& block : message.blocks) {
    // Consecutive texts share a line, unless they have extra members.
    if (block.kind == BlockKind::text && !texts.empty() && block.extra.empty() && text.extra.empty()) {
      texts.push_back(block.text);
      continue;
    }
    flush();
    switch (block.kind) {
      case BlockKind::text:
        text = block;
        texts.push_back(block.text);
        break;
      case BlockKind::tool_call: add(message.role, block, spell_call(block)); break;
      case BlockKind::tool_result:
        add(Role::tool, block, block.name.empty() ? block.text : "Tool " + block.name + ": " + block.text);
        break;
      case BlockKind::other: add(message.role, block, block.json); break;
      default:
        return fail(Code::unsupported,
                    "layout linggen cannot hold: " + std::string(block_kind_name(block.kind)) + " in a message");
    }
  }
  flush();
  if (parts.empty()) add(message.role, {}, "");
  Message head = message;
  head.blocks.clear();
  const bool counts = message.role == Role::user || message.role == Role::assistant;
  if (counts && parts.size() > 1 && head.response.empty()) head.response = response;
  const Speech speech{head, agent, second};
  std::vector<std::string> lines;
  for (const Part& part : parts) {
    if (!lines.empty() && !counts) head.response.clear();
    lines.push_back(spell(speech, part, lines.empty()));
  }
  std::vector<Message> told;
  LineReader reader;
  for (const std::string& line : lines) told.push_back(reader.read(JsonView(line), told.size()));
  HOLDFAST_TRY(check_read_back(message, told, "linggen"));
  return lines;
}

}  // namespace holdfast::inline v1::linggen
