// From a line to the model: every key is looked at once.
#include "layout/open_agent/line.h"
#include "model/model_json.h"
#include "text/json_scan.h"

namespace holdfast::inline v1::open_agent {
namespace {

// The key without its quotes; what is written with escapes is none that we know.
std::string_view plain(std::string_view token) {
  return token.size() < 2 ? std::string_view() : token.substr(1, token.size() - 2);
}

// The string's bytes when it was written without escapes, else nothing; for words of a vocabulary.
std::string_view word(JsonView value) {
  return value.kind() == JsonKind::string ? plain(value.raw()) : std::string_view();
}

std::string text_of(JsonView value) { return value.as_string().value_or(""); }

// A text, or the bytes of any other JSON value.
std::string text_or_raw(JsonView value) {
  return value.kind() == JsonKind::string ? text_of(value) : std::string(value.raw());
}

std::string time_of(JsonView value) {
  return value.kind() == JsonKind::number ? std::string(value.raw()) : text_of(value);
}

// snake_case as the SDK writes it, camelCase as the seed has it.
std::optional<Usage> read_usage(JsonView json) {
  if (json.kind() != JsonKind::object) return std::nullopt;
  Usage usage;
  for (const JsonItem& item : json.fields()) {
    const std::string_view key = plain(item.raw_key);
    std::int64_t* figure = nullptr;
    if (key == "input_tokens" || key == "inputTokens") figure = &usage.input;
    if (key == "output_tokens" || key == "outputTokens") figure = &usage.output;
    if (key == "cache_read_input_tokens" || key == "cacheReadInputTokens") figure = &usage.cache_read;
    if (key == "cache_creation_input_tokens" || key == "cacheCreationInputTokens") figure = &usage.cache_write;
    if (key == "reasoning_tokens" || key == "reasoningTokens") figure = &usage.reasoning;
    if (figure != nullptr) *figure = item.value.as_int64().value_or(0);
  }
  return usage;
}

// Of a tool_result's content: a text, or blocks of text.
std::string output_of(JsonView content) {
  if (content.kind() != JsonKind::array) return content ? text_or_raw(content) : std::string();
  std::string text;
  for (const JsonItem& item : content.elements()) {
    const JsonView part = item.value.find("text");
    if (!part) return std::string(content.raw());
    text += (text.empty() ? "" : "\n") + text_of(part);
  }
  return text;
}

Block read_block(JsonView json) {
  Block block;
  std::string_view type;
  JsonView text, thinking, content, input, id, use_id, name, source, error;
  for (const JsonItem& item : json.fields()) {
    const std::string_view key = plain(item.raw_key);
    if (key == "type")
      type = word(item.value);
    else if (key == "text")
      text = item.value;
    else if (key == "thinking")
      thinking = item.value;
    else if (key == "content")
      content = item.value;
    else if (key == "input")
      input = item.value;
    else if (key == "id")
      id = item.value;
    else if (key == "tool_use_id")
      use_id = item.value;
    else if (key == "name")
      name = item.value;
    else if (key == "source")
      source = item.value;
    else if (key == "is_error")
      error = item.value;
  }
  if (type == "text" && text) {
    block.text = text_of(text);
  } else if (type == "thinking" && thinking) {
    block.kind = BlockKind::thinking;
    block.text = text_of(thinking);
  } else if (type == "tool_use") {
    block.kind = BlockKind::tool_call;
    block.id = text_of(id);
    block.name = text_of(name);
    block.json = input ? std::string(input.raw()) : "{}";
  } else if (type == "tool_result") {
    block.kind = BlockKind::tool_result;
    block.id = text_of(use_id);
    block.is_error = error.as_bool().value_or(false);
    block.text = output_of(content);
  } else if (type == "image") {
    block.kind = BlockKind::image;
    block.media_type = text_of(source.find("media_type"));
  } else {
    block.kind = BlockKind::other;
    block.json = json.raw();
  }
  return block;
}

void read_content(JsonView content, std::vector<Block>& blocks) {
  if (content.kind() == JsonKind::string) {
    blocks.push_back({.kind = BlockKind::text, .text = text_of(content)});
    return;
  }
  for (const JsonItem& item : content.elements()) blocks.push_back(read_block(item.value));
}

// OpenAI's shape beside the blocks; calls that stand there already are not repeated.
void read_tool_calls(JsonView calls, std::vector<Block>& blocks) {
  for (const JsonItem& item : calls.elements()) {
    Block block;
    block.kind = BlockKind::tool_call;
    block.id = text_of(item.value.find("id"));
    bool known = false;
    for (const Block& other : blocks) known = known || (other.kind == BlockKind::tool_call && other.id == block.id);
    if (known) continue;
    const JsonView function = item.value.find("function");
    block.name = text_of(function.find("name"));
    const JsonView arguments = function.find("arguments");
    std::string text = text_of(arguments);
    block.json = check_json(text).ok() ? std::move(text) : std::string(arguments.raw());
    blocks.push_back(std::move(block));
  }
}

void read_inner(JsonView inner, Message& message) {
  JsonView calls;
  for (const JsonItem& item : inner.fields()) {
    const std::string_view key = plain(item.raw_key);
    if (key == "content")
      read_content(item.value, message.blocks);
    else if (key == "tool_calls")
      calls = item.value;
    else if (key == "id")
      message.response = text_of(item.value);
    else if (key == "model" && message.model.empty())
      message.model = text_of(item.value);
    else if (key == "usage" && !message.usage)
      message.usage = read_usage(item.value);
    else if (key == "stop_reason" && message.stop_reason.empty())
      message.stop_reason = text_of(item.value);
  }
  if (calls) read_tool_calls(calls, message.blocks);
}

void show_whole(std::string_view line, Message& message) {
  message.role = Role::system;
  message.origin = Origin::notice;
  message.blocks.assign(1, {.kind = BlockKind::other, .json = std::string(line)});
}

bool has(const Message& message, BlockKind kind) {
  for (const Block& block : message.blocks) {
    if (block.kind == kind) return true;
  }
  return false;
}

struct Marks {
  std::string_view type, subtype, origin;
  bool meta = false, summary = false, sub_agent = false;
  JsonView inner, usage, content, result, skill, tool_id, tool_name;
  bool is_error = false;
};

void read_user(const Marks& marks, Message& message) {
  read_inner(marks.inner, message);
  message.usage.reset();
  const bool results = has(message, BlockKind::tool_result);
  message.role = results ? Role::tool : Role::user;
  message.origin = marks.summary ? Origin::summary
                   : results     ? Origin::tool
                   : marks.meta  ? Origin::injected
                                 : Origin::typed;
}

void read_assistant(const Marks& marks, Message& message) {
  message.role = Role::assistant;
  message.usage = read_usage(marks.usage);
  read_inner(marks.inner, message);
  const bool told = message.blocks.size() == 1 && message.blocks[0].text.starts_with(kSummaryPrefix);
  message.origin = marks.summary || told ? Origin::summary : Origin::model;
}

void read_tool(const Marks& marks, Message& message) {
  message.role = Role::tool;
  message.origin = Origin::tool;
  Block block{.kind = BlockKind::tool_result, .text = text_or_raw(marks.result), .id = text_of(marks.tool_id)};
  block.name = text_of(marks.tool_name);
  block.is_error = marks.is_error;
  message.blocks.push_back(std::move(block));
}

// False: not one of those with a text.
bool read_system(const Marks& marks, Message& message) {
  message.role = Role::system;
  message.origin = Origin::notice;
  if (marks.subtype == "skill" && marks.skill) {
    message.origin = Origin::injected;
    message.blocks.push_back({.kind = BlockKind::text, .text = text_of(marks.skill)});
    return true;
  }
  if (marks.content.kind() != JsonKind::string || marks.subtype == "compact_boundary") return false;
  message.blocks.push_back({.kind = BlockKind::text, .text = text_of(marks.content)});
  return true;
}

}  // namespace

ReadLine read_line(std::string_view line) {
  ReadLine read;
  Message& message = read.message;
  Marks marks;
  for (const JsonItem& item : JsonView(line).fields()) {
    const std::string_view key = plain(item.raw_key);
    const JsonView value = item.value;
    if (key == "type")
      marks.type = word(value);
    else if (key == "uuid")
      message.id = text_of(value);
    else if (key == "session_id" || key == "sessionId")
      read.session_id = value.raw();
    else if (key == "message")
      marks.inner = value;
    else if (key == "parent_tool_use_id")
      marks.sub_agent = marks.sub_agent || value.kind() == JsonKind::string;
    else if (key == "timestamp")
      message.timestamp = time_of(value);
    else if (key == "parentUuid") {
      read.says_parent = true;
      message.parent = text_of(value);
    } else if (key == "model")
      message.model = text_of(value);
    else if (key == "usage")
      marks.usage = value;
    else if (key == "stop_reason" || key == "stopReason")
      message.stop_reason = text_of(value);
    else if (key == "subtype")
      marks.subtype = word(value);
    else if (key == "tool_use_id")
      marks.tool_id = value;
    else if (key == "tool_name")
      marks.tool_name = value;
    else if (key == "result")
      marks.result = value;
    else if (key == "is_error")
      marks.is_error = value.as_bool().value_or(false);
    else if (key == "content")
      marks.content = value;
    else if (key == "skill_content")
      marks.skill = value;
    else if (key == "cwd")
      message.context.cwd = text_of(value);
    else if (key == "gitBranch")
      message.context.git_branch = text_of(value);
    else if (key == "permissionMode")
      message.context.permission_mode = text_of(value);
    else if (key == "version")
      message.context.version = text_of(value);
    else if (key == "userType")
      message.context.user_type = text_of(value);
    else if (key == "agentId")
      message.agent = text_of(value);
    else if (key == "leafUuid")
      read.leaf = text_of(value);
    else if (key == "isMeta")
      marks.meta = value.as_bool().value_or(false);
    else if (key == "isCompactSummary")
      marks.summary = value.as_bool().value_or(false);
    else if (key == "isSidechain")
      marks.sub_agent = marks.sub_agent || value.as_bool().value_or(false);
    else if (key == "isApiErrorMessage")
      message.failed = value.as_bool().value_or(false);
    else if (key == "origin")
      marks.origin = word(value);
    else if (key == "costUSD" && value.kind() == JsonKind::number)
      message.cost = value.raw();
  }
  if (marks.type == "session_header") {
    read.kind = LineKind::header;
    return read;
  }
  if (marks.type == "system" && marks.subtype == "leaf" && !read.leaf.empty()) {
    read.kind = LineKind::leaf;
    return read;
  }
  message.side = marks.sub_agent;
  if (marks.type == "user" && marks.inner)
    read_user(marks, message);
  else if (marks.type == "assistant" && marks.inner)
    read_assistant(marks, message);
  else if (marks.type == "tool_result")
    read_tool(marks, message);
  else if (marks.type != "system" || !read_system(marks, message))
    show_whole(line, message);
  if (const auto origin = origin_of(marks.origin)) message.origin = *origin;
  // What follows a boundary is the active conversation, whoever wrote it.
  if (marks.subtype == "compact_boundary" && marks.type == "system") read.says_parent = true;
  return read;
}

}  // namespace holdfast::inline v1::open_agent
