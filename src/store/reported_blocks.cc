#include "store/reported_blocks.h"

#include <algorithm>
#include <string_view>

#include "base/hash.h"

namespace holdfast::inline v1 {
namespace {

bool is_of_tool(const Block& block) {
  return block.kind == BlockKind::tool_call || block.kind == BlockKind::tool_result;
}

std::uint64_t name_of(const Block& block) {
  if (!is_of_tool(block) || block.id.empty()) return 0;
  return std::max<std::uint64_t>(xxh3_64(block.id, static_cast<std::uint64_t>(block.kind)), 1);
}

}  // namespace

// A text block that has just begun is still empty.
bool ReportedBlocks::is_empty(const Block& block) {
  return (block.kind == BlockKind::text || block.kind == BlockKind::thinking) && block.text.empty();
}

ReportedBlocks::Told ReportedBlocks::told_of(const Block& block) {
  std::uint64_t said = xxh3_64(block.text);
  if (!is_of_tool(block) && (!block.json.empty() || is_media(block.kind)))
    said = xxh3_64(block.json, xxh3_64(block.media_type + block.blob, block.bytes));
  return {block.kind, name_of(block), said, block.text.size()};
}

std::vector<Block> ReportedBlocks::take(std::uint64_t key, const Message& message) {
  std::vector<Told>& told = messages_[key];
  std::vector<bool> met(told.size());
  std::vector<Block> added;
  std::vector<Told> now;
  // Takes the first match that is not taken yet.
  const auto find = [&](const auto& is_it) {
    for (std::size_t i = 0; i < met.size(); ++i) {
      if (met[i] || !is_it(told[i])) continue;
      met[i] = true;
      return true;
    }
    return false;
  };
  for (const Block& block : message.blocks) {
    if (is_empty(block)) continue;
    const Told one = told_of(block);
    now.push_back(one);
    if (one.name != 0) {
      if (find([&](const Told& old) { return old.kind == one.kind && old.name == one.name; })) continue;
      if (moving_.contains(one.name ^ one.said)) continue;
      if (message.id.empty()) moving_.insert(one.name ^ one.said);
      added.push_back(block);
      continue;
    }
    if (find([&](const Told& old) { return old.kind == one.kind && old.name == 0 && old.said == one.said; })) continue;
    const std::string_view text = block.text;
    std::size_t from = 0;
    const bool grown = find([&](const Told& old) {
      if (old.kind != one.kind || old.name != 0 || old.length == 0 || old.length >= text.size()) return false;
      from = old.length;
      return xxh3_64(text.substr(0, old.length)) == old.said;
    });
    added.push_back(block);
    if (grown) added.back().text.erase(0, from);
  }
  told = std::move(now);
  return added;
}

std::unordered_set<std::uint64_t> ReportedBlocks::tool_blocks(const std::vector<Message>& messages) {
  std::unordered_set<std::uint64_t> names;
  for (const Message& message : messages) {
    for (const Block& block : message.blocks) names.insert(name_of(block));
  }
  return names;
}

bool ReportedBlocks::moved_to(std::uint64_t key, const std::unordered_set<std::uint64_t>& others) const {
  const auto found = messages_.find(key);
  return found == messages_.end() || std::ranges::all_of(found->second, [&](const Told& told) {
           return told.name != 0 && others.contains(told.name);
         });
}

bool ReportedBlocks::is_same(const Told& told, const Told& now, std::string_view text) {
  if (now.kind != told.kind || now.name != told.name) return false;
  if (told.name != 0 || now.said == told.said) return true;
  return told.length > 0 && told.length < text.size() && xxh3_64(text.substr(0, told.length)) == told.said;
}

bool ReportedBlocks::is_continued(std::uint64_t key, const Message& message) const {
  const auto found = messages_.find(key);
  if (found == messages_.end() || found->second.empty()) return false;
  std::vector<Told> now;
  for (const Block& block : message.blocks) now.push_back(told_of(block));
  return std::ranges::all_of(found->second, [&](const Told& told) {
    for (std::size_t i = 0; i < now.size(); ++i)
      if (is_same(told, now[i], message.blocks[i].text)) return true;
    return false;
  });
}

void ReportedBlocks::rename(std::uint64_t from, std::uint64_t to) {
  auto reported = messages_.extract(from);
  if (reported.empty()) return;
  reported.key() = to;
  messages_.insert(std::move(reported));
}

}  // namespace holdfast::inline v1
