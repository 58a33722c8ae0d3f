#include "layout/opencode/message_row.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "layout/encoded_size.h"
#include "layout/json_pick.h"
#include "layout/opencode/lost_messages.h"
#include "layout/table_salvager.h"
#include "layout/unknown_content.h"
#include "text/json_text.h"

namespace holdfast::inline v1::opencode {
namespace {

// The parts of one message, grouped by what they are.
struct Parts {
  std::vector<Block> blocks;     // of the message itself
  std::vector<Block> synthetic;  // text that opencode added to a prompt
  std::vector<Block> results;
  std::string result_id, result_time;
  bool running = false;
  bool said = false;       // has a text part that opencode did not add
  std::size_t orders = 0;  // of `blocks`: commands to opencode itself
};

// The members of a part other than its text or its state.
constexpr auto kPartMembers = std::to_array<std::string_view>(
    {"id", "sessionID", "messageID", "type", "synthetic", "ignored", "time", "metadata", "tool", "callID"});

// The members of a message, none of which is its content.
constexpr auto kRowMembers = std::to_array<std::string_view>(
    {"id",   "sessionID", "role",   "time",  "parentID", "agent", "mode",   "model",   "modelID", "providerID", "path",
     "cost", "tokens",    "finish", "error", "summary",  "tools", "system", "variant", "format",  "snapshot"});

bool is_said(JsonView value) { return value && !value.is_null(); }

// Its bytes are in the address.
Block image_part(std::string media_type, JsonView part) {
  Block image{.kind = BlockKind::image, .media_type = std::move(media_type)};
  image.bytes = encoded_size(part.find("url"));
  return image;
}

// The members of a call's state.
constexpr auto kStateMembers =
    std::to_array<std::string_view>({"status", "input", "output", "metadata", "time", "title", "attachments", "raw"});

// tool{callID,tool,state{status,input,output|error,metadata{outputPath},time{end},attachments[{mime,url}]}}
void take_tool(const MessageRow::Part& part, JsonView call, JsonView tool, JsonView state, Parts& parts) {
  const auto [status, input, output, error, metadata, time, attachments] =
      pick<7>(state, {"status", "input", "output", "error", "metadata", "time", "attachments"});
  parts.blocks.push_back({.kind = BlockKind::tool_call,
                          .id = text_of(call),
                          .name = text_of(tool),
                          .json = input_or_others(input, state, kStateMembers, "null")});
  if (state.kind() != JsonKind::object) append_unknown(state, parts.blocks);
  // A call that has an output is answered, whatever its status is called.
  const bool completed = status.is_string("completed");
  const bool failed = status.is_string("error") || (!completed && is_said(error) && !is_said(output));
  const bool under_way = !status || status.is_string("pending") || status.is_string("running");
  const JsonView said = failed ? error : output;
  Block result{.kind = BlockKind::tool_result, .text = tool_output_text(said), .id = text_of(call)};
  if (!is_said(said) && !under_way) result.text = output_or_object({}, state, kStateMembers);
  if (!completed && !failed && !is_said(said) && result.text.empty()) {
    parts.running = true;
    return;
  }
  parts.running = parts.running || under_way;
  result.is_error = failed;
  const std::string path = text_of(metadata.find("outputPath"));
  if (const std::size_t slash = path.rfind('/'); slash != std::string::npos && slash + 1 < path.size()) {
    result.spilled = "tool-output" + path.substr(slash);
  }
  parts.results.push_back(std::move(result));
  for (const JsonItem& item : attachments.elements()) {
    if (std::string mime = text_of(item.value.find("mime")); mime.starts_with("image/"))
      parts.results.push_back(image_part(std::move(mime), item.value));
    else
      append_unknown(item.value, parts.results);
  }
  append_unless_list(attachments, parts.results);
  if (parts.result_id.empty()) parts.result_id = part.id;
  if (std::string end = written_time(time.find("end")); !end.empty()) parts.result_time = std::move(end);
}

// A part of an unknown type, or a file. It has a text even if no words are in it: what is attached may be only bytes.
Block other_part(JsonView part, std::string_view kind, JsonView mime) {
  Block block = unknown_block(part);
  if (block.text.empty() && kind == "file") block.text = text_of(mime);
  return block;
}

// Shows data that is not JSON as text.
Block broken_row(const std::string& data) {
  return {.kind = BlockKind::other, .text = data, .json = json_quoted(data)};
}

bool is_broken(const std::string& data) {
  const std::string_view fault = row_fault(data);
  return !fault.empty() && fault != "bad_utf8";
}

void take_part(const MessageRow::Part& part, Parts& parts) {
  if (is_broken(part.data)) {
    if (!part.data.empty()) parts.blocks.push_back(broken_row(part.data));
    return;
  }
  const JsonView json(part.data);
  const auto [type, text, synthetic, tool, call, state, mime] =
      pick<7>(json, {"type", "text", "synthetic", "tool", "callID", "state", "mime"});
  const std::string kind = text_of(type);
  auto& into = synthetic.as_bool() == true ? parts.synthetic : parts.blocks;
  if (kind == "text") {
    append_unknown(text, into);
    if (!text) append_renamed(json, kPartMembers, into);
    parts.said = parts.said || &into == &parts.blocks;
  } else if (kind == "reasoning") {
    append_unknown(text, parts.blocks, BlockKind::thinking);
    if (!text) append_renamed(json, kPartMembers, parts.blocks);
  } else if (kind == "tool") {
    take_tool(part, call, tool, state, parts);
    if (!state) append_renamed(json, kPartMembers, parts.blocks);
  } else if (kind == "file" && text_of(mime).starts_with("image/")) {
    parts.blocks.push_back(image_part(text_of(mime), json));
  } else if (kind != "step-start" && kind != "step-finish" && kind != "snapshot" && kind != "patch") {
    const bool order = kind == "compaction" || kind == "subtask";
    if (order) ++parts.orders;
    (order ? parts.blocks : into).push_back(other_part(json, kind, mime));
  }
}

// The content of a message whose parts have none: a version may keep it in the row itself.
void take_row_content(const MessageRow& row, JsonView data, Parts& parts) {
  if (!parts.blocks.empty()) return;
  const JsonView text = data.find("text");
  append_unknown(text, parts.blocks);
  if (!text && row.parts.empty()) append_renamed(data, kRowMembers, parts.blocks);
  parts.said = parts.said || is_said(text);
}

// Whether the parts show that the model spoke.
bool is_answer(const MessageRow& row) {
  return std::ranges::any_of(row.parts, [](const MessageRow::Part& part) { return is_of_answer(part.data); });
}

// For a row of which only the parts can be read.
std::string made_data(const MessageRow& row) {
  if (row.parts.empty()) return "{}";
  if (!is_answer(row)) return R"({"role":"user"})";
  return R"({"role":"assistant","time":{"created":)" + row.time + R"(,"completed":)" + row.time + "}}";
}

// opencode's input excludes tokens from the cache; its output excludes reasoning.
Usage read_tokens(JsonView tokens) {
  const auto [input, output, reasoning, cache] = pick<4>(tokens, {"input", "output", "reasoning", "cache"});
  const auto [read, write] = pick<2>(cache, {"read", "write"});
  return {.input = count_of(input),
          .output = count_of(output),
          .cache_read = count_of(read),
          .cache_write = count_of(write),
          .reasoning = count_of(reasoning),
          .reasoning_apart = count_of(reasoning)};
}

Message start(const MessageRow& row, Role role, Origin origin) {
  Message message;
  message.id = row.id;
  message.role = role;
  message.origin = origin;
  message.timestamp = row.time;
  return message;
}

void tell_prompt(const MessageRow& row, JsonView model, Parts parts, Told& told) {
  const bool injected = parts.blocks.empty() && !parts.synthetic.empty();
  const bool command = parts.orders > 0 && parts.orders == parts.blocks.size();
  Message message = start(row, Role::user, injected ? Origin::injected : command ? Origin::command : Origin::typed);
  message.model = text_of(model.find("modelID"));
  message.blocks = injected ? std::move(parts.synthetic) : std::move(parts.blocks);
  told.messages.push_back(std::move(message));
  if (!injected && !parts.synthetic.empty()) {
    Message added = start(row, Role::user, Origin::injected);
    added.id.clear();
    added.blocks = std::move(parts.synthetic);
    told.messages.push_back(std::move(added));
  }
  told.end = RowEnd::wants_answer;
}

void tell_answer(const MessageRow& row, JsonView data, Parts parts, Told& told) {
  const auto [model, tokens, cost, finish, error, time, path] =
      pick<7>(data, {"modelID", "tokens", "cost", "finish", "error", "time", "path"});
  const auto [created, completed] = pick<2>(time, {"created", "completed"});
  Message message = start(row, Role::assistant, Origin::model);
  message.model = text_of(model);
  message.stop_reason = text_of(finish);
  message.failed = error && !error.is_null();
  if (tokens.kind() == JsonKind::object) message.usage = read_tokens(tokens);
  if (cost.kind() == JsonKind::number) message.cost = cost.raw();
  message.context.cwd = text_of(path.find("cwd"));
  // Forks copy a row under a new id, but its times stay the same and identify the response.
  const std::string began = written_time(created), stopped = written_time(completed);
  if (!began.empty() && !stopped.empty()) ((message.response = began) += '/') += stopped;
  message.blocks = std::move(parts.blocks);
  std::ranges::move(parts.synthetic, std::back_inserter(message.blocks));
  if (message.failed) {
    std::string said = text_of(error.find("data").find("message"));
    if (said.empty()) said = text_of(error.find("name"));
    if (said.empty())
      append_unknown(error, message.blocks);
    else
      message.blocks.push_back({.kind = BlockKind::text, .text = std::move(said)});
  }
  const bool ended = message.failed || !stopped.empty();
  told.end = ended ? (finish.is_string("tool-calls") ? RowEnd::wants_answer : RowEnd::done)
                   : (parts.running ? RowEnd::running_tool : RowEnd::answering);
  told.messages.push_back(std::move(message));
  if (parts.results.empty()) return;
  Message results = start(row, Role::tool, Origin::tool);
  results.id = parts.result_id;
  if (!parts.result_time.empty()) results.timestamp = parts.result_time;
  results.blocks = std::move(parts.results);
  told.messages.push_back(std::move(results));
}

// A row of an unknown role that is no answer. A text is shown, whoever said it.
void tell_other(const MessageRow& row, JsonView data, Parts parts, Told& told) {
  Message message = start(row, parts.said ? Role::user : Role::system, Origin::notice);
  message.blocks = std::move(parts.blocks);
  std::ranges::move(parts.synthetic, std::back_inserter(message.blocks));
  if (message.blocks.empty()) message.blocks.push_back(unknown_block(data));
  told.messages.push_back(std::move(message));
}

}  // namespace

Told convert_row(const MessageRow& row, bool raw) {
  Told told;
  Parts parts;
  for (const MessageRow::Part& part : row.parts) take_part(part, parts);
  const bool broken = is_broken(row.data);
  if (broken && !row.data.empty()) parts.blocks.push_back(broken_row(row.data));
  const std::string made = broken ? made_data(row) : std::string();
  const JsonView data(broken ? made : row.data);
  const auto [role, model] = pick<2>(data, {"role", "model"});
  const bool prompt = role.is_string("user");
  take_row_content(row, data, parts);
  if (role.is_string("assistant") || (!prompt && is_answer(row))) {
    tell_answer(row, data, std::move(parts), told);
  } else if (prompt) {
    tell_prompt(row, model, std::move(parts), told);
  } else {
    tell_other(row, data, std::move(parts), told);
  }
  if (raw) {
    std::string all = row.data;
    for (const MessageRow::Part& part : row.parts) (all += '\n') += part.data;
    for (Message& message : told.messages) message.raw = all;
  }
  return told;
}

}  // namespace holdfast::inline v1::opencode
