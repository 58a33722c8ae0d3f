#include "transfer/redacted_log.h"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "layout/holdfast/line.h"
#include "model/open_calls.h"
#include "text/json_scan.h"
#include "text/mask_paths.h"
#include "transfer/added_text.h"
#include "transfer/redacted_call.h"
#include "transfer/redacted_transcript.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kLongestText = std::size_t{128} << 10;

class RedactedLog {
 public:
  RedactedLog(const Transcript& transcript, const RedactedLogOptions& words) : transcript_(transcript), words_(words) {
    know(words.home);
    know(transcript.session.project);
  }

  std::string write() {
    std::string log = native::session_line(words_.id, {}, transcript_.session.created_at) + "\n";
    Changes none;
    for (const Message& message : transcript_.messages) {
      if (message.side || message.abandoned || is_added(message)) continue;
      log += native::message_line(told(message), none) + "\n";
    }
    return log;
  }

 private:
  // Instructions, listings and the environment, which nobody said: the agent added them.
  static bool is_added(const Message& message) {
    return message.origin == Origin::injected && message.role != Role::assistant &&
           std::ranges::none_of(message.blocks,
                                [](const Block& block) { return block.kind == BlockKind::tool_result; });
  }

  // Names with spaces are also recognized without the directories that they are in: ~/x y, ../x y.
  void know(std::string_view place) {
    if (place.empty() || std::ranges::find(places_, place) != places_.end()) return;
    places_.emplace_back(place);
    for (std::size_t at = 0; at < place.size();) {
      const std::size_t end = std::min(place.find_first_of("/\\", at), place.size());
      const std::string_view name = place.substr(at, end - at);
      if (name.contains(' ')) places_.push_back("/" + std::string(name));
      at = end + 1;
    }
  }

  // What was masked is cut, and not the other way round: half of a secret place is not recognized.
  std::string masked(std::string_view said) const {
    std::string text = without_paths(without_added_text(said), places_);
    if (text.size() <= kLongestText) return text;
    std::size_t end = kLongestText;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0U) == 0x80U) --end;
    return text.substr(0, end) + " " + std::string(kLeftOut);
  }

  Message told(const Message& message) {
    calls_.begin(message);
    know(message.context.cwd);  // not before: what was said earlier stays as it is in a longer transcript
    Message own;
    own.parent = last_;
    own.id = last_ = name_of(message.id);
    own.role = message.role;
    own.origin = message.origin;
    own.timestamp = message.timestamp;
    own.model = masked(message.model);
    own.usage = message.usage;
    own.cost = message.cost;
    // A response that was written in several records counts once, and so does one repeated by a fork.
    if (const std::string& response = message.response.empty() ? message.id : message.response;
        message.role == Role::assistant && !response.empty())
      own.response = words_.alias("response\n" + response);
    own.failed = message.failed;
    for (const Block& block : message.blocks) {
      Block one = told(block);
      const bool is_all_added = block.kind == BlockKind::text && one.text.empty() && !block.text.empty();
      if (!is_all_added) own.blocks.push_back(std::move(one));
    }
    return own;
  }

  Block told(const Block& block) {
    Block own;
    own.kind = block.kind;
    switch (block.kind) {
      case BlockKind::text:
      case BlockKind::thinking: own.text = masked(block.text); break;
      case BlockKind::tool_call:
        own.id = call_alias(block.id);
        own.name = masked(block.name);
        if (check_json(block.json).ok()) {
          RedactedCall call = redacted_call(words_.tools, block.name, block.json, places_);
          own.json = json_without_paths(call.json, places_);
          calls_.call(block.id, std::move(call));
        }
        if (own.json.empty() || own.json.size() > kLongestText) own.json = "{}";
        break;
      case BlockKind::tool_result:
        own.id = call_alias(block.id);
        own.is_error = block.is_error;
        own.text = is_told(block) ? masked(block.text) : std::string(kLeftOut);
        break;
      default: own.kind = BlockKind::text; own.text = "[" + std::string(block_kind_name(block.kind)) + " left out]";
    }
    return own;
  }

  bool is_told(const Block& result) {
    if (auto call = calls_.result(result.id)) answered_[result.id] = *std::move(call);
    if (result.text.empty()) return result.json.empty();
    const auto call = answered_.find(result.id);
    return call == answered_.end() || may_send_result(call->second, result.text);
  }

  // The new id of a message, unique within this log: messages that follow it refer to it.
  std::string name_of(const std::string& message) {
    ++count_;
    std::string name = message.empty() ? "" : words_.alias("message\n" + message);
    if (message.empty() || names_.contains(name))
      name = words_.alias("place\n" + std::string(words_.id) + "\n" + std::to_string(count_));
    names_.insert(name);
    return name;
  }

  std::string call_alias(const std::string& call) const {
    return words_.alias(call.empty() ? "calls\n" + std::string(words_.id) : "call\n" + call);
  }

  const Transcript& transcript_;
  const RedactedLogOptions& words_;
  std::vector<std::string> places_;  // directories whose names may contain spaces
  std::string last_;
  std::size_t count_ = 0;
  std::set<std::string> names_;
  OpenCalls<RedactedCall> calls_;
  std::map<std::string, RedactedCall> answered_;  // by id: the call that its last result answers
};

}  // namespace

std::string redacted_log(Transcript transcript, const RedactedLogOptions& words) {
  const std::string project = transcript.session.project;
  redact_transcript(transcript);
  transcript.session.project = project;  // needed to recognize and mask it
  return RedactedLog(transcript, words).write();
}

}  // namespace holdfast::inline v1
