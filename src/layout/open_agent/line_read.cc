// Converts a line to the model; every key is read once.
#include "layout/claude_content.h"
#include "layout/open_agent/line.h"
#include "model/block_read.h"
#include "model/model_json.h"
#include "text/json_cursor.h"
#include "text/json_scan.h"

namespace holdfast::inline v1::open_agent {
namespace {

std::string time_of(JsonCursor& at) { return at.kind() == JsonKind::number ? std::string(at.skip().raw()) : at.text(); }

bool flag(JsonCursor& at) { return at.skip().as_bool().value_or(false); }

// Reads calls in OpenAI's form, except those that the blocks already contain.
void read_tool_calls(JsonView calls, std::vector<Block>& blocks) {
  const auto text_of = [](JsonView value) { return value.as_string().value_or(""); };
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

// The object under "message"; its members other than the content count if the line itself lacks them.
struct Inner {
  std::string model, stop_reason;
  std::optional<Usage> usage;
};

Inner read_inner(JsonCursor& at, Message& message) {
  Inner inner;
  JsonView calls;
  std::string_view key;
  if (!at.enter_object()) {
    at.skip();
    return inner;
  }
  while (at.next_key(key)) {
    if (key == "content")
      read_claude_content(at, message.blocks, {.extras = true});
    else if (key == "tool_calls")
      calls = at.skip();
    else if (key == "id")
      message.response = at.text();
    else if (key == "model")
      inner.model = at.text();
    else if (key == "usage")
      inner.usage = read_claude_usage(at);
    else if (key == "stop_reason")
      inner.stop_reason = at.text();
    else
      at.skip();
  }
  if (calls) read_tool_calls(calls, message.blocks);
  return inner;
}

void show_whole(std::string_view line, JsonView mark, Message& message) {
  message.role = Role::system;
  message.origin = Origin::notice;
  message.blocks.assign(1, {.kind = BlockKind::other, .json = std::string(mark ? mark.raw() : line)});
}

bool has(const Message& message, BlockKind kind) {
  for (const Block& block : message.blocks) {
    if (block.kind == kind) return true;
  }
  return false;
}

struct Marks {
  std::string_view type, subtype, origin, role;
  bool meta = false, summary = false, sub_agent = false;
  bool has_inner = false, has_content = false, has_skill = false;
  Inner inner;
  std::optional<Usage> usage;
  std::string content, skill;
  std::vector<Block> blocks;  // of a notice that is more than a text
  Block result;               // of a tool
  JsonView mark;              // as given, if the line says less
};

void read_user(const Marks& marks, Message& message) {
  const bool results = has(message, BlockKind::tool_result) && marks.role != "user";
  message.role = results ? Role::tool : Role::user;
  message.origin = marks.summary ? Origin::summary
                   : results     ? Origin::tool
                   : marks.meta  ? Origin::injected
                                 : Origin::typed;
}

void read_assistant(Marks& marks, Message& message) {
  message.role = Role::assistant;
  message.usage = marks.usage ? marks.usage : marks.inner.usage;
  if (message.model.empty()) message.model = std::move(marks.inner.model);
  if (message.stop_reason.empty()) message.stop_reason = std::move(marks.inner.stop_reason);
  const bool told = message.blocks.size() == 1 && message.blocks[0].text.starts_with(kSummaryPrefix);
  message.origin = marks.summary || told ? Origin::summary : Origin::model;
}

void read_tool(Marks& marks, Message& message) {
  message.role = Role::tool;
  message.origin = Origin::tool;
  marks.result.kind = BlockKind::tool_result;
  message.blocks.clear();
  message.blocks.push_back(std::move(marks.result));
}

// Returns false if the record has no text, or is a boundary.
bool read_system(Marks& marks, Message& message) {
  message.role = Role::system;
  message.origin = Origin::notice;
  if (marks.subtype == "skill" && marks.has_skill) {
    message.origin = Origin::injected;
    message.blocks.push_back({.kind = BlockKind::text, .text = std::move(marks.skill)});
    return true;
  }
  if (!marks.has_content || marks.subtype == "compact_boundary") return false;
  if (!marks.blocks.empty()) {
    message.blocks = std::move(marks.blocks);
    return true;
  }
  message.blocks.push_back({.kind = BlockKind::text, .text = std::move(marks.content)});
  return true;
}

// Returns whether the value is a string; any other value is skipped.
bool take_text(JsonCursor& at, std::string& into) {
  const bool is_text = at.kind() == JsonKind::string;
  into = at.text();
  return is_text;
}

}  // namespace

ReadLine read_line(std::string_view line) {
  ReadLine read;
  Message& message = read.message;
  Marks marks;
  JsonCursor at(line);
  std::string_view key;
  at.enter_object();
  while (at.next_key(key)) {
    if (key == "type")
      marks.type = at.word();
    else if (key == "uuid")
      message.id = at.text();
    else if (key == "session_id" || key == "sessionId")
      read.session_id = at.skip().raw();
    else if (key == "message") {
      marks.has_inner = at.kind() == JsonKind::object;
      marks.inner = read_inner(at, message);
    } else if (key == "parent_tool_use_id")
      marks.sub_agent = at.skip().kind() == JsonKind::string || marks.sub_agent;
    else if (key == "timestamp")
      message.timestamp = time_of(at);
    else if (key == "parentUuid") {
      read.says_parent = true;
      message.parent = at.text();
    } else if (key == "model")
      message.model = at.text();
    else if (key == "usage")
      marks.usage = read_claude_usage(at);
    else if (key == "stop_reason" || key == "stopReason")
      message.stop_reason = at.text();
    else if (key == "subtype")
      marks.subtype = at.word();
    else if (key == "tool_use_id")
      marks.result.id = at.text();
    else if (key == "tool_name")
      marks.result.name = at.text();
    else if (key == "result")
      set_output(at.skip(), marks.result);
    else if (key == "result_extra")
      marks.result.extra = at.skip().raw();
    else if (key == "is_error")
      marks.result.is_error = flag(at);
    else if (key == "content")
      marks.has_content = take_text(at, marks.content);
    else if (key == "blocks" && at.kind() == JsonKind::array)
      read_claude_content(at, marks.blocks, {.extras = true});
    else if (key == "mark")
      marks.mark = at.skip();
    else if (key == "extra" && at.kind() == JsonKind::object)
      message.extra = at.skip().raw();
    else if (key == "skill_content")
      marks.has_skill = take_text(at, marks.skill);
    else if (key == "cwd")
      message.context.cwd = at.text();
    else if (key == "gitBranch")
      message.context.git_branch = at.text();
    else if (key == "permissionMode")
      message.context.permission_mode = at.text();
    else if (key == "version")
      message.context.version = at.text();
    else if (key == "userType")
      message.context.user_type = at.text();
    else if (key == "agentId")
      message.agent = at.text();
    else if (key == "leafUuid")
      read.leaf = at.text();
    else if (key == "isBranch")
      read.branches = flag(at);
    else if (key == "isMeta")
      marks.meta = flag(at);
    else if (key == "isCompactSummary")
      marks.summary = flag(at);
    else if (key == "isSidechain")
      marks.sub_agent = flag(at) || marks.sub_agent;
    else if (key == "isApiErrorMessage")
      message.failed = flag(at);
    else if (key == "origin")
      marks.origin = at.word();
    else if (key == "role")
      marks.role = at.word();
    else if (key == "costUSD" && at.kind() == JsonKind::number)
      message.cost = at.skip().raw();
    else
      at.skip();
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
  if (marks.type == "user" && marks.has_inner)
    read_user(marks, message);
  else if (marks.type == "assistant" && marks.has_inner)
    read_assistant(marks, message);
  else if (marks.type == "tool_result")
    read_tool(marks, message);
  else if (marks.type != "system" || !read_system(marks, message))
    show_whole(line, marks.mark, message);
  if (const auto origin = origin_of(marks.origin)) message.origin = *origin;
  // What follows a boundary is the active conversation, no matter who wrote it.
  if (marks.subtype == "compact_boundary" && marks.type == "system") read.says_parent = true;
  return read;
}

}  // namespace holdfast::inline v1::open_agent
