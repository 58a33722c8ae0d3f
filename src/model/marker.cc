#include "model/marker.h"

#include "text/json_value.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {
namespace {

Message notice(std::string json) {
  Message message;
  message.role = Role::system;
  message.origin = Origin::notice;
  message.blocks.push_back({.kind = BlockKind::other, .json = std::move(json)});
  return message;
}

// The object of the mark; an empty view for any other message.
JsonView mark_of(const Message& message) {
  if (message.role != Role::system || message.blocks.size() != 1 || message.blocks[0].kind != BlockKind::other)
    return {};
  return JsonView(message.blocks[0].json);
}

}  // namespace

Message progress_message(const Progress& progress) {
  JsonWriter json;
  json.begin_object().key("type").string("progress").key("tool_use_id").string(progress.tool_call);
  json.key("text").string(progress.text);
  if (progress.fraction) json.key("fraction").number(*progress.fraction);
  return notice(json.end_object().take());
}

std::optional<Progress> progress_of(const Message& message) {
  const JsonView mark = mark_of(message);
  if (!mark.find("type").is_string("progress")) return std::nullopt;
  const auto either = [&](std::string_view first, std::string_view second) {
    const JsonView value = mark.find(first);
    return value ? value : mark.find(second);
  };
  Progress progress;
  progress.tool_call = either("tool_use_id", "toolUseID").as_string().value_or("");
  const JsonView data = mark.find("data");
  const JsonView text = data ? data.find("text") : mark.find("text");
  progress.text = (text ? text : data.find("output")).as_string().value_or("");
  progress.fraction = (data ? data : mark).find("fraction").as_double();
  return progress;
}

Message compact_boundary(std::string trigger, std::int64_t pre_tokens) {
  JsonWriter json;
  json.begin_object().key("type").string("compact_boundary").key("trigger").string(trigger);
  return notice(json.key("pre_tokens").int64(pre_tokens).end_object().take());
}

bool is_compact_boundary(const Message& message) {
  const JsonView mark = mark_of(message);
  return mark.find("type").is_string("compact_boundary") ||
         (mark.find("type").is_string("system") && mark.find("subtype").is_string("compact_boundary"));
}

}  // namespace holdfast::inline v1
