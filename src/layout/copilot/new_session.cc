// Writes a new log of events that `copilot --resume` accepts. It has no title: titles are in another file,
// and a folder with only that file would be a session too.
#include "base/time.h"
#include "layout/copilot/copilot_layout.h"
#include "layout/new_session_parts.h"
#include "layout/new_sessions.h"
#include "text/json_write.h"

namespace holdfast::inline v1::copilot {
namespace {

class EventLog final : public SessionFormatter {
 public:
  EventLog(const CarriedHead& head, const Moment& moment) : head_(head), moment_(moment), id_(uuid4(moment)) {}

  const std::string& id() const override { return id_; }
  std::string path() const override { return "session-state/" + id_ + "/events.jsonl"; }

  void begin(std::string& out) override {
    const std::string now = iso8601(moment_.now);
    JsonWriter json = begin_event("session.start");
    json.key("sessionId").string(id_).key("version").int64(1).key("producer").string("holdfast");
    json.key("copilotVersion").string("0.0.0").key("startTime").string(now);
    json.key("context").begin_object().key("cwd").string(head_.project);
    if (!head_.git_branch.empty()) json.key("branch").string(head_.git_branch);
    json.end_object();
    end_event(json, now, out);
  }

  void turn(const CarriedTurn& turn, std::string& out) override {
    if (turn.role == Role::user) {
      for (const Block& block : turn.blocks) prompt(turn, block.text, out);
      return;
    }
    answer(turn, out);
    std::size_t number = 0;
    for (const Block& block : turn.blocks)
      if (block.kind == BlockKind::tool_call) result(turn, block, number++, out);
  }

 private:
  static JsonWriter begin_event(std::string_view type) {
    JsonWriter json;
    json.begin_object().key("type").string(type).key("data").begin_object();
    return json;
  }
  void end_event(JsonWriter& json, std::string_view time, std::string& out) {
    json.end_object();
    const std::string before = last_;
    last_ = uuid4(moment_);
    json.key("id").string(last_).key("timestamp").string(time).key("parentId");
    before.empty() ? json.null() : json.string(before);
    (out += json.end_object().take()) += '\n';
  }

  void prompt(const CarriedTurn& turn, std::string_view text, std::string& out) {
    JsonWriter json = begin_event("user.message");
    json.key("content").string(text).key("messageId").string(uuid4(moment_));
    end_event(json, turn.time, out);
  }

  // One message per text; calls go with the last one.
  void answer(const CarriedTurn& turn, std::string& out) {
    std::vector<std::string_view> texts;
    for (const Block& block : turn.blocks)
      if (block.kind == BlockKind::text) texts.push_back(block.text);
    if (texts.empty()) texts.emplace_back();
    for (std::size_t n = 0; n < texts.size(); ++n) {
      JsonWriter json = begin_event("assistant.message");
      json.key("messageId").string(uuid4(moment_));
      if (!turn.model.empty()) json.key("model").string(turn.model);
      json.key("content").string(texts[n]).key("toolRequests").begin_array();
      if (n + 1 == texts.size()) write_calls(json, turn);
      json.end_array();
      end_event(json, turn.time, out);
    }
  }

  static void write_calls(JsonWriter& json, const CarriedTurn& turn) {
    for (const Block& block : turn.blocks) {
      if (block.kind != BlockKind::tool_call) continue;
      json.begin_object().key("toolCallId").string(block.id).key("name").string(block.name);
      json.key("arguments").raw(block.json).key("type").string("function").end_object();
    }
  }

  void result(const CarriedTurn& turn, const Block& call, std::size_t number, std::string& out) {
    const Block& result = turn.results[number];
    JsonWriter start = begin_event("tool.execution_start");
    start.key("toolCallId").string(call.id).key("toolName").string(call.name).key("arguments").raw(call.json);
    end_event(start, turn.time, out);
    JsonWriter json = begin_event("tool.execution_complete");
    json.key("toolCallId").string(call.id).key("success").boolean(!result.is_error);
    json.key("result").begin_object().key("content").string(result.text).end_object();
    if (result.is_error) json.key("error").begin_object().key("message").string(result.text).end_object();
    end_event(json, turn.result_time(number), out);
  }

  const CarriedHead head_;
  const Moment moment_;
  const std::string id_;
  std::string last_;
};

class CopilotNewSessions final : public NewSessions {
 public:
  NewSessionTraits traits() const override {
    return {.images = false, .titles = false, .calls_last = true, .one_text = true};
  }
  Result<std::unique_ptr<SessionFormatter>> begin(Feed& /*feed*/, const CarriedHead& head,
                                                  const Moment& moment) const override {
    return std::make_unique<EventLog>(head, moment);
  }
};

}  // namespace

const NewSessions& new_sessions() {
  static const CopilotNewSessions sessions;
  return sessions;
}

}  // namespace holdfast::inline v1::copilot
