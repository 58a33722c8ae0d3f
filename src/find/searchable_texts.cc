#include "find/searchable_texts.h"

#include <algorithm>

#include "model/text_document.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {
namespace {

constexpr int kDeepest = 64;

// Appends every string inside a JSON value, decoded, and its numbers, but not its keys: nobody wrote them as text.
void add_strings(JsonView value, std::string& text, int depth = 0) {
  if (depth > kDeepest) return;
  const auto add = [&](std::string_view one) { (text.empty() ? text : text += '\n') += one; };
  switch (value.kind()) {
    case JsonKind::string: add(value.as_string().value_or("")); break;
    case JsonKind::number: add(value.raw()); break;
    case JsonKind::object:
      for (const JsonItem& field : value.fields()) add_strings(field.value, text, depth + 1);
      break;
    case JsonKind::array:
      for (const JsonItem& item : value.elements()) add_strings(item.value, text, depth + 1);
      break;
    default: break;
  }
}

bool wanted(const SearchScope& in, const Message& message, BlockKind kind) {
  switch (kind) {
    case BlockKind::thinking: return in.thinking;
    case BlockKind::tool_call:
    case BlockKind::tool_result: return in.tools;
    default: break;  // images and records have no text unless they contain words
  }
  if (message.role == Role::user && message.origin == Origin::typed) return in.prompts;
  if (message.role == Role::assistant && message.origin == Origin::model) return in.answers;
  if (message.role == Role::user && message.origin == Origin::tool) return in.tools;
  return in.rest;
}

}  // namespace

const std::vector<std::string_view>& SearchableTexts::of(const Message& message, const SearchScope& in) {
  texts_.clear();
  inputs_.clear();
  inputs_.reserve(message.blocks.size());  // keeps the strings from moving
  for (const Block& block : message.blocks) {
    if (!wanted(in, message, block.kind)) continue;
    if (block.kind == BlockKind::tool_call) {
      std::string& text = inputs_.emplace_back(block.name);
      add_strings(JsonView(block.json), text);
      texts_.push_back(text);
    } else if (block.kind == BlockKind::document) {
      std::string& text = inputs_.emplace_back(document_title(block));
      if (const std::string inside = document_text(block); !inside.empty())
        (text.empty() ? text : text += '\n') += inside;
      if (!text.empty()) texts_.push_back(text);
    } else if (!block.text.empty()) {
      texts_.push_back(block.text);
    }
  }
  return texts_;
}

}  // namespace holdfast::inline v1
