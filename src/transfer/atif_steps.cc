#include "transfer/atif_steps.h"

#include <algorithm>
#include <map>

#include "model/model_json.h"
#include "model/open_calls.h"
#include "model/time_formats.h"
#include "model/usage_figures.h"

namespace holdfast::inline v1 {
namespace {

void join(std::string& into, std::string_view text) {
  if (text.empty()) return;
  if (!into.empty()) into += '\n';
  into += text;
}

class Fold {
 public:
  void take(const Message& message) {
    if (message.side) return;
    open_.begin(message);
    switch (message.role) {
      case Role::user:
        talk(message, message.origin == Origin::typed || message.origin == Origin::command ? "user" : "system");
        break;
      case Role::system: talk(message, "system"); break;
      case Role::assistant: answer(message); break;
      case Role::tool: break;
    }
    // Media that follow a result belong to it.
    std::optional<Place> last;
    for (const Block& block : message.blocks) {
      if (block.kind == BlockKind::tool_result)
        last = result(message, block);
      else if (is_media(block.kind) && last)
        steps_[last->step].media.push_back({&block, last->id});
    }
  }
  std::vector<AtifStep> finish() { return std::move(steps_); }

 private:
  // Where a call is, and what its id is there.
  struct Place {
    std::size_t step = 0;
    std::string id = {};
  };

  AtifStep& begin(const Message& message, std::string_view source) {
    AtifStep& step = steps_.emplace_back();
    step.source = source;
    step.timestamp = to_iso_time(message.timestamp);
    return step;
  }

  // Media of the message itself.
  static std::vector<AtifMedia> own_media(const Message& message) {
    std::vector<AtifMedia> media;
    for (const Block& block : message.blocks) {
      if (block.kind == BlockKind::tool_result) break;
      if (is_media(block.kind)) media.push_back({&block});
    }
    return media;
  }

  static void keep_others(const Message& message, AtifStep& step) {
    for (const Block& block : message.blocks)
      if (block.kind == BlockKind::other && !block.json.empty()) step.others.push_back(&block);
    for (const AtifMedia& media : own_media(message)) step.media.push_back(media);
  }

  void talk(const Message& message, std::string_view source) {
    std::string text = message.text();
    if (text.empty() && own_media(message).empty()) return;
    AtifStep& step = begin(message, source);
    step.text = std::move(text);
    keep_others(message, step);
    if (message.origin != Origin::typed && message.origin != Origin::notice) step.origin = origin_name(message.origin);
  }

  void answer(const Message& message) {
    const bool goes_on = !message.response.empty() && !steps_.empty() && steps_.back().response == message.response;
    AtifStep& step = goes_on ? steps_.back() : begin(message, "agent");
    step.response = message.response;
    if (!message.model.empty()) step.model = message.model;
    if (message.origin != Origin::model) step.origin = origin_name(message.origin);
    if (message.failed) step.origin = "failed";
    for (const Block& block : message.blocks) {
      if (block.kind == BlockKind::text) join(step.text, block.text);
      if (block.kind == BlockKind::thinking) join(step.reasoning, block.text);
      if (block.kind == BlockKind::tool_call) add_call(step, block);
    }
    keep_others(message, step);
    // Every record of a response repeats its usage; only the last one is complete.
    if (message.usage) keep_largest(step.usage ? *step.usage : step.usage.emplace(), *message.usage);
    if (!message.cost.empty()) step.cost = message.cost;
  }

  // An id that no other call of the last step has; never empty.
  std::string own_id(const std::string& id) {
    const std::size_t step = steps_.size() - 1;
    std::size_t& count = used_[{step, id}];
    if (++count == 1 && !id.empty()) return id;
    std::string own;
    do own = (id.empty() ? "call" : id) + "-" + std::to_string(count++);
    while (!used_.try_emplace({step, own}, 1).second);
    --count;
    return own;
  }

  void add_call(AtifStep& step, const Block& block) {
    const Place place{steps_.size() - 1, own_id(block.id)};
    step.calls.push_back({&block, place.id});
    last_.insert_or_assign(block.id, place);
    open_.call(block.id, place);
  }

  // Adds the result to its call; one more result of an answered call too.
  Place result(const Message& message, const Block& block) {
    std::optional<Place> call = open_.result(block.id);
    if (!call && open_.has_call(block.id)) call = last_.at(block.id);
    if (call) {
      steps_[call->step].results.push_back({&block, call->id});
      return *call;
    }
    AtifStep& step = begin(message, "agent");
    step.orphan = true;
    step.results.push_back({&block, block.id});
    return {steps_.size() - 1, block.id};
  }

  std::vector<AtifStep> steps_;
  OpenCalls<Place> open_;
  std::map<std::string, Place> last_;                                // by the id that the agent wrote
  std::map<std::pair<std::size_t, std::string>, std::size_t> used_;  // step and id of calls
};

}  // namespace

std::vector<AtifStep> atif_steps(const std::vector<Message>& messages) {
  Fold fold;
  for (const Message& message : messages) fold.take(message);
  return fold.finish();
}

}  // namespace holdfast::inline v1
