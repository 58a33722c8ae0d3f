#include "model/tally.h"

#include <algorithm>

#include "model/when.h"

namespace holdfast::inline v1 {
namespace {

void keep_largest(Usage& into, const Usage& seen) {
  into.input = std::max(into.input, seen.input);
  into.output = std::max(into.output, seen.output);
  into.cache_read = std::max(into.cache_read, seen.cache_read);
  into.cache_write = std::max(into.cache_write, seen.cache_write);
  into.reasoning = std::max(into.reasoning, seen.reasoning);
}

}  // namespace

// An answer is counted once by what names it. Tokens are counted whatever the
// message is: a response that holds nothing but tool calls, or a summary, costs too.
void Tally::count_response(const Message& message) {
  const std::string& key = message.response.empty() ? message.id : message.response;
  const bool answer = message.origin == Origin::model;
  if (key.empty()) {
    if (answer) ++counts_.assistant;
    if (message.usage) anonymous_ += *message.usage;
    return;
  }
  if (first_response_.empty()) first_response_ = message.response;
  const auto place = response_ids_.add(key);
  if (place.added) responses_.emplace_back();
  Response& response = responses_[place.number];
  if (answer && !response.counted) ++counts_.assistant;
  response.counted = response.counted || answer;
  if (message.usage) keep_largest(response.usage, *message.usage);
}

void Tally::count(const Message& message) {
  ++counts_.records;
  if (message.side) return;  // a sub-agent's: counted with the sub-agent
  any_message_ = true;
  if (first_id_.empty()) first_id_ = message.id;
  if (!message.timestamp.empty()) {
    if (first_time_.empty()) first_time_ = message.timestamp;
    last_time_ = message.timestamp;
  }
  if (!message.context.git_branch.empty()) git_branch_ = message.context.git_branch;
  if (project_.empty()) project_ = message.context.cwd;
  if (message.role == Role::user && message.origin == Origin::typed) {
    if (message.id.empty() || prompts_.add(message.id).added) ++counts_.user;
    if (first_prompt_.empty()) first_prompt_ = message.text();
    open_prompt_ = true;
  }
  if (!message.model.empty() && !message.failed && std::ranges::find(models_, message.model) == models_.end()) {
    models_.push_back(message.model);
  }
  if (message.role == Role::assistant && !message.failed) {
    count_response(message);
    if (message.origin == Origin::model) open_prompt_ = false;
  }
  if (message.origin == Origin::notice) open_prompt_ = false;
  for (const Block& block : message.blocks) {
    if (block.kind == BlockKind::tool_call && calls_.add(block.id).added) {
      ++counts_.tool_calls;
      if (results_.contains(block.id)) ++answered_;
    }
    if (block.kind == BlockKind::tool_result && results_.add(block.id).added) {
      ++counts_.tool_results;
      if (calls_.contains(block.id)) ++answered_;
    }
  }
}

void Tally::finish(Session& session) const {
  session.project = facts_.project.empty() ? project_ : facts_.project;
  session.title = facts_.title;
  session.first_prompt = first_prompt_;
  session.created_at = iso_when(facts_.created_at.empty() ? first_time_ : facts_.created_at);
  // What is written later in the log is news that a header may not have.
  session.updated_at = std::max(iso_when(facts_.updated_at), iso_when(last_time_));
  session.counts = counts_;
  session.models = models_;
  if (session.models.empty() && !facts_.model.empty() && counts_.assistant > 0) session.models.push_back(facts_.model);
  session.usage = anonymous_;
  for (const Response& response : responses_) session.usage += response.usage;
  session.git_branch = facts_.git_branch.empty() ? git_branch_ : facts_.git_branch;
  session.parent = facts_.parent;
  session.subagents = facts_.subagents.value_or(0);
  session.archived = facts_.archived.value_or(false);
  session.summary = facts_.summary;
  session.metadata = facts_.metadata;
  if (facts_.copies_keep_ids) session.lineage = {first_id_, first_response_, iso_when(facts_.began_at)};
  const bool open_call = answered_ < calls_.size();
  const Pending derived = open_call ? Pending::tool : open_prompt_ ? Pending::answer : Pending::none;
  session.pending = facts_.pending.value_or(derived);
  if (facts_.status) {
    session.status = *facts_.status;
  } else {
    session.status = session.pending == Pending::none ? Status::active : Status::interrupted;
  }
}

}  // namespace holdfast::inline v1
