#include "transfer/message_checks.h"

#include <algorithm>

#include "model/time_formats.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::chrono::seconds kMoment{1};

// A record of a type that the reader does not know: nobody knows whose turn it was.
bool is_unknown(const Message& message) {
  const bool all =
      std::ranges::all_of(message.blocks, [](const Block& block) { return block.kind == BlockKind::other; });
  return message.role == Role::system && message.origin == Origin::notice && !message.blocks.empty() && all;
}

std::string agent_of(const Message& message) { return message.side ? message.agent + "\n" : std::string(); }

}  // namespace

void MessageChecks::found(const MessagePlace& place, std::string_view kind, std::string consequence, bool damage) {
  if (!place.row.empty()) consequence = "message " + place.row + ": " + consequence;
  found_.push_back({place, kind, std::move(consequence), damage});
}

// One record may be reported as several messages, which share its place.
void MessageChecks::check_id(const Message& message, const MessagePlace& place) {
  if (!message.id.empty()) {
    const bool same_record = message.id == last_id_ && message.offset == last_offset_;
    if (!ids_.add(message.id).added && !same_record)
      found(place, "duplicate_id", "the id " + message.id + " occurs twice; both are shown, it counts once", true);
    last_id_ = message.id;
    last_offset_ = message.offset;
  }
  if (!message.parent.empty() && !ids_.contains(message.parent)) parents_.push_back({message.parent, place});
}

// Programs write entries stamped by several of their threads, so small steps back are normal.
void MessageChecks::check_time(const Message& message, const MessagePlace& place) {
  const auto now = parse_any_time(message.timestamp);
  if (!now && !message.timestamp.empty() && ++bad_times_ == 1) {
    first_bad_ = place;
    bad_time_ = message.timestamp.substr(0, 60);
  }
  if (!now) return;
  const auto [last, first] = last_times_.try_emplace(agent_of(message), *now);
  if (*now + kMoment < last->second && ++times_back_ == 1) first_back_ = place;
  last->second = *now;
}

// An answer after a call means that its result was known; a prompt, a notice or a
// summary in between means that the turn was abandoned.
void MessageChecks::settle_calls(const Message& message) {
  const bool spoke = message.role == Role::assistant && !message.failed &&
                     (message.origin == Origin::model || message.origin == Origin::tool);
  const bool cut = message.role == Role::user || message.failed || message.origin == Origin::notice ||
                   message.origin == Origin::summary;
  if ((!spoke && !cut) || is_unknown(message)) return;
  const std::string agent = agent_of(message);
  const std::string& response = message.response.empty() ? message.id : message.response;
  for (auto at = open_.begin(); at != open_.end();) {
    const OpenCall& call = at->second;
    const bool later = call.response.empty() || call.response != response;
    const bool ends = call.agent == agent && (cut || later);
    if (!ends) {
      ++at;
      continue;
    }
    (cut ? excused_ : passed_).insert(std::move(*at));
    at = open_.erase(at);
  }
}

void MessageChecks::check_calls(const Message& message, const MessagePlace& place) {
  for (const Block& block : message.blocks) {
    if (block.id.empty()) continue;
    if (block.kind == BlockKind::tool_result) {
      const bool known = open_.erase(block.id) + passed_.erase(block.id) + excused_.erase(block.id) > 0;
      if (!known && !calls_.contains(block.id)) results_.push_back({block.id, place});
    }
    if (block.kind == BlockKind::tool_call && calls_.add(block.id).added) {
      const std::string& response = message.response.empty() ? message.id : message.response;
      const bool answered = std::erase_if(results_, [&](const Waiting& result) { return result.id == block.id; }) > 0;
      if (!answered && !message.abandoned) open_.emplace(block.id, OpenCall{place, agent_of(message), response});
    }
  }
}

std::string_view MessageChecks::current_file() {
  const std::string& now = file_();
  if (last_file_.data() == nullptr || now != last_file_) last_file_ = *names_.insert(now).first;
  return last_file_;
}

bool MessageChecks::message(Message message) {
  const MessagePlace place{current_file(), message.offset, message.offset == 0 ? message.id : std::string()};
  tally_.count(message);
  check_id(message, place);
  check_time(message, place);
  settle_calls(message);
  check_calls(message, place);
  return true;
}

std::vector<MessageFinding> MessageChecks::finish() {
  for (const Waiting& parent : parents_) {
    if (!ids_.contains(parent.id))
      found(parent.place, "orphan_message", "the message before it, " + parent.id + ", is missing", true);
  }
  for (const Waiting& result : results_) {
    found(result.place, "orphan_result", "the call " + result.id + " that it answers is missing", true);
  }
  for (const auto& [id, call] : passed_) {
    found(call.place, "orphan_call", "the result of the call " + id + " is missing, although the model continued",
          true);
  }
  for (const auto& [id, call] : excused_) {
    found(call.place, "orphan_call", "the call " + id + " was abandoned without a result", false);
  }
  for (const auto& [id, call] : open_) {
    found(call.place, "open_call", "the call " + id + " has no result; nothing follows it", false);
  }
  if (times_back_ > 0)
    found(first_back_, "out_of_order",
          "time goes backwards here" +
              (times_back_ > 1 ? " (and " + std::to_string(times_back_ - 1) + " more in this session)" : ""),
          false);
  if (bad_times_ > 0)
    found(first_bad_, "bad_time",
          bad_time_ + " is not a time" +
              (bad_times_ > 1 ? " (and " + std::to_string(bad_times_ - 1) + " more in this session)" : "") +
              ": it counts as none",
          false);
  return std::move(found_);
}

}  // namespace holdfast::inline v1
