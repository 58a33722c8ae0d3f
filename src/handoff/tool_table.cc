#include "handoff/tool_table.h"

#include <algorithm>
#include <set>

#include "layout/layout.h"
#include "text/json_value.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::string_view kItems = "items", kItem = "content";

bool is_plain_word(std::string_view word) {
  return !word.empty() && word.find_first_not_of(
                              "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                              "_./:@%+,=-") == std::string_view::npos;
}

// The command line for a list of words; LINE for ["bash", "-lc", LINE].
std::optional<std::string> command_line(JsonView words) {
  std::vector<std::string> all;
  for (const JsonItem& item : words.elements()) {
    const auto word = item.value.as_string();
    if (!word) return std::nullopt;
    all.push_back(*word);
  }
  if (words.kind() != JsonKind::array || all.empty()) return std::nullopt;
  const std::string shell = all[0].substr(all[0].rfind('/') + 1);
  const bool is_shell = shell == "bash" || shell == "sh" || shell == "zsh";
  if (all.size() == 3 && is_shell && (all[1] == "-lc" || all[1] == "-c")) return all[2];
  std::string line;
  for (const std::string& word : all) {
    line += line.empty() ? "" : " ";
    if (is_plain_word(word)) {
      line += word;
      continue;
    }
    line += '\'';
    for (const char letter : word) line += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
    line += '\'';
  }
  return line;
}

// The objects of a list with one key renamed; unchanged if it is not such a list.
std::string renamed_items(JsonView list, std::string_view from, std::string_view to) {
  if (list.kind() != JsonKind::array || from == to) return std::string(list.raw());
  JsonWriter json;
  json.begin_array();
  for (const JsonItem& item : list.elements()) {
    if (item.value.kind() != JsonKind::object || item.value.find(to)) {
      json.raw(item.value.raw());
      continue;
    }
    json.begin_object();
    for (const JsonItem& field : item.value.fields())
      json.key(field.key_is(from) ? std::string(to) : field.key()).raw(field.value.raw());
    json.end_object();
  }
  return json.end_array().take();
}

void add_patched(std::string_view text, std::vector<std::string>& files) {
  constexpr std::string_view kBegin = "*** Begin Patch", kEnd = "*** End Patch";
  constexpr std::string_view kMarks[] = {"*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: "};
  std::size_t at = text.find(kBegin);
  if (at == std::string_view::npos) return;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(at, end - at);
    at = end + 1;
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.starts_with(kEnd)) return;
    for (const std::string_view mark : kMarks)
      if (line.starts_with(mark) && line.size() > mark.size()) files.emplace_back(line.substr(mark.size()));
  }
}

std::span<const ToolArgument> arguments_of(const ToolName& name) {
  std::size_t count = 0;
  while (count < name.arguments.size() && !name.arguments[count].own.empty()) ++count;
  return std::span(name.arguments).first(count);
}

// The object with its keys renamed and each value converted. nullopt if two fields would get the same name.
template <typename Rename, typename Value>
std::optional<std::string> renamed(JsonView object, const Rename& rename, const Value& value) {
  JsonWriter json;
  json.begin_object();
  std::set<std::string, std::less<>> keys;
  for (const JsonItem& field : object.fields()) {
    const std::string own = field.key();
    const ToolArgument* const argument = rename(own);
    const std::optional<std::pair<std::string, std::string>> told = value(own, argument, field.value);
    if (!told || !keys.insert(told->first).second) return std::nullopt;
    json.key(told->first).raw(told->second);
  }
  return json.end_object().take();
}

using Told = std::optional<std::pair<std::string, std::string>>;

std::optional<CommonCall> by_name(const ToolName& name, JsonView input) {
  const auto arguments = arguments_of(name);
  if (!input.find(arguments[0].own)) return std::nullopt;
  const auto of = [&](std::string_view own) -> const ToolArgument* {
    const auto found = std::ranges::find(arguments, own, &ToolArgument::own);
    return found == arguments.end() ? nullptr : &*found;
  };
  const auto value = [&](const std::string& own, const ToolArgument* argument, JsonView given) -> Told {
    if (argument == nullptr) return std::pair{own, std::string(given.raw())};
    const std::string common(argument->common);
    if (name.words && argument == arguments.data()) {
      const auto line = command_line(given);
      if (!line) return std::nullopt;
      return std::pair{common, JsonWriter().string(*line).take()};
    }
    if (!argument->item.empty()) return std::pair{common, renamed_items(given, argument->item, kItem)};
    return std::pair{common, std::string(given.raw())};
  };
  auto json = renamed(input, of, value);
  if (!json) return std::nullopt;
  return CommonCall{name.tool, std::move(*json)};
}

}  // namespace

std::string_view tool_word(Tool tool) {
  switch (tool) {
    case Tool::shell: return "shell";
    case Tool::read: return "read";
    case Tool::write: return "write";
    case Tool::edit: return "edit";
    case Tool::search: return "search";
    case Tool::find: return "find";
    case Tool::list: return "list";
    case Tool::fetch: return "fetch";
    case Tool::todo: return "todo";
    case Tool::task: return "task";
  }
  return "shell";
}

std::optional<CommonCall> to_common(std::span<const ToolName> names, std::string_view name, std::string_view json) {
  const JsonView input(json);
  if (input.kind() != JsonKind::object) return std::nullopt;
  for (const ToolName& one : names) {
    if (one.name != name) continue;
    if (auto call = by_name(one, input)) return call;
  }
  return std::nullopt;
}

std::optional<CommonCall> to_common_of_any(std::span<const ToolName> names, std::string_view name,
                                           std::string_view json) {
  auto call = to_common(names, name, json);
  for (const Layout* const layout : layouts()) {
    if (call) break;
    call = to_common(layout->tool_names(), name, json);
  }
  return call;
}

std::vector<std::string> patched_files(std::string_view json) {
  std::vector<std::string> files;
  const auto look = [&](JsonView value) {
    if (const auto text = value.as_string()) add_patched(*text, files);
  };
  const JsonView input(json);
  look(input);
  for (const JsonItem& field : input.fields()) {
    look(field.value);
    for (const JsonItem& word : field.value.elements()) look(word.value);
  }
  return files;
}

std::optional<OwnCall> from_common(std::span<const ToolName> names, const CommonCall& call) {
  for (const ToolName& one : names) {
    if (one.tool != call.tool || one.older) continue;
    const auto arguments = arguments_of(one);
    const auto of = [&](std::string_view common) -> const ToolArgument* {
      const auto found = std::ranges::find(arguments, common, &ToolArgument::common);
      return found == arguments.end() ? nullptr : &*found;
    };
    const auto value = [&](const std::string& common, const ToolArgument* argument, JsonView given) -> Told {
      if (argument == nullptr) return std::pair{common, std::string(given.raw())};
      const std::string own(argument->own);
      if (!argument->item.empty() && argument->common == kItems)
        return std::pair{own, renamed_items(given, kItem, argument->item)};
      return std::pair{own, std::string(given.raw())};
    };
    if (auto json = renamed(JsonView(call.json), of, value)) return OwnCall{std::string(one.name), std::move(*json)};
  }
  return std::nullopt;
}

}  // namespace holdfast::inline v1
