// Copilot: toolRequests of an assistant.message, then tool.execution_start and tool.execution_complete.
#include "layout/copilot/copilot_layout.h"
#include "layout/tool_dialect.h"
#include "layout/tool_dialect_parts.h"
#include "text/json_edit.h"

namespace holdfast::inline v1::copilot {
namespace {

class CopilotTools final : public ToolDialect {
 public:
  ToolActivity talk(JsonView record) const override {
    ToolActivity talk;
    const std::string type = string_in(record, "type");
    const JsonView data = record.find("data");
    if (type == "assistant.message") {
      talk.turn = true;
      const JsonView requests = data.find("toolRequests");
      for (const JsonItem& item : requests.elements())
        talk.calls.push_back({.id = string_in(item.value, "toolCallId"), .name = string_in(item.value, "name")});
    } else if (type == "tool.execution_start") {
      talk.mentions.push_back({.id = string_in(data, "toolCallId"),
                               .name = string_in(data, "toolName"),
                               .arguments = std::string(data.find("arguments").raw())});
    } else if (type == "tool.execution_complete") {
      talk.mentions.push_back({.id = string_in(data, "toolCallId"), .answers = true});
    }
    talk.turn = talk.turn || type == "user.message";
    talk.strand = string_in(record, "agentId");
    return talk;
  }

  std::string make_result(const InsertionPoint& place, const ToolMention& call) const override {
    JsonWriter json;
    json.begin_object().key("type").string("tool.execution_complete").key("data").begin_object();
    json.key("toolCallId").string(call.id);
    copy_fields(json, place.beside.find("data"), {"model", "interactionId", "turnId", "parentToolCallId"});
    json.key("success").boolean(false).key("result").begin_object().key("content").string(kOutputLost).end_object();
    json.key("error").begin_object().key("message").string(kOutputLost).end_object().end_object();
    return end(json, place);
  }

  std::string make_call(const InsertionPoint& place, std::span<const ToolMention> calls) const override {
    JsonWriter json;
    json.begin_object().key("type").string("assistant.message").key("data").begin_object();
    json.key("messageId").string(place.id);
    copy_fields(json, place.beside.find("data"), {"model", "interactionId", "turnId", "parentToolCallId"});
    bool known = true;
    for (const ToolMention& call : calls) known = known && !call.arguments.empty();
    json.key("content").string(known ? "" : kArgumentsLost).key("toolRequests").begin_array();
    for (const ToolMention& call : calls) {
      json.begin_object().key("toolCallId").string(call.id).key("name").string(call.name);
      json.key("arguments").raw(call.arguments.empty() ? "{}" : call.arguments).key("type").string("function");
      json.end_object();
    }
    json.end_array().end_object();
    return end(json, place);
  }

  Result<std::string> as_text(const std::string& record, std::span<const std::string> /*ids*/) const override {
    const JsonView result = JsonView(record).find("data").find("result").find("content");
    const std::string text = std::string(kCallLost) + text_or_json(result);
    JsonWriter data;
    HOLDFAST_LET(as_user, json_set(record, {"type"}, "\"user.message\""));
    return json_set(as_user, {"data"}, data.begin_object().key("content").string(text).end_object().text());
  }

 private:
  static std::string end(JsonWriter& json, const InsertionPoint& place) {
    json.key("id").string(place.id);
    copy_fields(json, place.beside, {"timestamp"});
    json.key("parentId").raw(place.parent);
    copy_fields(json, place.beside, {"agentId"});
    return json.end_object().take();
  }
};

}  // namespace

const ToolDialect& tools() {
  static const CopilotTools dialect;
  return dialect;
}

}  // namespace holdfast::inline v1::copilot
