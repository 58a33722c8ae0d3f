// Writes a new session that `pi --session` accepts.
#include "base/safe_name.h"
#include "base/time.h"
#include "layout/new_session_parts.h"
#include "layout/new_sessions.h"
#include "layout/pi/belongings.h"
#include "layout/pi/pi_layout.h"
#include "layout/tool_dialect_parts.h"
#include "text/base64.h"
#include "text/json_write.h"

namespace holdfast::inline v1::pi {
namespace {

std::string folder_name(std::string_view project) {
  std::string name(project.substr(project.starts_with('/') ? 1 : 0));
  for (char& letter : name) letter = letter == '/' || letter == '\\' || letter == ':' ? '-' : letter;
  return "--" + name + "--";
}

void write_image(JsonWriter& json, const Block& image) {
  json.begin_object().key("type").string("image").key("data").string(base64(image.data));
  json.key("mimeType").string(image.media_type).end_object();
}

class Log final : public SessionFormatter {
 public:
  Log(const CarriedHead& head, const Moment& moment) : head_(head), moment_(moment), id_(uuid7(moment)) {}

  const std::string& id() const override { return id_; }
  std::string path() const override {
    std::string stamp = iso8601(moment_.now);
    for (char& letter : stamp) letter = letter == ':' || letter == '.' ? '-' : letter;
    return "sessions/" + folder_name(head_.project) + "/" + stamp + "_" + id_ + ".jsonl";
  }

  void begin(std::string& out) override {
    JsonWriter json;
    json.begin_object().key("type").string("session").key("version").int64(3).key("id").string(id_);
    json.key("timestamp").string(iso8601(moment_.now)).key("cwd").string(head_.project);
    (out += json.end_object().take()) += '\n';
    if (head_.title.empty()) return;
    json = begin_entry("session_info", head_.began);
    (out += json.key("name").string(head_.title).end_object().take()) += '\n';
  }

  void turn(const CarriedTurn& turn, std::string& out) override {
    if (turn.role == Role::user) return prompt(turn, out);
    answer(turn, out);
    std::size_t number = 0;
    for (const Block& block : turn.blocks)
      if (block.kind == BlockKind::tool_call) result(turn, block, number++, out);
  }

 private:
  JsonWriter begin_entry(std::string_view type, std::string_view time) {
    JsonWriter json;
    json.begin_object().key("type").string(type).key("id");
    const std::string before = last_;
    last_ = hex_digits(moment_, 8);
    json.string(last_).key("parentId");
    before.empty() ? json.null() : json.string(before);
    json.key("timestamp").string(time);
    return json;
  }
  JsonWriter begin_message(std::string_view role, std::string_view time) {
    JsonWriter json = begin_entry("message", time);
    json.key("message").begin_object().key("role").string(role);
    return json;
  }
  static void end_message(JsonWriter& json, std::string_view time, std::string& out) {
    (out += json.key("timestamp").int64(epoch_ms(time)).end_object().end_object().take()) += '\n';
  }

  void prompt(const CarriedTurn& turn, std::string& out) {
    JsonWriter json = begin_message("user", turn.time);
    json.key("content").begin_array();
    for (const Block& block : turn.blocks)
      block.kind == BlockKind::image ? write_image(json, block) : void(json.raw(text_block("text", block.text)));
    json.end_array();
    end_message(json, turn.time, out);
  }

  void answer(const CarriedTurn& turn, std::string& out) {
    JsonWriter json = begin_message("assistant", turn.time);
    json.key("content").begin_array();
    for (const Block& block : turn.blocks) {
      if (block.kind == BlockKind::text) {
        json.raw(text_block("text", block.text));
      } else if (block.kind == BlockKind::thinking) {
        json.begin_object().key("type").string("thinking").key("thinking").string(block.text).end_object();
      } else {
        json.begin_object().key("type").string("toolCall").key("id").string(block.id).key("name").string(block.name);
        json.key("arguments").raw(block.json).end_object();
      }
    }
    json.end_array().key("api").string("unknown").key("provider").string("unknown").key("model");
    json.string(turn.model.empty() ? std::string_view("unknown") : std::string_view(turn.model));
    // The answer was paid for elsewhere.
    json.key("usage").raw(R"({"input":0,"output":0,"cacheRead":0,"cacheWrite":0,"totalTokens":0,)"
                          R"("cost":{"input":0,"output":0,"cacheRead":0,"cacheWrite":0,"total":0}})");
    json.key("stopReason").string(turn.results.empty() ? "stop" : "toolUse");
    end_message(json, turn.time, out);
  }

  void result(const CarriedTurn& turn, const Block& call, std::size_t number, std::string& out) {
    const Block& result = turn.results[number];
    JsonWriter json = begin_message("toolResult", turn.result_time(number));
    json.key("toolCallId").string(result.id).key("toolName").string(call.name).key("content").begin_array();
    json.raw(text_block("text", result.text));
    for (const CarriedTurn::Picture& picture : turn.pictures)
      if (picture.result == number) write_image(json, picture.image);
    json.end_array().key("isError").boolean(result.is_error);
    end_message(json, turn.result_time(number), out);
  }

  const CarriedHead head_;
  const Moment moment_;
  const std::string id_;
  std::string last_;
};

class PiNewSessions final : public NewSessions {
 public:
  NewSessionTraits traits() const override { return {.thinks = true, .result_images = true, .branches = false}; }
  Result<std::unique_ptr<SessionFormatter>> begin(Feed& /*feed*/, const CarriedHead& head,
                                                  const Moment& moment) const override {
    if (!is_plain_name(folder_name(head.project)))
      return fail(Code::invalid_argument, "pi cannot name a folder after this project", head.project);
    return std::make_unique<Log>(head, moment);
  }
};

}  // namespace

Result<std::string> folder_of(std::string_view project) { return folder_name(project); }

const NewSessions& new_sessions() {
  static const PiNewSessions sessions;
  return sessions;
}

}  // namespace holdfast::inline v1::pi
