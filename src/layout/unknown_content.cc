#include "layout/unknown_content.h"

#include <algorithm>
#include <array>
#include <optional>

#include "layout/json_pick.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {
namespace {

constexpr int kDeepest = 64;
// Longer than any word; base64 data is longer.
constexpr std::size_t kLongestWord = 512;

// Members whose strings were not written by anybody.
bool is_wordless(std::string_view key) {
  constexpr auto kNames = std::to_array<std::string_view>(
      {"type", "subtype", "role", "status", "id", "uuid", "timestamp", "version", "cwd", "gitBranch", "model", "mime",
       "data", "signature", "userType", "entrypoint", "parentUuid"});
  constexpr auto kEnds = std::to_array<std::string_view>({"Id", "ID", "_id", "_type", "Type", "_at", "Uuid"});
  return std::ranges::find(kNames, key) != kNames.end() || key.starts_with("encrypted") ||
         std::ranges::any_of(kEnds, [&](std::string_view end) { return key.ends_with(end); });
}

void add_words(JsonView value, std::string& words, int depth) {
  if (depth > kDeepest) return;
  switch (value.kind()) {
    case JsonKind::string: {
      const std::string text = text_of(value);
      const bool spoken = text.size() <= kLongestWord || text.find_first_of(" \n\t") != std::string::npos;
      if (!text.empty() && spoken) (words.empty() ? words : words += '\n') += text;
      break;
    }
    case JsonKind::object:
      for (const JsonItem& field : value.fields())
        if (field.value.kind() != JsonKind::string || !is_wordless(field.key()))
          add_words(field.value, words, depth + 1);
      break;
    case JsonKind::array:
      for (const JsonItem& item : value.elements()) add_words(item.value, words, depth + 1);
      break;
    default: break;
  }
}

std::string words_beside(JsonView object, const MemberNames& known) {
  std::string words;
  for (const JsonItem& field : object.fields()) {
    const std::string key = field.key();
    if (known.contains(key)) continue;
    if (field.value.kind() != JsonKind::string || !is_wordless(key)) add_words(field.value, words, 1);
  }
  return words;
}

// A string, or {"type":"text","text":…} of any API, whatever its name for the type.
std::optional<std::string> plain_text(JsonView value) {
  if (value.kind() == JsonKind::string) return text_of(value);
  const auto [type, text] = pick<2>(value, {"type", "text"});
  if (text.kind() != JsonKind::string || (type && !text_of(type).ends_with("text"))) return std::nullopt;
  return text_of(text);
}

}  // namespace

std::string words_in(JsonView value) {
  std::string words;
  add_words(value, words, 0);
  return words;
}

Block unknown_block(JsonView value, BlockKind as) {
  if (auto text = plain_text(value)) return {.kind = as, .text = std::move(*text)};
  return unknown_record(value);
}

void append_unknown(JsonView content, std::vector<Block>& blocks, BlockKind as) {
  if (!content || content.is_null() || content.raw() == "\"\"") return;
  if (content.kind() != JsonKind::array) {
    blocks.push_back(unknown_block(content, as));
    return;
  }
  for (const JsonItem& item : content.elements()) blocks.push_back(unknown_block(item.value, as));
}

Block unknown_record(JsonView record) {
  return {.kind = BlockKind::other, .text = words_in(record), .json = std::string(record.raw())};
}

void append_unless_list(JsonView list, std::vector<Block>& blocks, BlockKind as) {
  if (list.kind() != JsonKind::array) append_unknown(list, blocks, as);
}

std::string tool_output_text(JsonView output) {
  if (!output || output.is_null()) return {};
  if (auto text = plain_text(output)) return std::move(*text);
  if (output.kind() != JsonKind::array) return std::string(output.raw());
  std::string all;
  bool first = true;
  for (const JsonItem& item : output.elements()) {
    if (!first) all += '\n';
    first = false;
    all += plain_text(item.value).value_or(std::string(item.value.raw()));
  }
  return all;
}

bool MemberNames::contains(std::string_view name) const { return std::ranges::find(names_, name) != names_.end(); }

void append_renamed(JsonView object, const MemberNames& known, std::vector<Block>& blocks) {
  if (std::string words = words_beside(object, known); !words.empty())
    blocks.push_back({.kind = BlockKind::other, .text = std::move(words), .json = std::string(object.raw())});
}

std::string output_or_object(std::string output, JsonView object, const MemberNames& known) {
  if (!output.empty() || words_beside(object, known).empty()) return output;
  return std::string(object.raw());
}

std::string input_or_others(JsonView input, JsonView call, const MemberNames& known, std::string_view otherwise) {
  if (input) return std::string(input.raw());
  JsonWriter others;
  others.begin_object();
  bool any = false;
  for (const JsonItem& field : call.fields()) {
    const std::string key = field.key();
    if (known.contains(key) || field.value.is_null()) continue;
    if (field.value.kind() == JsonKind::string && is_wordless(key)) continue;
    others.key(key).raw(field.value.raw());
    any = true;
  }
  return any ? others.end_object().take() : std::string(otherwise);
}

std::string named_parent(JsonView parent) {
  if (!parent || parent.is_null()) return {};
  return parent.kind() == JsonKind::string ? text_of(parent) : std::string(parent.raw());
}

Block referenced_image(std::string_view name, JsonView value) {
  Block block{.kind = BlockKind::image, .text = words_in(value)};
  if (value && !value.is_null())
    block.extra = JsonWriter().begin_object().key(name).raw(value.raw()).end_object().take();
  return block;
}

}  // namespace holdfast::inline v1
