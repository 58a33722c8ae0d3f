#include "model/chat_completions.h"

#include <algorithm>
#include <array>

#include "model/block_read.h"
#include "text/json_copy.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {
namespace {

// The members of `object` whose names are not in `without`.
void copy_others(JsonWriter& json, JsonView object, std::initializer_list<std::string_view> without) {
  for (const JsonItem& item : object.fields()) {
    const std::string name = item.key();
    if (std::ranges::find(without, name) == without.end()) json.key(name).raw(item.value.raw());
  }
}

JsonView first_of(JsonView object, std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names)
    if (const JsonView value = object.find(name)) return value;
  return {};
}

// The call as a block that read_input_block knows; empty if it has another form. `call` may have the name and the
// arguments in an object of its own, as OpenAI does.
std::string as_known_block(JsonView call) {
  std::string_view inner;
  for (const std::string_view name : {"function", "custom"})
    if (call.find(name).kind() == JsonKind::object) inner = name;
  const JsonView said = inner.empty() ? call : call.find(inner);
  const JsonView name = said.find("name");
  if (name.kind() != JsonKind::string) return {};
  const JsonView input = first_of(said, {"arguments", "args", "input"});
  const bool arguments = input.kind() == JsonKind::string && inner != "custom";
  JsonWriter json;
  json.begin_object().key("type").string(arguments ? "function_call" : "tool_call");
  if (const JsonView id = call.find("id")) json.key(arguments ? "call_id" : "id").raw(id.raw());
  json.key("name").raw(name.raw());
  if (input) json.key(arguments ? "arguments" : "input").raw(input.raw());
  JsonWriter more;
  more.begin_object();
  const std::size_t nothing = more.text().size();
  copy_others(inner.empty() ? json : more, said, {"id", "type", "name", "arguments", "args", "input"});
  // An empty object still tells a custom tool from a function.
  if (!inner.empty() && (inner == "custom" || more.text().size() != nothing))
    json.key(inner).raw(more.end_object().take());
  if (!inner.empty()) copy_others(json, call, {"id", "type", inner});
  return json.end_object().take();
}

void read_chat_call(Members& given, JsonView call, std::string where, Message& message) {
  if (const std::string block = as_known_block(call); !block.empty())
    given.take_over(
        read_input_block(JsonView(block), std::move(where), message.role, UnknownBlocks::keep, message.blocks));
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
