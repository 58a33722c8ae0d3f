// Codex does not load a rollout without its session_meta; most of it can be derived from the name
// rollout-2026-11-15T01-00-00-UUID.jsonl. Records are numbered, and item_completed repeats what was said,
// but what the model is sent is made from the response_items alone.
#include <set>
#include <utility>

#include "layout/codex/codex_layout.h"
#include "layout/session_rescue.h"
#include "layout/tool_dialect_parts.h"

namespace holdfast::inline v1::codex {
namespace {

// The concatenated texts of a list of parts.
std::string text_in(JsonView content) {
  std::string text;
  for (const JsonItem& part : content.elements()) text += string_in(part.value, "text");
  return text;
}

// What the response_items of a log contain.
class SaidItems {
 public:
  explicit SaidItems(const std::vector<RescuedRecord>& records) {
    for (const RescuedRecord& record : records) {
      const JsonView json(record.bytes);
      if (!json.find("type").is_string("response_item")) continue;
      const JsonView item = json.find("payload");
      ids_.insert(string_in(item, "id"));
      const std::string call = string_in(item, "call_id");
      if (!call.empty()) (string_in(item, "type").ends_with("_output") ? outputs_ : calls_).insert(call);
      if (item.find("role").is_string("user")) prompts_.insert(text_in(item.find("content")));
    }
  }

  // The payload of a response_item with the same content; empty if the log has one, or if it cannot be made.
  std::string missing(JsonView item) {
    const JsonView type = item.find("type");
    const std::string id = string_in(item, "id");
    JsonWriter json;
    json.begin_object();
    if (type.is_string("AgentMessage") && !id.empty() && ids_.insert(id).second) {
      write_message(json.key("id").string(id), "assistant", "output_text", text_in(item.find("content")));
    } else if (type.is_string("UserMessage") && prompts_.insert(text_in(item.find("content"))).second) {
      write_message(json, "user", "input_text", text_in(item.find("content")));
    } else if (type.is_string("CommandExecution") && calls_.contains(id) && outputs_.insert(id).second) {
      const auto code = item.find("exit_code").as_int64().value_or(0);
      json.key("type").string("function_call_output").key("call_id").string(id).key("output");
      json.string("Process exited with code " + std::to_string(code) + "\nOutput:\n" +
                  string_in(item, "aggregated_output"));
    } else {
      return {};
    }
    return json.end_object().take();
  }

 private:
  static void write_message(JsonWriter& json, std::string_view role, std::string_view kind, std::string_view text) {
    json.key("type").string("message").key("role").string(role).key("content").begin_array().begin_object();
    json.key("type").string(kind).key("text").string(text).end_object().end_array();
  }
  std::set<std::string> ids_, calls_, outputs_, prompts_;
};

class CodexRescue final : public SessionRescue {
 public:
  bool is_header(JsonView record) const override { return record.find("type").is_string("session_meta"); }
  bool follows_header(JsonView record) const override { return record.find("type").is_string("response_item"); }

  std::string make_header(Feed&, const Place&, const HeaderlessLog& left) const override {
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

  std::optional<std::int64_t> number_of(JsonView record) const override { return record.find("ordinal").as_int64(); }

  // Inserts only beside a jump of the numbers, where the lost record belongs, or at the end.
  std::uint64_t restore(std::vector<RescuedRecord>& records) const override {
    SaidItems said(records);
    std::vector<RescuedRecord> all;
    std::uint64_t restored = 0;
    std::optional<std::int64_t> before;
    for (std::size_t n = 0; n < records.size(); ++n) {
      const JsonView json(records[n].bytes);
      const auto number = number_of(json);
      const JsonView event = json.find("payload");
      const bool told = json.find("type").is_string("event_msg") && event.find("type").is_string("item_completed");
      const bool last = n + 1 == records.size();
      const auto after = last ? std::nullopt : number_of(JsonView(records[n + 1].bytes));
      const bool lost_before = number && before && *number > *before + 1;
      const bool lost_after = number && (last || (after && *after > *number + 1));
      if (number) before = number;
      const std::string payload = told && (lost_before || lost_after) ? said.missing(event.find("item")) : "";
      std::string made;
      if (!payload.empty()) {
        JsonWriter line;
        line.begin_object().key("timestamp").string(string_in(json, "timestamp"));
        line.key("ordinal").int64(lost_after ? *number + 1 : *number - 1).key("type").string("response_item");
        made = line.key("payload").raw(payload).end_object().take();
        ++restored;
      }
      if (!made.empty() && !lost_after) all.push_back({.bytes = std::exchange(made, {})});
      all.push_back(std::move(records[n]));
      if (!made.empty()) all.push_back({.bytes = std::move(made)});
    }
    records = std::move(all);
    return restored;
  }
};

}  // namespace

const SessionRescue& rescue() {
  static const CodexRescue rescue;
  return rescue;
}

}  // namespace holdfast::inline v1::codex
