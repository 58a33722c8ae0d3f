#include "transfer/redacted_call.h"

#include <algorithm>

#include "base/ascii.h"
#include "text/json_value.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kLongestCommand = 200;
constexpr std::size_t kShortestEcho = 4;  // shorter lines occur everywhere
constexpr std::size_t kLongestEcho = 64;

enum class Telling { nothing, first_line, items, all };

// How much of each common argument is sent (docs/formats/tools.md).
Telling telling_of(Tool tool, std::string_view common) {
  if (tool == Tool::shell && common == "command") return Telling::first_line;  // what follows is usually a file
  if (tool == Tool::write && common == "content") return Telling::nothing;
  if (tool == Tool::edit && (common == "old" || common == "new")) return Telling::nothing;
  if (tool == Tool::todo && common == "items") return Telling::items;
  return common.empty() ? Telling::nothing : Telling::all;
}

// Takes the first line from the text, with its end, whatever a terminal or a shell takes for one.
std::string_view take_line(std::string_view& text) {
  std::size_t end = std::min(text.find_first_of("\n\r\v\f"), text.size()), length = 1;
  for (const std::string_view ends : {"\xc2\x85", "\xe2\x80\xa8", "\xe2\x80\xa9"}) {
    const std::size_t found = text.substr(0, end).find(ends);
    if (found == std::string_view::npos) continue;
    end = found;
    length = ends.size();
  }
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + length, text.size()));
  return line;
}

class ToldArguments {
 public:
  ToldArguments(RedactedCall& call, KnownPlaces places) : call_(call), places_(places) {}

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
      json.string(first_line(value.as_string().value_or("")));
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
  std::string first_line(const std::string& command) {
    std::string_view rest = command;
    const std::string_view line = take_line(rest);
    std::string told = without_paths(line, places_);
    if (line.size() == command.size() && told.size() <= kLongestCommand) return told;
    call_.left_out.push_back(command);
    std::size_t end = std::min(told.size(), kLongestCommand);
    while (end > 0 && end < told.size() && (static_cast<unsigned char>(told[end]) & 0xc0U) == 0x80U) --end;
    return told.substr(0, end) + " " + std::string(kLeftOut);
  }

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
  KnownPlaces places_;
};

// The beginnings of the lines that were left out, sorted. None begins with another one.
std::vector<std::string_view> echoes_of(const RedactedCall& call) {
  std::vector<std::string_view> all;
  for (std::string_view text : call.left_out) {
    while (!text.empty()) {
      std::string_view line = take_line(text);
      while (!line.empty() && static_cast<unsigned char>(line.front()) <= ' ') line.remove_prefix(1);
      while (!line.empty() && static_cast<unsigned char>(line.back()) <= ' ') line.remove_suffix(1);
      if (line.size() >= kShortestEcho) all.push_back(line.substr(0, kLongestEcho));
    }
  }
  std::ranges::sort(all);
  std::vector<std::string_view> echoes;
  for (const std::string_view line : all)
    if (echoes.empty() || !line.starts_with(echoes.back())) echoes.push_back(line);
  return echoes;
}

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

RedactedCall redacted_call(std::span<const ToolName> tools, std::string_view name, std::string_view json,
                           KnownPlaces places) {
  RedactedCall call;
  const JsonView input(json);
  JsonWriter writer;
  ToldArguments told(call, places);
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
  const std::vector<std::string_view> echoes = echoes_of(call);
  for (std::size_t at = 0; at < result.size() && !echoes.empty(); ++at) {
    const std::string_view rest = result.substr(at, kLongestEcho);
    // Whatever is sorted between a text and its beginning begins with that, too.
    const auto after = std::ranges::upper_bound(echoes, rest);
    if (after != echoes.begin() && rest.starts_with(*std::prev(after))) return false;
  }
  return true;
}

}  // namespace holdfast::inline v1
