// Writes a new transcript that `claude --resume` accepts: a chain of records, with
// calls made together in one record and their results in the next.
#include <algorithm>

#include "base/time.h"
#include "layout/claude_code/claude_code_layout.h"
#include "layout/claude_code/record.h"
#include "layout/claude_code/transcripts.h"
#include "layout/new_session_parts.h"
#include "layout/new_sessions.h"
#include "text/base64.h"
#include "text/json_value.h"
#include "text/json_write.h"

namespace holdfast::inline v1::claude_code {
namespace {

void write_image(JsonWriter& json, const Block& image) {
  json.begin_object().key("type").string("image").key("source").begin_object().key("type").string("base64");
  json.key("media_type").string(image.media_type).key("data").string(base64(image.data)).end_object().end_object();
}

void write_text(JsonWriter& json, std::string_view text) {
  json.begin_object().key("type").string("text").key("text").string(text).end_object();
}

// The API takes PDF, and texts of one type.
void write_document(JsonWriter& json, const Block& document) {
  const bool text = document.media_type.starts_with("text/");
  json.begin_object().key("type").string("document").key("source").begin_object();
  json.key("type").string(text ? "text" : "base64").key("media_type").string(text ? "text/plain" : document.media_type);
  json.key("data").string(text ? document.data : base64(document.data)).end_object();
  const JsonView extra(document.extra);
  const JsonView title = extra.find("title"), context = extra.find("context"), citations = extra.find("citations");
  if (title.kind() == JsonKind::string)
    json.key("title").raw(title.raw());
  else if (!document.text.empty())
    json.key("title").string(document.text);
  if (context.kind() == JsonKind::string) json.key("context").raw(context.raw());
  if (citations.kind() == JsonKind::object) json.key("citations").raw(citations.raw());
  json.end_object();
}

void write_said(JsonWriter& json, const Block& block) {
  if (block.kind == BlockKind::image) return write_image(json, block);
  if (block.kind == BlockKind::document) return write_document(json, block);
  write_text(json, block.text);
}

class Transcript final : public SessionFormatter {
 public:
  Transcript(const CarriedHead& head, const Moment& moment) : head_(head), moment_(moment), id_(uuid4(moment)) {}

  const std::string& id() const override { return id_; }
  std::string path() const override {
    return std::string(kProjects) + "/" + dashed_path_max_200(head_.project) + "/" + id_ + ".jsonl";
  }

  // The client begins a file like this, too. The record has the time of the file; messages may be older.
  void begin(std::string& out) override {
    JsonWriter json;
    json.begin_object().key("type").string("queue-operation").key("operation").string("dequeue");
    json.key("timestamp").string(iso8601(moment_.now)).key("sessionId").string(id_);
    (out += json.end_object().take()) += '\n';
  }

  void turn(const CarriedTurn& turn, std::string& out) override {
    if (turn.role == Role::user) return prompt(turn, out);
    answer(turn, out);
    if (!turn.results.empty()) results(turn, out);
  }

  void end(std::string& out) override {
    if (head_.title.empty()) return;
    JsonWriter json;
    json.begin_object().key("type").string("custom-title").key("customTitle").string(head_.title);
    (out += json.key("sessionId").string(id_).end_object().take()) += '\n';
  }

 private:
  JsonWriter begin_record(std::string_view type, std::string_view time) {
    JsonWriter json;
    json.begin_object().key("parentUuid");
    last_.empty() ? json.null() : json.string(last_);
    last_ = uuid4(moment_);
    json.key("isSidechain").boolean(false).key("userType").string("external").key("cwd").string(head_.project);
    json.key("sessionId").string(id_);
    if (!head_.git_branch.empty()) json.key("gitBranch").string(head_.git_branch);
    json.key("type").string(type).key("uuid").string(last_).key("timestamp").string(time);
    json.key("message").begin_object();
    return json;
  }
  static void end_record(JsonWriter& json, std::string& out) { (out += json.end_object().end_object().take()) += '\n'; }

  void prompt(const CarriedTurn& turn, std::string& out) {
    JsonWriter json = begin_record("user", turn.time);
    json.key("role").string("user").key("content");
    if (turn.blocks.size() == 1 && turn.blocks[0].kind == BlockKind::text) {
      json.string(turn.blocks[0].text);
    } else {
      json.begin_array();
      for (const Block& block : turn.blocks) write_said(json, block);
      json.end_array();
    }
    end_record(json, out);
  }

  void answer(const CarriedTurn& turn, std::string& out) {
    JsonWriter json = begin_record("assistant", turn.time);
    json.key("id").string("msg_" + hex_digits(moment_, 16)).key("type").string("message").key("role");
    json.string("assistant").key("model").string(turn.model).key("content").begin_array();
    for (const Block& block : turn.blocks) {
      if (block.kind != BlockKind::tool_call) {
        write_text(json, block.text);
        continue;
      }
      json.begin_object().key("type").string("tool_use").key("id").string(block.id).key("name").string(block.name);
      json.key("input").raw(block.json).end_object();
    }
    json.end_array().key("stop_reason").string(turn.results.empty() ? "end_turn" : "tool_use").key("stop_sequence");
    // The answer was paid for elsewhere.
    json.null().key("usage").begin_object().key("input_tokens").int64(0).key("output_tokens").int64(0).end_object();
    end_record(json, out);
  }

  static void write_output(JsonWriter& json, const CarriedTurn& turn, std::size_t number) {
    const auto shown = [&](const CarriedTurn::Picture& picture) { return picture.result == number; };
    if (std::ranges::none_of(turn.pictures, shown)) {
      json.string(turn.results[number].text);
      return;
    }
    json.begin_array();
    if (!turn.results[number].text.empty()) write_text(json, turn.results[number].text);
    for (const CarriedTurn::Picture& picture : turn.pictures)
      if (shown(picture)) write_image(json, picture.image);
    json.end_array();
  }

  void results(const CarriedTurn& turn, std::string& out) {
    JsonWriter json = begin_record("user", turn.results_time());
    json.key("role").string("user").key("content").begin_array();
    for (std::size_t n = 0; n < turn.results.size(); ++n) {
      const Block& result = turn.results[n];
      json.begin_object().key("tool_use_id").string(result.id).key("type").string("tool_result").key("content");
      write_output(json, turn, n);
      if (result.is_error) json.key("is_error").boolean(true);
      json.end_object();
    }
    json.end_array();
    end_record(json, out);
  }

  const CarriedHead head_;
  const Moment moment_;
  const std::string id_;
  std::string last_;
};

class ClaudeNewSessions final : public NewSessions {
 public:
  NewSessionTraits traits() const override {
    return {.result_images = true, .documents = true, .inferred_origin = origin_of_text};
  }
  Result<std::unique_ptr<SessionFormatter>> begin(Feed& /*feed*/, const CarriedHead& head,
                                                  const Moment& moment) const override {
    return std::make_unique<Transcript>(head, moment);
  }
};

}  // namespace

const NewSessions& new_sessions() {
  static const ClaudeNewSessions sessions;
  return sessions;
}

}  // namespace holdfast::inline v1::claude_code
