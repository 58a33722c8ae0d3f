// Gemini and Qwen, which keep the parts of Google's API: functionCall and functionResponse.
#include "text/json_edit.h"
#include "transfer/tool_dialect.h"
#include "transfer/tool_dialect_parts.h"

namespace holdfast::inline v1 {
namespace {

// A part with a functionResponse; an id of "" otherwise.
ToolMention response_in(JsonView part) {
  const JsonView response = part.find("functionResponse");
  return {.id = string_in(response, "id"),
          .name = string_in(response, "name"),
          .result = std::string(part.raw()),
          .answers = true};
}

void add_responses(JsonView parts, ToolTalk& talk) {
  for (const JsonItem& item : parts.elements())
    if (item.value.find("functionResponse")) talk.mentions.push_back(response_in(item.value));
}

std::string lost_response(const ToolMention& call) {
  JsonWriter json;
  json.begin_object().key("functionResponse").begin_object().key("id").string(call.id).key("name").string(call.name);
  json.key("response").begin_object().key("error").string(kOutputLost).end_object().end_object();
  return json.end_object().take();
}

std::string text_part(std::string_view text) {
  JsonWriter json;
  return json.begin_object().key("text").string(text).end_object().take();
}

// The parts, with responses of `ids` as text.
std::string parts_as_text(JsonView parts, std::span<const std::string> ids) {
  JsonWriter json;
  json.begin_array();
  for (const JsonItem& item : parts.elements()) {
    const ToolMention response = response_in(item.value);
    if (!item.value.find("functionResponse") || !is_among(ids, response.id)) {
      json.raw(item.value.raw());
      continue;
    }
    const JsonView said = item.value.find("functionResponse").find("response");
    const JsonView output = said.find("output");
    json.raw(text_part(std::string(kCallLost) + as_words(output ? output : said)));
  }
  return json.end_array().take();
}

// A message of Gemini holds calls together with their results; the results are in a user message too.
class GeminiTools final : public ToolDialect {
 public:
  ToolTalk talk(JsonView record) const override {
    ToolTalk talk;
    const JsonView restated = record.find("$set").find("messages");
    for (const JsonItem& item : restated.elements()) add(item.value, talk);
    if (restated) return talk;
    add(record, talk);
    const bool gemini = record.find("type").is_string("gemini");
    talk.turn = gemini || (record.find("type").is_string("user") && record.find("content") && talk.mentions.empty());
    if (gemini) talk.turn_key = string_in(record, "id");
    return talk;
  }

  std::string make_result(const ToolPlace& place, const ToolMention& call) const override {
    JsonWriter json;
    json.begin_object().key("id").string(place.id);
    copy_fields(json, place.beside, {"timestamp"});
    json.key("type").string("user").key("content").begin_array().raw(lost_response(call)).end_array();
    return json.end_object().take();
  }

  std::string make_call(const ToolPlace& place, std::span<const ToolMention> calls) const override {
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
  static void add(JsonView message, ToolTalk& talk) {
    if (message.find("type").is_string("user")) add_responses(message.find("content"), talk);
    if (!message.find("type").is_string("gemini")) return;
    const JsonView calls = message.find("toolCalls");
    for (const JsonItem& item : calls.elements()) {
      talk.calls.push_back({.id = string_in(item.value, "id"), .name = string_in(item.value, "name")});
      add_responses(item.value.find("result"), talk);
    }
  }
};

class QwenTools final : public ToolDialect {
 public:
  ToolTalk talk(JsonView record) const override {
    ToolTalk talk;
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

  std::string make_result(const ToolPlace& place, const ToolMention& call) const override {
    JsonWriter json;
    begin(json, place, "tool_result");
    json.begin_object().key("role").string("user").key("parts").begin_array().raw(lost_response(call)).end_array();
    json.end_object().key("toolCallResult").begin_object().key("callId").string(call.id);
    return json.key("status").string("error").end_object().end_object().take();
  }

  // In one record, which is what the client insists on for parallel calls.
  std::string make_call(const ToolPlace& place, std::span<const ToolMention> calls) const override {
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
  static void begin(JsonWriter& json, const ToolPlace& place, std::string_view type) {
    json.begin_object().key("uuid").string(place.id).key("parentUuid").raw(place.parent);
    copy_fields(json, place.beside, {"sessionId", "timestamp"});
    json.key("type").string(type);
    copy_fields(json, place.beside, {"cwd", "version", "gitBranch", "agentId", "agentName", "isSidechain"});
    json.key("message");
  }
};

}  // namespace

const ToolDialect& gemini_tools() {
  static const GeminiTools tools;
  return tools;
}

const ToolDialect& qwen_tools() {
  static const QwenTools tools;
  return tools;
}

}  // namespace holdfast::inline v1
