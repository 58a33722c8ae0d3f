#include "handoff/citations.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "handoff/raw_records.h"
#include "text/json_edit.h"
#include "text/json_scan.h"
#include "text/json_text.h"
#include "text/json_value.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {
namespace {

// What Anthropic calls them, and OpenAI.
constexpr auto kCitationMembers = std::to_array<std::string_view>({"citations", "annotations"});
constexpr int kDeepestText = 16;

// A text block in a record, with its citations.
struct Cited {
  std::string text;
  std::string_view member;
  JsonView list;
};

std::uint64_t elements_of(JsonView list) {
  std::uint64_t count = 0;
  for ([[maybe_unused]] const JsonItem& one : list.elements()) ++count;
  return count;
}

// What a tool was given, or gave, was not said.
bool is_of_tool(JsonView value) {
  const std::string type = json_text(value, "type");
  return type.ends_with("tool_use") || type.ends_with("tool_result") || type.ends_with("_call") ||
         type.ends_with("_output");
}

void collect_cited(JsonView value, int depth, std::vector<Cited>& found) {
  if (depth > kDeepestText) return;
  if (value.kind() == JsonKind::array) {
    for (const JsonItem& item : value.elements()) collect_cited(item.value, depth + 1, found);
    return;
  }
  if (value.kind() != JsonKind::object || is_of_tool(value)) return;
  const JsonView type = value.find("type");
  if (!type.is_string("text") && !type.is_string("output_text")) {
    for (const JsonItem& item : value.fields())
      if (!item.key_is("toolUseResult")) collect_cited(item.value, depth + 1, found);
    return;
  }
  for (const std::string_view member : kCitationMembers) {
    const JsonView list = value.find(member);
    if (elements_of(list) > 0 && check_json(list.raw()).ok()) found.push_back({json_text(value, "text"), member, list});
  }
}

std::uint64_t encrypted_in(JsonView value, int depth) {
  if (depth > kDeepestText) return 0;
  std::uint64_t count = 0;
  if (value.kind() == JsonKind::array)
    for (const JsonItem& item : value.elements()) count += encrypted_in(item.value, depth + 1);
  if (value.kind() != JsonKind::object) return count;
  if (value.find("type").is_string("web_search_result")) return value.find("encrypted_content") ? 1 : 0;
  for (const JsonItem& item : value.fields()) count += encrypted_in(item.value, depth + 1);
  return count;
}

// The text that is cited for; of several with the same words, the first without citations.
Block* cited_block(Message& message, const std::string& text) {
  Block* any = nullptr;
  for (Block& block : message.blocks) {
    if (block.kind != BlockKind::text || citations_of(block) > 0) continue;
    if (block.text == text) return &block;
    if (any == nullptr) any = &block;
  }
  return any;
}

}  // namespace

void fill_citations(Message& message) {
  if (message.role != Role::assistant) return;
  // The reader kept them.
  if (std::ranges::any_of(message.blocks, [](const Block& block) { return citations_of(block) > 0; })) return;
  // Most answers have none.
  if (std::ranges::none_of(kCitationMembers, [&](std::string_view name) { return message.raw.contains(name); })) return;
  std::vector<Cited> found;
  visit_records(message.raw, [&](JsonView record) { collect_cited(record, 0, found); });
  for (const Cited& cited : found) {
    Block* const block = cited_block(message, cited.text);
    if (block == nullptr) continue;
    if (block->extra.empty())
      block->extra = JsonWriter().begin_object().key(cited.member).raw(cited.list.raw()).end_object().take();
    else if (auto extra = json_set(block->extra, {cited.member}, cited.list.raw()))
      block->extra = std::move(*extra);
  }
}

std::uint64_t citations_of(const Block& text) {
  if (text.kind != BlockKind::text || text.extra.empty()) return 0;
  std::uint64_t count = 0;
  for (const std::string_view member : kCitationMembers) count += elements_of(JsonView(text.extra).find(member));
  return count;
}

std::uint64_t encrypted_results_in(const Message& message) {
  if (message.role != Role::assistant || !message.raw.contains("encrypted_content")) return 0;
  std::uint64_t count = 0;
  visit_records(message.raw, [&](JsonView record) { count += encrypted_in(record, 0); });
  return count;
}

}  // namespace holdfast::inline v1
