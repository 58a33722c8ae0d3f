// A rollout without its session_meta is not loaded: rollout-2026-11-15T01-00-00-UUID.jsonl says most of it.
#include "layout/codex/codex_layout.h"
#include "layout/session_rescue.h"
#include "layout/tool_dialect_parts.h"

namespace holdfast::inline v1::codex {
namespace {

class CodexRescue final : public SessionRescue {
 public:
  bool is_header(JsonView record) const override { return record.find("type").is_string("session_meta"); }
  bool follows_header(JsonView record) const override { return record.find("type").is_string("response_item"); }

  std::string make_header(Feed&, const Place&, const LogRemains& left) const override {
    constexpr std::size_t kPrefix = 8, kTime = 19, kUuid = 36;
    const std::string_view name = left.name;
    if (!name.starts_with("rollout-") || name.size() < kPrefix + kTime + 1 + kUuid) return {};
    std::string time(name.substr(kPrefix, kTime));
    time[13] = time[16] = ':';
    std::string cwd = string_in_piece(left.piece, "cwd");
    for (const RescuedRecord& record : left.records) {
      if (cwd.empty()) cwd = string_in(JsonView(record.bytes).find("payload"), "cwd");
    }
    JsonWriter json;
    json.begin_object().key("timestamp").string(time + ".000Z").key("type").string("session_meta").key("payload");
    json.begin_object().key("id").string(name.substr(kPrefix + kTime + 1, kUuid));
    json.key("timestamp").string(time + ".000Z");
    json.key("cwd").string(cwd).key("originator").string("codex_exec").key("cli_version").string("0.0.0");
    return json.end_object().end_object().take();
  }
};

}  // namespace

const SessionRescue& rescue() {
  static const CodexRescue rescue;
  return rescue;
}

}  // namespace holdfast::inline v1::codex
