#include "model/chat_completions.h"

#include <algorithm>
#include <array>

#include "model/block_read.h"
#include "text/json_copy.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {
namespace {

// The object of a call in which OpenAI puts its name and its arguments; empty if the call has them itself.
std::string_view object_within(JsonView call) {
  for (const std::string_view name : {"custom", "function"})
    if (call.find(name).kind() == JsonKind::object) return name;
  return {};
}

// Whether the type says no more than that this is a call. Another one stays in extra.
bool is_usual_type(JsonView type, std::string_view within) {
  if (!within.empty()) return type.is_string(within);
  return type.is_string("tool_call") || type.is_string("function_call");
}

void read_input(Members& said, Block& block, Members::More& more) {
  for (const std::string_view name : {"arguments", "args", "input"}) {
    if (!said.has(name)) continue;
    if (said.look(name).kind() == JsonKind::string && name != "input")
      set_arguments(said.text(name), block, more);
    else
      block.json = said.json(name);
    return;
  }
  block.json = "{}";
}

void read_call(Members& given, JsonView json, const std::string& where, std::string_view within, Message& message) {
  Members call(json, where);
  Members inner(within.empty() ? JsonView("{}") : call.take(within), call.path(within));
  Members& said = within.empty() ? call : inner;
  Members::More more;
  Block block{.kind = BlockKind::tool_call};
  for (Members* const one : {&call, &inner})
    if (block.id.empty()) block.id = one->nonempty_text(one->either("call_id", "id"));
  block.name = said.text("name");
  read_input(said, block, more);
  if (!more.empty())
    for (Members* const one : {&call, &inner}) one->take("arguments");  // null
  if (is_usual_type(call.look("type"), within)) call.take("type");
  // An empty object still tells a custom tool from a function.
  if (const std::string rest = inner.rest({}, false); !rest.empty() || within == "custom")
    more.emplace_back(within, rest.empty() ? "{}" : rest);
  block.extra = call.rest(more, false);
  given.take_over(inner.check());
  given.take_over(call.check());
  message.blocks.push_back(std::move(block));
}

// An element that names no tool, or has arguments in two places, is kept verbatim.
void read_chat_call(Members& given, JsonView call, const std::string& where, Message& message) {
  const std::string_view within = object_within(call);
  const JsonView said = within.empty() ? call : call.find(within);
  const JsonView beside = within.empty() ? JsonView() : call.find("arguments");
  if (said.find("name").kind() == JsonKind::string && (!beside || beside.is_null()))
    read_call(given, call, where, within, message);
  else
    message.blocks.push_back({.kind = BlockKind::other, .json = compact_json(call)});
}

}  // namespace

void read_chat_calls(Members& given, Message& message) {
  if (message.role != Role::assistant) return;
  // Libraries repeat the calls of the content there.
  if (std::ranges::find(message.blocks, BlockKind::tool_call, &Block::kind) != message.blocks.end()) return;
  const JsonView calls = given.look("tool_calls");
  if (calls.kind() == JsonKind::array && calls.raw() != "[]") {
    std::size_t number = 0;
    for (const JsonItem& call : given.array("tool_calls").elements())
      read_chat_call(given, call.value, given.path("tool_calls") + "[" + std::to_string(number++) + "]", message);
  }
  if (given.look("function_call").kind() == JsonKind::object)
    read_chat_call(given, given.take("function_call"), given.path("function_call"), message);
  for (const std::string_view instead : {"refusal", "audio"}) {
    if (!message.blocks.empty() || !given.has(instead)) continue;
    JsonWriter json;
    json.begin_object().key("type").string(instead).key(instead).raw(compact_json(given.take(instead))).end_object();
    message.blocks.push_back({.kind = BlockKind::other, .json = json.take()});
  }
}

}  // namespace holdfast::inline v1
