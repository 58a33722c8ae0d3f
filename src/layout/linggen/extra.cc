#include "layout/linggen/extra.h"

#include "model/model_json.h"

namespace holdfast::inline v1::linggen {
namespace {

// Texts of a message by their names in the member.
template <typename Visit>
void each_text(auto& message, const Visit& visit) {
  visit("id", message.id);
  visit("parent", message.parent);
  visit("model", message.model);
  visit("stop_reason", message.stop_reason);
  visit("cost_usd", message.cost);
  visit("response", message.response);
  visit("cwd", message.context.cwd);
  visit("git_branch", message.context.git_branch);
  visit("permission_mode", message.context.permission_mode);
  visit("version", message.context.version);
  visit("user_type", message.context.user_type);
}

}  // namespace

void write_extra(JsonWriter& line, const Message& message, bool first, const Block* block) {
  JsonWriter extra;
  extra.begin_object();
  const std::size_t nothing = extra.text().size();
  if (first) {
    each_text(message, [&](std::string_view name, const std::string& text) {
      if (!text.empty()) extra.key(name).string(text);
    });
    if (message.role == Role::user && message.origin != Origin::typed)
      extra.key("origin").string(origin_name(message.origin));
    if (message.usage) {
      extra.key("usage");
      write_usage(extra, *message.usage);
    }
    if (message.side) extra.key("side").boolean(true);
    if (message.failed) extra.key("failed").boolean(true);
  }
  if (block != nullptr && !block->id.empty()) extra.key("call").string(block->id);
  if (block != nullptr && block->is_error) extra.key("is_error").boolean(true);
  if (extra.text().size() == nothing) return;
  line.key(kExtra).raw(extra.end_object().text());
}

BlockExtra read_extra(JsonView extra, Message& message) {
  each_text(message, [&](std::string_view name, std::string& text) {
    if (const auto written = extra.find(name).as_string()) text = *written;
  });
  if (const auto origin = extra.find("origin").as_string())
    message.origin = origin_of(*origin).value_or(message.origin);
  if (const JsonView usage = extra.find("usage")) message.usage = usage_from_json(usage);
  message.side = extra.find("side").as_bool().value_or(false);
  message.failed = extra.find("failed").as_bool().value_or(false);
  return {extra.find("call").as_string().value_or(""), extra.find("is_error").as_bool().value_or(false)};
}

}  // namespace holdfast::inline v1::linggen
