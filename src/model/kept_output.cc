#include "model/kept_output.h"

#include <algorithm>

namespace holdfast::inline v1 {
namespace {

// Without the newline, which readers may remove if the output is empty.
std::string_view without_newline(std::string_view sentence) { return sentence.substr(0, sentence.size() - 1); }

bool begins_with_sentence(std::string_view text, std::string_view sentence) {
  return text.starts_with(without_newline(sentence));
}

}  // namespace

bool is_kept_output(std::string_view text) {
  return begins_with_sentence(text, kCallLost) || begins_with_sentence(text, kNoCall);
}

bool are_kept_outputs(std::span<const Block> blocks) {
  if (blocks.empty() || blocks.front().kind != BlockKind::text) return false;
  const std::string_view first = blocks.front().text;
  const bool rescued = begins_with_sentence(first, kCallLost);
  if (rescued && first.size() <= kCallLost.size()) return true;  // the other blocks are the output
  return std::ranges::all_of(
      blocks, [&](const Block& block) { return block.kind == BlockKind::text ? is_kept_output(block.text) : rescued; });
}

void mark_kept_outputs(Message& message) {
  if (message.role != Role::user || message.origin != Origin::typed || !are_kept_outputs(message.blocks)) return;
  message.origin = Origin::tool;
}

bool may_be_kept_outputs(const MessageView& message) {
  if (message.role != Role::user || message.origin != Origin::typed || message.blocks.empty()) return false;
  const TextView& first = message.blocks.front().text;
  return first.may_begin_with(without_newline(kCallLost)) || first.may_begin_with(without_newline(kNoCall));
}

}  // namespace holdfast::inline v1
