// Continue: toolCalls of an assistant's element, answered in its own toolCallStates or by an element of the role tool.
#include "layout/continue_dev/continue_layout.h"
#include "layout/continue_dev/element.h"
#include "layout/tool_dialect.h"
#include "layout/tool_dialect_parts.h"
#include "text/json_edit.h"

namespace holdfast::inline v1::continue_dev {
namespace {

class ContinueTools final : public ToolDialect {
 public:
  ToolActivity talk(JsonView record) const override {
    ToolActivity talk;
    const JsonView message = record.find("message");
    if (!message || !record.find("contextItems")) return talk;
    const std::string role = string_in(message, "role");
    if (role == "tool") talk.mentions.push_back({.id = string_in(message, "toolCallId"), .answers = true});
    for (const JsonItem& item : message.find("toolCalls").elements())
      talk.calls.push_back({.id = string_in(item.value, "id"), .name = string_in(item.value.find("function"), "name")});
    for (const JsonView state : tool_states(record))
      if (state.find("output")) talk.mentions.push_back({.id = string_in(state, "toolCallId"), .answers = true});
    talk.turn = role == "user" || role == "assistant";
    return talk;
  }

  std::string make_result(const InsertionPoint& /*place*/, const ToolMention& call) const override {
    JsonWriter json;
    json.begin_object().key("message").begin_object().key("role").string("tool").key("content").string(kOutputLost);
    json.key("toolCallId").string(call.id).end_object().key("contextItems").raw("[]");
    return json.end_object().take();
  }

  std::string make_call(const InsertionPoint& /*place*/, std::span<const ToolMention> /*calls*/) const override {
    return {};  // a result does not name its tool
  }

  Result<std::string> as_text(const std::string& record, std::span<const std::string> /*ids*/) const override {
    const JsonView content = JsonView(record).find("message").find("content");
    JsonWriter json;
    json.begin_object().key("role").string("user").key("content").string(std::string(kCallLost) +
                                                                         text_or_json(content));
    return json_set(record, {"message"}, json.end_object().text());
  }
};

}  // namespace

const ToolDialect& tools() {
  static const ContinueTools dialect;
  return dialect;
}

}  // namespace holdfast::inline v1::continue_dev
