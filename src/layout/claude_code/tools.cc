// Claude Code: tool_use blocks of assistant records, tool_result blocks of user records.
#include "layout/claude_code/claude_code_layout.h"
#include "layout/tool_dialect.h"
#include "layout/tool_dialect_parts.h"
#include "text/json_edit.h"

namespace holdfast::inline v1::claude_code {
namespace {

class ClaudeTools final : public ToolDialect {
 public:
  ToolActivity talk(JsonView record) const override {
    ToolActivity talk;
    const bool assistant = record.find("type").is_string("assistant"), user = record.find("type").is_string("user");
    const JsonView message = record.find("message");
    const JsonView content = message.find("content");
    if ((!assistant && !user) || !record.find("parentUuid") || !content) return talk;
    for (const JsonItem& item : content.elements()) {
      const JsonView block = item.value;
      if (assistant && block.find("type").is_string("tool_use"))
        talk.calls.push_back({.id = string_in(block, "id"), .name = string_in(block, "name")});
      if (user && block.find("type").is_string("tool_result"))
        talk.mentions.push_back({.id = string_in(block, "tool_use_id"), .answers = true});
    }
    talk.turn = talk.mentions.empty();
    if (is_aside(record)) talk.strand = "side";
    if (assistant) talk.turn_key = message.find("id").as_string().value_or(std::string(kOneAnswer));
    return talk;
  }

  std::string make_result(const InsertionPoint& place, const ToolMention& call) const override {
    JsonWriter json;
    json.begin_object().key("parentUuid").raw(place.parent);
    copy_fields(json, place.beside,
                {"isSidechain", "userType", "entrypoint", "cwd", "sessionId", "version", "gitBranch", "agentId"});
    json.key("type").string("user").key("message").begin_object().key("role").string("user").key("content");
    json.begin_array().begin_object().key("tool_use_id").string(call.id).key("type").string("tool_result");
    json.key("content").string(kOutputLost).key("is_error").boolean(true).end_object().end_array().end_object();
    json.key("uuid").string(place.id);
    copy_fields(json, place.beside, {"timestamp"});
    if (const JsonView uuid = place.beside.find("uuid")) json.key("sourceToolAssistantUUID").raw(uuid.raw());
    return json.end_object().take();
  }

  std::string make_call(const InsertionPoint& /*place*/, std::span<const ToolMention> /*calls*/) const override {
    return {};  // a result does not name its tool
  }

  Result<std::string> as_text(const std::string& record, std::span<const std::string> ids) const override {
    JsonWriter blocks;
    blocks.begin_array();
    const JsonView content = JsonView(record).find("message").find("content");
    for (const JsonItem& item : content.elements()) {
      const JsonView block = item.value;
      if (!block.find("type").is_string("tool_result") || !is_among(ids, string_in(block, "tool_use_id")))
        blocks.raw(block.raw());
      else
        add_as_text(block.find("content"), blocks);
    }
    return json_set(record, {"message", "content"}, blocks.end_array().text());
  }

 private:
  static void add_as_text(JsonView content, JsonWriter& blocks) {
    if (content.kind() != JsonKind::array) {
      blocks.raw(text_block("text", std::string(kCallLost) + text_or_json(content)));
      return;
    }
    blocks.raw(text_block("text", kCallLost));
    for (const JsonItem& item : content.elements()) {
      const JsonView type = item.value.find("type");
      if (type.is_string("text") || type.is_string("image") || type.is_string("document"))
        blocks.raw(item.value.raw());
      else
        blocks.raw(text_block("text", item.value.raw()));
    }
  }
};

}  // namespace

const ToolDialect& tools() {
  static const ClaudeTools dialect;
  return dialect;
}

}  // namespace holdfast::inline v1::claude_code
