#include "model/message_view.h"

#include <algorithm>

#include "text/json_copy.h"
#include "text/json_string.h"
#include "text/one_line.h"
#include "text/valid_json.h"

namespace holdfast::inline v1 {
namespace {

void move_bytes(std::string_view& bytes, const char* from, const char* to) {
  if (!bytes.empty()) bytes = {to + (bytes.data() - from), bytes.size()};
}

BlockView view_of(const Block& block) {
  return {.kind = block.kind,
          .text = block.text,
          .id = block.id,
          .name = block.name,
          .json = block.json,
          .media_type = block.media_type,
          .data = block.data,
          .blob = block.blob,
          .bytes = block.bytes,
          .is_error = block.is_error,
          .signature = block.signature,
          .spilled = block.spilled,
          .extra = block.extra};
}

}  // namespace

TextView TextView::of_token(std::string_view token) {
  TextView view;
  // Every character is at least one byte of the token.
  if (token.size() <= 2 || token.front() != '"') return view;
  view.bytes_ = token;
  view.token_ = true;
  return view;
}

void TextView::write(JsonWriter& json) const {
  if (!token_)
    json.string(bytes_);
  else if (is_own_json_token(bytes_))
    json.raw(bytes_);
  else
    json.string(text());
}

std::string TextView::text() const {
  return token_ ? decode_json_string(bytes_).value_or(std::string()) : std::string(bytes_);
}

std::string_view TextView::text(std::string& decoded) const {
  return token_ && bytes_.contains('\\') ? decoded = text() : inside();
}

bool TextView::may_begin_with(std::string_view text) const {
  const std::string_view begin = inside().substr(0, text.size());
  const auto same = static_cast<std::size_t>(std::ranges::mismatch(begin, text).in1 - begin.begin());
  return same == text.size() || (token_ && same < begin.size() && begin[same] == '\\');
}

void TextView::move(const char* from, const char* to) { move_bytes(bytes_, from, to); }

JsonPart JsonPart::of_record(std::string_view value, bool spaced) {
  JsonPart part;
  part.bytes_ = value;
  part.whole_ = true;
  part.spaced_ = spaced;
  return part;
}

void JsonPart::write(JsonWriter& json, std::string_view fallback) const {
  if (!whole_)
    write_valid_json(json, bytes_, fallback);
  else if (spaced_ || !is_one_line(bytes_))
    json.raw(compact_json(JsonView(bytes_)));
  else
    json.raw(bytes_);
}

void JsonPart::move(const char* from, const char* to) { move_bytes(bytes_, from, to); }

void MessageView::move(const char* from, const char* to) {
  for (TextView* text : {&id, &parent, &timestamp, &model, &stop_reason, &response, &agent, &context.cwd,
                         &context.git_branch, &context.permission_mode, &context.version, &context.user_type})
    text->move(from, to);
  cost.move(from, to);
  extra.move(from, to);
  move_bytes(raw, from, to);
  for (BlockView& block : blocks) {
    for (TextView* text : {&block.text, &block.id, &block.name, &block.media_type, &block.signature})
      text->move(from, to);
    block.json.move(from, to);
    block.extra.move(from, to);
    for (std::string_view* bytes : {&block.data, &block.blob, &block.spilled}) move_bytes(*bytes, from, to);
  }
}

MessageView view_of(const Message& message) {
  MessageView view{.id = message.id,
                   .parent = message.parent,
                   .role = message.role,
                   .origin = message.origin,
                   .timestamp = message.timestamp,
                   .model = message.model,
                   .stop_reason = message.stop_reason,
                   .usage = message.usage,
                   .cost = message.cost,
                   .response = message.response,
                   .extra = message.extra,
                   .context = {.cwd = message.context.cwd,
                               .git_branch = message.context.git_branch,
                               .permission_mode = message.context.permission_mode,
                               .version = message.context.version,
                               .user_type = message.context.user_type},
                   .agent = message.agent,
                   .side = message.side,
                   .failed = message.failed,
                   .abandoned = message.abandoned,
                   .raw = message.raw,
                   .offset = message.offset,
                   .ordinal = message.ordinal};
  view.blocks.reserve(message.blocks.size());
  for (const Block& block : message.blocks) view.blocks.push_back(view_of(block));
  return view;
}

}  // namespace holdfast::inline v1
