#include "layout/tool_dialect.h"
#include "layout/tool_dialect_parts.h"
#include "tests/tenth_agent/chatter/chatter_layout.h"

namespace holdfast::inline v1::chatter {
namespace {

class ChatterTools final : public ToolDialect {
 public:
  ToolActivity talk(JsonView record) const override {
    ToolActivity talk;
    if (!record.find("who")) return talk;
    const std::string call = string_in(record, "call");
    if (record.find("runs")) talk.calls.push_back({.id = call, .name = string_in(record, "runs")});
    if (record.find("gives")) talk.mentions.push_back({.id = call, .answers = true});
    talk.turn = bool(record.find("said"));
    return talk;
  }
  std::string make_result(const InsertionPoint& place, const ToolMention& call) const override {
    JsonWriter json;
    json.begin_object().key("who").string("tool").key("gives").string(kOutputLost).key("call").string(call.id);
    copy_fields(json, place.beside, {"at"});
    return json.end_object().take();
  }
  std::string make_call(const InsertionPoint&, std::span<const ToolMention>) const override { return {}; }
  Result<std::string> as_text(const std::string& record, std::span<const std::string>) const override { return record; }
};

}  // namespace

const ToolDialect& tools() {
  static const ChatterTools dialect;
  return dialect;
}

}  // namespace holdfast::inline v1::chatter
