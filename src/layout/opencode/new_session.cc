// Writes a document for `opencode import`: only opencode writes its database.
#include <algorithm>
#include <array>

#include "layout/new_session_parts.h"
#include "layout/new_sessions.h"
#include "layout/opencode/opencode_layout.h"
#include "text/json_write.h"

namespace holdfast::inline v1::opencode {
namespace {

// Ids that sort by time: 12 hex digits of the milliseconds and a counter, 14 random letters.
class Ids {
 public:
  Ids(const Moment& moment, std::uint64_t ms) : moment_(moment), next_(ms * 4096) {}

  std::string next(std::string_view prefix) { return made(prefix, next_++); }
  // Sessions sort from the newest to the oldest.
  std::string session() { return made("ses_", ~next_++); }

 private:
  std::string made(std::string_view prefix, std::uint64_t number) const {
    constexpr std::string_view kHex = "0123456789abcdef";
    constexpr std::string_view kLetters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    std::string id(prefix);
    for (int digit = 11; digit >= 0; --digit) id += kHex[number >> (4 * digit) & 15U];
    std::uint64_t random = moment_.entropy();
    for (int n = 0; n < 14; ++n) {
      if (n == 7) random = moment_.entropy();
      id += kLetters[random % kLetters.size()];
      random /= kLetters.size();
    }
    return id;
  }

  const Moment& moment_;
  std::uint64_t next_;
};

class ImportDocument final : public SessionFormatter {
 public:
  ImportDocument(const CarriedHead& head, const Moment& moment)
      : head_(head),
        moment_(moment),
        ids_(moment_,
             static_cast<std::uint64_t>(
                 std::chrono::duration_cast<std::chrono::milliseconds>(moment.now.time_since_epoch()).count())),
        id_(ids_.session()) {}

  const std::string& id() const override { return id_; }
  std::string path() const override { return id_ + ".json"; }

  void begin(std::string& out) override {
    JsonWriter json;
    const std::int64_t now =
        std::chrono::duration_cast<std::chrono::milliseconds>(moment_.now.time_since_epoch()).count();
    json.begin_object().key("id").string(id_).key("slug").string("handed-off").key("projectID").string("global");
    json.key("directory").string(head_.project).key("title").string(head_.title.empty() ? "Handed off" : head_.title);
    json.key("version").string("0.0.0").key("time").begin_object().key("created").int64(now).key("updated").int64(now);
    out += "{\"info\":" + json.end_object().end_object().take() + ",\"messages\":[";
  }

  void turn(const CarriedTurn& turn, std::string& out) override {
    out += first_ ? "\n" : ",\n";
    first_ = false;
    const std::string message = ids_.next("msg_");
    JsonWriter json;
    json.begin_object().key("info");
    turn.role == Role::user ? prompt_info(json, turn, message) : answer_info(json, turn, message);
    json.key("parts").begin_array();
    std::size_t number = 0;
    for (const Block& block : turn.blocks) {
      json.begin_object().key("id").string(ids_.next("prt_")).key("sessionID").string(id_);
      json.key("messageID").string(message).key("type");
      if (block.kind == BlockKind::tool_call)
        call(json, turn, block, number++, message);
      else
        said(json, turn, block);
      json.end_object();
    }
    out += json.end_array().end_object().take();
    if (turn.role == Role::user) prompt_ = message;
  }

  void end(std::string& out) override { out += "\n]}\n"; }

 private:
  void prompt_info(JsonWriter& json, const CarriedTurn& turn, std::string_view message) const {
    json.begin_object().key("id").string(message).key("sessionID").string(id_).key("role").string("user");
    json.key("time").begin_object().key("created").int64(epoch_ms(turn.time)).end_object();
    json.key("agent").string("build").key("model").begin_object().key("providerID").string("unknown");
    json.key("modelID").string("unknown").end_object().end_object();
  }

  void answer_info(JsonWriter& json, const CarriedTurn& turn, std::string_view message) const {
    json.begin_object().key("id").string(message).key("sessionID").string(id_).key("role").string("assistant");
    json.key("parentID").string(prompt_).key("mode").string("build").key("agent").string("build");
    json.key("path").begin_object().key("cwd").string(head_.project).key("root").string(head_.project).end_object();
    // The answer was paid for elsewhere.
    json.key("cost").int64(0).key("tokens").raw(R"({"input":0,"output":0,"reasoning":0,"cache":{"read":0,"write":0}})");
    json.key("modelID").string(turn.model.empty() ? std::string_view("unknown") : std::string_view(turn.model));
    json.key("providerID").string("unknown").key("time").begin_object();
    json.key("created").int64(epoch_ms(turn.time)).key("completed").int64(epoch_ms(turn.time)).end_object();
    json.key("finish").string(turn.results.empty() ? "stop" : "tool-calls").end_object();
  }

  static void times(JsonWriter& json, std::string_view start, std::string_view end) {
    json.key("time").begin_object().key("start").int64(epoch_ms(start)).key("end").int64(epoch_ms(end));
    json.end_object();
  }

  static void said(JsonWriter& json, const CarriedTurn& turn, const Block& block) {
    if (block.kind == BlockKind::image) {
      json.string("file").key("mime").string(block.media_type).key("url").string(data_url(block));
    } else if (block.kind == BlockKind::thinking) {
      json.string("reasoning").key("text").string(block.text);
      times(json, turn.time, turn.time);
    } else {
      json.string("text").key("text").string(block.text);
    }
  }

  void call(JsonWriter& json, const CarriedTurn& turn, const Block& call, std::size_t number,
            std::string_view message) {
    const Block& result = turn.results[number];
    json.string("tool").key("tool").string(call.name).key("callID").string(call.id).key("state").begin_object();
    json.key("status").string(result.is_error ? "error" : "completed").key("input").raw(call.json);
    json.key(result.is_error ? "error" : "output").string(result.text);
    if (!result.is_error) json.key("title").string("").key("metadata").raw("{}");
    if (!result.is_error) attachments(json, turn, number, message);
    times(json, turn.time, turn.result_time(number));
    json.end_object();
  }

  // A failed call has no attachments.
  void attachments(JsonWriter& json, const CarriedTurn& turn, std::size_t number, std::string_view message) {
    const auto shown = [&](const CarriedTurn::Picture& picture) { return picture.result == number; };
    if (std::ranges::none_of(turn.pictures, shown)) return;
    json.key("attachments").begin_array();
    for (const CarriedTurn::Picture& picture : turn.pictures) {
      if (!shown(picture)) continue;
      json.begin_object().key("id").string(ids_.next("prt_")).key("sessionID").string(id_).key("messageID");
      json.string(message).key("type").string("file").key("mime").string(picture.image.media_type);
      json.key("url").string(data_url(picture.image)).end_object();
    }
    json.end_array();
  }

  const CarriedHead head_;
  const Moment moment_;
  Ids ids_;
  const std::string id_;
  std::string prompt_;
  bool first_ = true;
};

class OpencodeNewSessions final : public NewSessions {
 public:
  NewSessionTraits traits() const override {
    return {.result_images = true, .failed_images = false, .branches = false, .import_command = "opencode import"};
  }
  Result<std::unique_ptr<SessionFormatter>> begin(Feed& /*feed*/, const CarriedHead& head,
                                                  const Moment& moment) const override {
    return std::make_unique<ImportDocument>(head, moment);
  }
};

}  // namespace

const NewSessions& new_sessions() {
  static const OpencodeNewSessions sessions;
  return sessions;
}

}  // namespace holdfast::inline v1::opencode
