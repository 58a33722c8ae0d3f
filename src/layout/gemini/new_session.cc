// Writes a new chat that `gemini --resume` accepts. Results are only in their calls; otherwise the client would
// send them twice.
#include "base/hash.h"
#include "base/safe_name.h"
#include "base/time.h"
#include "layout/gemini/chat_files.h"
#include "layout/gemini/conversation.h"
#include "layout/gemini/gemini_layout.h"
#include "layout/new_session_parts.h"
#include "layout/new_sessions.h"
#include "text/base64.h"
#include "text/json_value.h"
#include "text/json_write.h"

namespace holdfast::inline v1::gemini {
namespace {

// The folder that the client has assigned to the project, else the one that it would look for.
Result<std::string> folder_of(Feed& feed, const std::string& project) {
  constexpr std::uint64_t kSmall = std::uint64_t{1} << 20;
  HOLDFAST_LET(text, feed.document({kRoot, "projects.json"}, kSmall));
  const std::string slug = text ? JsonView(*text).find("projects").find(project).as_string().value_or("") : "";
  return is_plain_name(slug) ? slug : sha256_hex(project);
}

class Chat final : public SessionFormatter {
 public:
  Chat(const CarriedHead& head, const Moment& moment, std::string folder)
      : head_(head), moment_(moment), folder_(std::move(folder)), id_(uuid4(moment)) {}

  const std::string& id() const override { return id_; }
  std::string path() const override {
    std::string minute = iso8601(moment_.now).substr(0, 16);
    for (char& letter : minute) letter = letter == ':' ? '-' : letter;
    return "tmp/" + folder_ + "/chats/session-" + minute + "-" + id_.substr(0, 8) + ".jsonl";
  }

  void begin(std::string& out) override {
    JsonWriter json;
    json.begin_object().key("sessionId").string(id_).key("projectHash").string(sha256_hex(head_.project));
    json.key("startTime").string(iso8601(moment_.now)).key("lastUpdated").string(iso8601(moment_.now));
    json.key("kind").string("main").key("directories").begin_array().string(head_.project).end_array();
    (out += json.end_object().take()) += '\n';
  }

  void turn(const CarriedTurn& turn, std::string& out) override {
    JsonWriter json;
    const bool user = turn.role == Role::user;
    json.begin_object().key("id").string(uuid4(moment_)).key("timestamp").string(turn.time);
    json.key("type").string(user ? "user" : "gemini").key("content");
    write_content(json, turn, user);
    if (!user) {
      json.key("thoughts").begin_array().end_array();
      if (!turn.model.empty()) json.key("model").string(turn.model);
      if (!turn.results.empty()) write_calls(json, turn);
    }
    (out += json.end_object().take()) += '\n';
  }

 private:
  static JsonWriter& write_image(JsonWriter& json, const Block& image) {
    json.key("inlineData").begin_object().key("mimeType").string(image.media_type);
    return json.key("data").string(base64(image.data)).end_object();
  }

  static void write_content(JsonWriter& json, const CarriedTurn& turn, bool user) {
    std::vector<const Block*> said;
    for (const Block& block : turn.blocks)
      if (block.kind != BlockKind::tool_call) said.push_back(&block);
    if (!user && said.size() < 2) {
      json.string(said.empty() ? std::string_view() : std::string_view(said[0]->text));
      return;
    }
    json.begin_array();
    for (const Block* block : said) {
      json.begin_object();
      if (block->kind == BlockKind::image) {
        write_image(json, *block);
      } else {
        json.key("text").string(block->text);
      }
      json.end_object();
    }
    json.end_array();
  }

  static void write_calls(JsonWriter& json, const CarriedTurn& turn) {
    json.key("toolCalls").begin_array();
    std::size_t number = 0;
    for (const Block& call : turn.blocks) {
      if (call.kind != BlockKind::tool_call) continue;
      const std::string& time = turn.result_time(number);
      const Block& result = turn.results[number];
      json.begin_object().key("id").string(call.id).key("name").string(call.name).key("args").raw(call.json);
      json.key("result").begin_array().begin_object().key("functionResponse").begin_object();
      json.key("id").string(call.id).key("name").string(call.name).key("response").begin_object();
      json.key(result.is_error ? "error" : "output").string(result.text);
      json.end_object().end_object().end_object();
      for (const CarriedTurn::Picture& picture : turn.pictures)
        if (picture.result == number) write_image(json.begin_object(), picture.image).end_object();
      ++number;
      json.end_array();
      json.key("status").string(result.is_error ? "error" : "success").key("timestamp").string(time);
      json.end_object();
    }
    json.end_array();
  }

  const CarriedHead head_;
  const Moment moment_;
  const std::string folder_, id_;
};

// When it resumes, the client does not send prompts to its model that begin with / or ?.
Origin inferred_origin(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  const bool dropped = begin != std::string_view::npos && (text[begin] == '/' || text[begin] == '?');
  return dropped ? Origin::command : origin_of_text(text);
}

class GeminiNewSessions final : public NewSessions {
 public:
  NewSessionTraits traits() const override {
    return {.alternates = true,
            .result_images = true,
            .titles = false,
            .branches = false,
            .calls_last = true,
            .inferred_origin = inferred_origin};
  }
  Result<std::unique_ptr<SessionFormatter>> begin(Feed& feed, const CarriedHead& head,
                                                  const Moment& moment) const override {
    HOLDFAST_LET(folder, folder_of(feed, head.project));
    return std::make_unique<Chat>(head, moment, std::move(folder));
  }
};

}  // namespace

const NewSessions& new_sessions() {
  static const GeminiNewSessions sessions;
  return sessions;
}

}  // namespace holdfast::inline v1::gemini
