// Writes a new rollout that `codex resume` accepts: the header and the items of the
// conversation; events repeat the texts for its list and its view.
#include <algorithm>

#include "base/time.h"
#include "layout/codex/codex_layout.h"
#include "layout/codex/item.h"
#include "layout/new_session_parts.h"
#include "layout/new_sessions.h"
#include "text/json_text.h"
#include "text/json_write.h"

namespace holdfast::inline v1::codex {
namespace {

class Rollout final : public SessionFormatter {
 public:
  Rollout(const CarriedHead& head, const Moment& moment)
      : head_(head), made_(iso8601(moment.now)), id_(uuid7(moment)) {}

  const std::string& id() const override { return id_; }
  // The folder is named by the time of creation, in UTC: Codex lists the newest sessions first.
  std::string path() const override {
    std::string stamp = made_.substr(0, 19);
    for (char& letter : stamp) letter = letter == ':' ? '-' : letter;
    return "sessions/" + stamp.substr(0, 4) + "/" + stamp.substr(5, 2) + "/" + stamp.substr(8, 2) + "/rollout-" +
           stamp + "-" + id_ + ".jsonl";
  }

  void begin(std::string& out) override {
    JsonWriter json = begin_line(made_, "session_meta");
    json.key("id").string(id_).key("timestamp").string(made_).key("cwd").string(head_.project);
    json.key("originator").string("holdfast").key("cli_version").string("0.0.0");
    if (!head_.git_branch.empty()) json.key("git").begin_object().key("branch").string(head_.git_branch).end_object();
    end_line(json, out);
  }

  void turn(const CarriedTurn& turn, std::string& out) override {
    if (turn.role == Role::user) return prompt(turn, out);
    for (const Block& block : turn.blocks)
      block.kind == BlockKind::tool_call ? call(turn, block, out) : answer(turn, block, out);
    std::size_t number = 0;
    for (const Block& block : turn.blocks)
      if (block.kind == BlockKind::tool_call) output(turn, block, number++, out);
  }

 private:
  static JsonWriter begin_line(std::string_view time, std::string_view type) {
    JsonWriter json;
    json.begin_object().key("timestamp").string(time).key("type").string(type).key("payload").begin_object();
    return json;
  }
  static void end_line(JsonWriter& json, std::string& out) { (out += json.end_object().end_object().take()) += '\n'; }

  static void event(const CarriedTurn& turn, std::string_view type, std::string_view text, std::string& out) {
    JsonWriter json = begin_line(turn.time, "event_msg");
    json.key("type").string(type).key("message").string(text);
    end_line(json, out);
  }

  static void prompt(const CarriedTurn& turn, std::string& out) {
    JsonWriter json = begin_line(turn.time, "response_item");
    json.key("type").string("message").key("role").string("user").key("content").begin_array();
    std::string texts;
    bool typed = true;
    for (const Block& block : turn.blocks) {
      json.begin_object().key("type");
      if (block.kind == BlockKind::image) {
        json.string("input_image").key("image_url").string(data_url(block));
      } else {
        json.string("input_text").key("text").string(block.text);
        if (texts.empty()) typed = looks_typed(block.text);
        (texts += texts.empty() ? "" : "\n") += block.text;
      }
      json.end_object();
    }
    json.end_array();
    // Codex's own mark, needed where a reader would take the text for context that Codex added.
    if (!typed) {
      json.key("internal_chat_message_metadata_passthrough").begin_object().key("content_item_metadata").begin_array();
      json.begin_object().key("provenance").begin_object().key("type").string("user").end_object().end_object();
      json.end_array().end_object();
    }
    end_line(json, out);
    event(turn, "user_message", texts, out);
  }

  static void answer(const CarriedTurn& turn, const Block& block, std::string& out) {
    JsonWriter json = begin_line(turn.time, "response_item");
    json.key("type").string("message").key("role").string("assistant").key("content").begin_array();
    json.begin_object().key("type").string("output_text").key("text").string(block.text).end_object().end_array();
    end_line(json, out);
    event(turn, "agent_message", block.text, out);
  }

  // The input of a tool that takes a text.
  static std::optional<std::string> free_text(const Block& call) { return JsonView(call.json).as_string(); }

  static void call(const CarriedTurn& turn, const Block& block, std::string& out) {
    JsonWriter json = begin_line(turn.time, "response_item");
    const auto text = free_text(block);
    json.key("type").string(text ? "custom_tool_call" : "function_call").key("name").string(block.name);
    json.key(text ? "input" : "arguments").string(text ? std::string_view(*text) : std::string_view(block.json));
    json.key("call_id").string(block.id);
    end_line(json, out);
  }

  // A list of parts if there are pictures.
  static void write_output(JsonWriter& json, const CarriedTurn& turn, std::size_t number) {
    const Block& result = turn.results[number];
    const auto shown = [&](const CarriedTurn::Picture& picture) { return picture.result == number; };
    if (std::ranges::none_of(turn.pictures, shown)) {
      json.string(result.text);
      return;
    }
    json.begin_array();
    json.begin_object().key("type").string("input_text").key("text").string(result.text).end_object();
    for (const CarriedTurn::Picture& picture : turn.pictures) {
      if (!shown(picture)) continue;
      json.begin_object()
          .key("type")
          .string("input_image")
          .key("image_url")
          .string(data_url(picture.image))
          .end_object();
    }
    json.end_array();
  }

  static void output(const CarriedTurn& turn, const Block& call, std::size_t number, std::string& out) {
    JsonWriter json = begin_line(turn.result_time(number), "response_item");
    json.key("type").string(free_text(call) ? "custom_tool_call_output" : "function_call_output");
    json.key("call_id").string(turn.results[number].id).key("output");
    write_output(json, turn, number);
    end_line(json, out);
  }

  const CarriedHead head_;
  const std::string made_, id_;
};

class CodexNewSessions final : public NewSessions {
 public:
  // If the file named a model, Codex would request it, and Codex knows only its own models. A thread's
  // title is in an index that we do not write.
  NewSessionTraits traits() const override {
    return {.any_arguments = true,
            .result_images = true,
            .models = false,
            .titles = false,
            .text_input_tool = "apply_patch",
            .failures = false,
            .shows_failure = shows_failure};
  }
  Result<std::unique_ptr<SessionFormatter>> begin(Feed& /*feed*/, const CarriedHead& head,
                                                  const Moment& moment) const override {
    return std::make_unique<Rollout>(head, moment);
  }
};

}  // namespace

const NewSessions& new_sessions() {
  static const CodexNewSessions sessions;
  return sessions;
}

}  // namespace holdfast::inline v1::codex
