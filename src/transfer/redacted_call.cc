#include "transfer/redacted_call.h"

#include <algorithm>

#include "base/ascii.h"
#include "text/json_value.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kLongestCommand = 200;
constexpr std::size_t kLinesCompared = 200;  // lines of withheld text that are compared with a result
constexpr std::size_t kShortestEcho = 4;     // shorter lines occur everywhere

enum class Telling { nothing, first_line, items, all };

// How much of each common argument is sent (docs/formats/tools.md).
Telling telling_of(Tool tool, std::string_view common) {
  if (tool == Tool::shell && common == "command") return Telling::first_line;  // what follows is usually a file
  if (tool == Tool::write && common == "content") return Telling::nothing;
  if (tool == Tool::edit && (common == "old" || common == "new")) return Telling::nothing;
  if (tool == Tool::todo && common == "items") return Telling::items;
  return common.empty() ? Telling::nothing : Telling::all;
}

// The end of the first line, whatever a terminal or a shell takes for one.
std::size_t line_end(std::string_view text) {
  std::size_t end = std::min(text.find_first_of("\n\r\v\f"), text.size());
  for (const std::string_view breaks : {"\xc2\x85", "\xe2\x80\xa8", "\xe2\x80\xa9"})
    end = std::min(end, text.substr(0, end).find(breaks));
  return std::min(end, text.size());
}

std::string cut_command(const std::string& command) {
  std::size_t end = line_end(command);
  if (end > kLongestCommand) {
    end = kLongestCommand;
    while (end > 0 && (static_cast<unsigned char>(command[end]) & 0xc0U) == 0x80U) --end;
  }
  return end == command.size() ? command : command.substr(0, end) + " " + std::string(kLeftOut);
}

class ToldArguments {
 public:
  explicit ToldArguments(RedactedCall& call) : call_(call) {}

  // `item`: the name of the text of an item, for items.
  void write(JsonWriter& json, JsonView value, Telling telling, std::string_view item = {}) {
    const JsonKind kind = value.kind();
    const bool is_scalar = kind != JsonKind::string && kind != JsonKind::object && kind != JsonKind::array;
    if (is_scalar || (telling == Telling::all && kind == JsonKind::string)) {
      json.raw(value.raw());
    } else if ((telling == Telling::all || telling == Telling::items) && kind == JsonKind::array) {
      json.begin_array();
      for (const JsonItem& one : value.elements()) write_item(json, one.value, telling, item);
      json.end_array();
    } else if (telling == Telling::first_line && kind == JsonKind::string) {
      const std::string command = value.as_string().value_or("");
      const std::string told = cut_command(command);
      if (told != command) call_.left_out.push_back(command);
      json.string(told);
    } else if (telling == Telling::first_line && kind == JsonKind::array) {
      json.begin_array();
      for (const JsonItem& word : value.elements()) write(json, word.value, telling);
      json.end_array();
    } else {
      note(value);
      json.string(kLeftOut);
    }
  }

 private:
  void write_item(JsonWriter& json, JsonView value, Telling telling, std::string_view item) {
    if (telling != Telling::items || value.kind() != JsonKind::object) return write(json, value, Telling::all);
    json.begin_object();
    for (const JsonItem& field : value.fields()) {
      const std::string name = field.key();
      json.key(name);
      write(json, field.value, name == item || name == "status" ? Telling::all : Telling::nothing);
    }
    json.end_object();
  }

  void note(JsonView value) {
    if (value.kind() == JsonKind::string) call_.left_out.push_back(value.as_string().value_or(""));
    for (const JsonItem& item : value.kind() == JsonKind::object ? value.fields() : value.elements()) note(item.value);
  }

  RedactedCall& call_;
};

// Judges a tool that no table knows by its name: MultiEdit, apply_patch, mcp__files__write_file.
bool writes_files(std::string_view name) {
  const std::string lower = in_lower_case(name);
  return lower.contains("write") || lower.contains("edit") || lower.contains("patch");
}

// Also finds an older tool of the same name: the first argument tells them apart.
const ToolName* tool_called(std::span<const ToolName> tools, std::string_view name, JsonView input) {
  const auto found = std::ranges::find_if(
      tools, [&](const ToolName& one) { return one.name == name && input.find(one.arguments[0].own); });
  return found == tools.end() ? nullptr : &*found;
}

}  // namespace

RedactedCall redacted_call(std::span<const ToolName> tools, std::string_view name, std::string_view json) {
  RedactedCall call;
  const JsonView input(json);
  JsonWriter writer;
  ToldArguments told(call);
  if (writes_files(name)) call.tool = Tool::edit;
  if (input.kind() != JsonKind::object) {
    told.write(writer, input, Telling::nothing);
    call.json = writer.take();
    return call;
  }
  const ToolName* const tool = tool_called(tools, name, input);
  if (tool != nullptr) call.tool = tool->tool;
  writer.begin_object();
  for (const JsonItem& field : input.fields()) {
    const std::string own = field.key();
    std::string_view common, item;
    if (tool != nullptr) {
      for (const ToolArgument& argument : tool->arguments)
        if (!own.empty() && argument.own == own) {
          common = argument.common;
          item = argument.item;
        }
    }
    writer.key(own);
    told.write(writer, field.value, tool == nullptr ? Telling::nothing : telling_of(tool->tool, common), item);
  }
  call.json = writer.end_object().take();
  return call;
}

bool may_send_result(const RedactedCall& call, std::string_view result) {
  // Agents show the surroundings of a change.
  if (call.tool == Tool::write || call.tool == Tool::edit) return false;
  std::size_t compared = 0;
  for (const std::string& text : call.left_out) {
    std::string_view rest = text;
    while (!rest.empty() && compared < kLinesCompared) {
      const std::size_t end = line_end(rest);
      std::string_view line = rest.substr(0, end);
      rest.remove_prefix(std::min(end + 1, rest.size()));
      while (!line.empty() && static_cast<unsigned char>(line.front()) <= ' ') line.remove_prefix(1);
      while (!line.empty() && static_cast<unsigned char>(line.back()) <= ' ') line.remove_suffix(1);
      if (line.size() < kShortestEcho) continue;
      ++compared;
      if (result.contains(line)) return false;
    }
  }
  return true;
}

}  // namespace holdfast::inline v1
