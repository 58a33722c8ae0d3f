// pi, and the logs of openclaw: toolCall blocks of assistant messages, messages of the role toolResult.
#include "layout/pi/pi_layout.h"
#include "layout/tool_dialect.h"
#include "layout/tool_dialect_parts.h"
#include "text/json_edit.h"

namespace holdfast::inline v1::pi {
namespace {

// The nearest assistant record, for the members that every answer must have.
JsonView an_assistant(const InsertionPoint& place) {
  JsonView found;
  for (std::size_t n = 0; n < place.records.size() && (n < place.at || !found); ++n) {
    const JsonView message = JsonView(place.records[n].bytes).find("message");
    if (message.find("role").is_string("assistant")) found = message;
  }
  return found;
}

class PiTools final : public ToolDialect {
 public:
  ToolActivity talk(JsonView record) const override {
    ToolActivity talk;
    const JsonView message = record.find("message");
    if (!record.find("type").is_string("message") || !message) return talk;
    const std::string role = string_in(message, "role");
    if (role == "toolResult") {
      talk.mentions.push_back(
          {.id = string_in(message, "toolCallId"), .name = string_in(message, "toolName"), .answers = true});
      return talk;
    }
    const JsonView content = message.find("content");
    for (const JsonItem& item : content.elements()) {
      if (item.value.find("type").is_string("toolCall"))
        talk.calls.push_back({.id = string_in(item.value, "id"), .name = string_in(item.value, "name")});
    }
    talk.turn = role == "user" || role == "assistant";
    return talk;
  }

  std::string make_result(const InsertionPoint& place, const ToolMention& call) const override {
    JsonWriter json;
    begin(json, place);
    json.key("role").string("toolResult").key("toolCallId").string(call.id).key("toolName").string(call.name);
    json.key("content").begin_array().raw(text_block("text", kOutputLost)).end_array().key("isError").boolean(true);
    copy_fields(json, place.beside.find("message"), {"timestamp"});
    return json.end_object().end_object().take();
  }

  std::string make_call(const InsertionPoint& place, std::span<const ToolMention> calls) const override {
    JsonWriter json;
    begin(json, place);
    json.key("role").string("assistant").key("content").begin_array().raw(text_block("text", kArgumentsLost));
    for (const ToolMention& call : calls) {
      json.begin_object().key("type").string("toolCall").key("id").string(call.id).key("name").string(call.name);
      json.key("arguments").raw("{}").end_object();
    }
    json.end_array();
    const JsonView other = an_assistant(place);
    for (const std::string_view key : {"api", "provider", "model"}) {
      const JsonView value = other.find(key);
      json.key(key).raw(value ? value.raw() : "\"unknown\"");
    }
    json.key("usage").raw(R"({"input":0,"output":0,"cacheRead":0,"cacheWrite":0,"totalTokens":0,)"
                          R"("cost":{"input":0,"output":0,"cacheRead":0,"cacheWrite":0,"total":0}})");
    json.key("stopReason").string("toolUse");
    copy_fields(json, place.beside.find("message"), {"timestamp"});
    return json.end_object().end_object().take();
  }

  Result<std::string> as_text(const std::string& record, std::span<const std::string> /*ids*/) const override {
    const JsonView message = JsonView(record).find("message");
    const JsonView content = message.find("content");
    JsonWriter json;
    json.begin_object().key("role").string("user").key("content").begin_array().raw(text_block("text", kCallLost));
    for (const JsonItem& item : content.elements()) json.raw(item.value.raw());
    json.end_array();
    copy_fields(json, message, {"timestamp"});
    return json_set(record, {"message"}, json.end_object().text());
  }

 private:
  static void begin(JsonWriter& json, const InsertionPoint& place) {
    json.begin_object().key("type").string("message").key("id").string(place.id).key("parentId").raw(place.parent);
    copy_fields(json, place.beside, {"timestamp"});
    json.key("message").begin_object();
  }
};

}  // namespace

const ToolDialect& tools() {
  static const PiTools dialect;
  return dialect;
}

}  // namespace holdfast::inline v1::pi
