// Gemini: calls with their results in toolCalls of its messages; a user message repeats the results.
#include "layout/gemini/gemini_layout.h"
#include "layout/gemini_tool_parts.h"
#include "layout/tool_dialect.h"
#include "layout/tool_dialect_parts.h"
#include "text/json_edit.h"

namespace holdfast::inline v1::gemini {
namespace {

class GeminiTools final : public ToolDialect {
 public:
  ToolActivity talk(JsonView record) const override {
    ToolActivity talk;
    const JsonView restated = record.find("$set").find("messages");
    for (const JsonItem& item : restated.elements()) add(item.value, talk);
    if (restated) return talk;
    add(record, talk);
    const bool gemini = record.find("type").is_string("gemini");
    talk.turn = gemini || (record.find("type").is_string("user") && record.find("content") && talk.mentions.empty());
    if (gemini) talk.turn_key = string_in(record, "id");
    return talk;
  }

  std::string make_result(const InsertionPoint& place, const ToolMention& call) const override {
    JsonWriter json;
    json.begin_object().key("id").string(place.id);
    copy_fields(json, place.beside, {"timestamp"});
    json.key("type").string("user").key("content").begin_array().raw(lost_response(call)).end_array();
    return json.end_object().take();
  }

  std::string make_call(const InsertionPoint& place, std::span<const ToolMention> calls) const override {
    JsonWriter json;
    json.begin_object().key("id").string(place.id);
    copy_fields(json, place.beside, {"timestamp"});
    json.key("type").string("gemini").key("content").string(kArgumentsLost).key("thoughts").raw("[]");
    json.key("toolCalls").begin_array();
    for (const ToolMention& call : calls) {
      const bool failed = bool(JsonView(call.result).find("functionResponse").find("response").find("error"));
      json.begin_object().key("id").string(call.id).key("name").string(call.name).key("args").raw("{}");
      json.key("result").begin_array().raw(call.result).end_array();
      json.key("status").string(failed ? "error" : "success");
      copy_fields(json, place.beside, {"timestamp"});
      json.end_object();
    }
    return json.end_array().end_object().take();
  }

  Result<std::string> as_text(const std::string& record, std::span<const std::string> ids) const override {
    return json_set(record, {"content"}, parts_as_text(JsonView(record).find("content"), ids));
  }

 private:
  static void add(JsonView message, ToolActivity& talk) {
    if (message.find("type").is_string("user")) add_responses(message.find("content"), talk);
    if (!message.find("type").is_string("gemini")) return;
    const JsonView calls = message.find("toolCalls");
    for (const JsonItem& item : calls.elements()) {
      talk.calls.push_back({.id = string_in(item.value, "id"), .name = string_in(item.value, "name")});
      add_responses(item.value.find("result"), talk);
    }
  }
};

}  // namespace

const ToolDialect& tools() {
  static const GeminiTools dialect;
  return dialect;
}

}  // namespace holdfast::inline v1::gemini
