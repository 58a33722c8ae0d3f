// Writes a new chat that `qwen --resume` accepts: a chain of records, with all calls of an answer in one record.
#include <algorithm>

#include "base/time.h"
#include "layout/new_session_parts.h"
#include "layout/new_sessions.h"
#include "layout/qwen/qwen_layout.h"
#include "text/base64.h"
#include "text/json_write.h"

namespace holdfast::inline v1::qwen {
namespace {

class Chat final : public SessionFormatter {
 public:
  Chat(const CarriedHead& head, const Moment& moment) : head_(head), moment_(moment), id_(uuid4(moment)) {}

  const std::string& id() const override { return id_; }
  std::string path() const override { return "projects/" + dashed_path(head_.project) + "/chats/" + id_ + ".jsonl"; }

  void begin(std::string& /*out*/) override {}

  void turn(const CarriedTurn& turn, std::string& out) override {
    const bool user = turn.role == Role::user;
    JsonWriter json = begin_record(user ? "user" : "assistant", user ? "real_user" : "assistant_output", turn.time);
    if (!user && !turn.model.empty()) json.key("model").string(turn.model);
    json.key("message").begin_object().key("role").string(user ? "user" : "model").key("parts").begin_array();
    for (const Block& block : turn.blocks) write_part(json, block);
    json.end_array().end_object();
    end_record(json, out);
    std::size_t number = 0;
    for (const Block& block : turn.blocks)
      if (block.kind == BlockKind::tool_call) result(turn, block, number++, out);
  }

  // The last record has the time when the session was made; messages may be older.
  void end(std::string& out) override {
    JsonWriter json = begin_record("system", "system", iso8601(moment_.now));
    json.key("subtype").string(head_.title.empty() ? "handed_off" : "custom_title").key("systemPayload").begin_object();
    if (!head_.title.empty()) json.key("customTitle").string(head_.title);
    json.end_object();
    end_record(json, out);
  }

 private:
  JsonWriter begin_record(std::string_view type, std::string_view provenance, std::string_view time) {
    JsonWriter json;
    json.begin_object().key("uuid");
    const std::string before = last_;
    last_ = uuid4(moment_);
    json.string(last_).key("parentUuid");
    before.empty() ? json.null() : json.string(before);
    json.key("sessionId").string(id_).key("timestamp").string(time).key("type").string(type);
    json.key("provenance").string(provenance).key("cwd").string(head_.project);
    if (!head_.git_branch.empty()) json.key("gitBranch").string(head_.git_branch);
    return json;
  }
  static void end_record(JsonWriter& json, std::string& out) { (out += json.end_object().take()) += '\n'; }

  static void write_image(JsonWriter& json, const Block& image) {
    json.key("inlineData").begin_object().key("mimeType").string(image.media_type);
    json.key("data").string(base64(image.data)).end_object();
  }

  static void write_part(JsonWriter& json, const Block& block) {
    json.begin_object();
    if (block.kind == BlockKind::tool_call) {
      json.key("functionCall").begin_object().key("id").string(block.id).key("name").string(block.name);
      json.key("args").raw(block.json).end_object();
    } else if (block.kind == BlockKind::image) {
      write_image(json, block);
    } else {
      json.key("text").string(block.text);
    }
    json.end_object();
  }

  void result(const CarriedTurn& turn, const Block& call, std::size_t number, std::string& out) {
    const Block& result = turn.results[number];
    JsonWriter json = begin_record("tool_result", "tool_result", turn.result_time(number));
    json.key("message").begin_object().key("role").string("user").key("parts").begin_array().begin_object();
    json.key("functionResponse").begin_object().key("id").string(result.id).key("name").string(call.name);
    json.key("response").begin_object().key(result.is_error ? "error" : "output").string(result.text).end_object();
    const auto shown = [&](const CarriedTurn::Picture& picture) { return picture.result == number; };
    if (std::ranges::any_of(turn.pictures, shown)) {
      json.key("parts").begin_array();
      for (const CarriedTurn::Picture& picture : turn.pictures) {
        if (!shown(picture)) continue;
        json.begin_object();
        write_image(json, picture.image);
        json.end_object();
      }
      json.end_array();
    }
    json.end_object().end_object().end_array().end_object();
    json.key("toolCallResult").begin_object().key("callId").string(result.id);
    json.key("status").string(result.is_error ? "error" : "success").end_object();
    end_record(json, out);
  }

  const CarriedHead head_;
  const Moment moment_;
  const std::string id_;
  std::string last_;
};

class QwenNewSessions final : public NewSessions {
 public:
  NewSessionTraits traits() const override { return {.alternates = true, .result_images = true}; }
  Result<std::unique_ptr<SessionFormatter>> begin(Feed& /*feed*/, const CarriedHead& head,
                                                  const Moment& moment) const override {
    constexpr std::size_t kLongest = 255;  // the client itself crashes on longer names
    if (dashed_path(head.project).size() > kLongest)
      return fail(Code::invalid_argument, "the path of the project is too long for Qwen Code", head.project);
    return std::make_unique<Chat>(head, moment);
  }
};

}  // namespace

const NewSessions& new_sessions() {
  static const QwenNewSessions sessions;
  return sessions;
}

}  // namespace holdfast::inline v1::qwen
