// Qwen: functionCall parts in its answers, functionResponse parts in separate records.
#include "layout/gemini_tool_parts.h"
#include "layout/qwen/qwen_layout.h"
#include "layout/tool_dialect.h"
#include "layout/tool_dialect_parts.h"
#include "text/json_edit.h"

namespace holdfast::inline v1::qwen {
namespace {

class QwenTools final : public ToolDialect {
 public:
  ToolActivity talk(JsonView record) const override {
    ToolActivity talk;
    const JsonView parts = record.find("message").find("parts");
    if (!parts) return talk;
    for (const JsonItem& item : parts.elements()) {
      const JsonView call = item.value.find("functionCall");
      if (call) talk.calls.push_back({.id = string_in(call, "id"), .name = string_in(call, "name")});
    }
    add_responses(parts, talk);
    talk.turn = talk.mentions.empty();
    return talk;
  }

  std::string make_result(const InsertionPoint& place, const ToolMention& call) const override {
    JsonWriter json;
    begin(json, place, "tool_result");
    json.begin_object().key("role").string("user").key("parts").begin_array().raw(lost_response(call)).end_array();
    json.end_object().key("toolCallResult").begin_object().key("callId").string(call.id);
    return json.key("status").string("error").end_object().end_object().take();
  }

  // In one record, as the client requires for parallel calls.
  std::string make_call(const InsertionPoint& place, std::span<const ToolMention> calls) const override {
    JsonWriter json;
    begin(json, place, "assistant");
    json.begin_object().key("role").string("model").key("parts").begin_array().raw(text_part(kArgumentsLost));
    for (const ToolMention& call : calls) {
      json.begin_object().key("functionCall").begin_object().key("id").string(call.id).key("name").string(call.name);
      json.key("args").raw("{}").end_object().end_object();
    }
    return json.end_array().end_object().end_object().take();
  }

  Result<std::string> as_text(const std::string& record, std::span<const std::string> ids) const override {
    HOLDFAST_LET(as_user, json_set(record, {"type"}, "\"user\""));
    return json_set(as_user, {"message", "parts"}, parts_as_text(JsonView(record).find("message").find("parts"), ids));
  }

 private:
  static void begin(JsonWriter& json, const InsertionPoint& place, std::string_view type) {
    json.begin_object().key("uuid").string(place.id).key("parentUuid").raw(place.parent);
    copy_fields(json, place.beside, {"sessionId", "timestamp"});
    json.key("type").string(type);
    copy_fields(json, place.beside, {"cwd", "version", "gitBranch", "agentId", "agentName", "isSidechain"});
    json.key("message");
  }
};

}  // namespace

const ToolDialect& tools() {
  static const QwenTools dialect;
  return dialect;
}

}  // namespace holdfast::inline v1::qwen
