// Codex: items function_call and custom_tool_call, answered by items of the same name with _output.
#include "layout/codex/codex_layout.h"
#include "layout/tool_dialect.h"
#include "layout/tool_dialect_parts.h"
#include "text/json_edit.h"

namespace holdfast::inline v1::codex {
namespace {

bool is_call(std::string_view type) {
  return type == "function_call" || type == "custom_tool_call" || type == "local_shell_call";
}
bool is_output(std::string_view type) { return type == "function_call_output" || type == "custom_tool_call_output"; }

class CodexTools final : public ToolDialect {
 public:
  ToolActivity talk(JsonView record) const override {
    ToolActivity talk;
    if (!record.find("type").is_string("response_item")) return talk;
    const JsonView payload = record.find("payload");
    const std::string type = string_in(payload, "type"), id = string_in(payload, "call_id");
    if (is_call(type) && !id.empty()) {
      // `name` is not used here; it holds the kind of output that the call needs
      talk.calls.push_back({.id = id, .name = type == "custom_tool_call" ? type : "function_call"});
    } else if (is_output(type)) {
      talk.mentions.push_back({.id = id, .answers = true});
    }
    talk.turn = type == "message" || type == "reasoning";
    return talk;
  }

  std::string make_result(const InsertionPoint& place, const ToolMention& call) const override {
    JsonWriter json;
    json.begin_object();
    copy_fields(json, place.beside, {"timestamp"});
    // A paginated rollout numbers its lines: without an unused number no line was lost.
    if (const auto next = JsonView(place.records[place.at].bytes).find("ordinal").as_int64()) {
      const std::int64_t number = place.before.find("ordinal").as_int64().value_or(-1) + 1;
      if (number >= *next) return {};
      json.key("ordinal").int64(number);
    }
    json.key("type").string("response_item").key("payload").begin_object();
    json.key("type").string(call.name + "_output").key("call_id").string(call.id).key("output").string(kOutputLost);
    return json.end_object().end_object().take();
  }

  std::string make_call(const InsertionPoint& /*place*/, std::span<const ToolMention> /*calls*/) const override {
    return {};  // an output does not name its tool
  }

  Result<std::string> as_text(const std::string& record, std::span<const std::string> /*ids*/) const override {
    const JsonView output = JsonView(record).find("payload").find("output");
    JsonWriter json;
    json.begin_object().key("type").string("message").key("role").string("user").key("content").begin_array();
    if (output.kind() == JsonKind::array) {
      json.raw(text_block("input_text", kCallLost));
      for (const JsonItem& item : output.elements()) json.raw(item.value.raw());
    } else {
      json.raw(text_block("input_text", std::string(kCallLost) + text_or_json(output)));
    }
    return json_set(record, {"payload"}, json.end_array().end_object().text());
  }
};

}  // namespace

const ToolDialect& tools() {
  static const CodexTools dialect;
  return dialect;
}

}  // namespace holdfast::inline v1::codex
