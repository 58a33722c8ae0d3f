#include "layout/copilot/event_reader.h"

#include <utility>

#include "layout/copilot/session_folders.h"
#include "layout/json_pick.h"
#include "text/json_write.h"
#include "text/yaml_value.h"

namespace holdfast::inline v1::copilot {
namespace {

bool is_told(EventKind kind) {
  switch (kind) {
    case EventKind::user:
    case EventKind::answer:
    case EventKind::tool_result:
    case EventKind::aside:
    case EventKind::abort: return true;
    default: return false;
  }
}

void set_if(std::string& into, JsonView value) {
  if (std::string text = text_of(value); !text.empty()) into = std::move(text);
}

std::string locks_json(const std::vector<std::string>& locks) {
  return JsonWriter().begin_object().key("lock_files").strings(locks).end_object().take();
}

}  // namespace

// The parent of a message is the previous message on the chain; for the main agent, the
// previous one of the main agent. A broken chain continues with the record before the
// break.
void EventReader::link(CopilotEvent& event, std::uint64_t offset) {
  if (names_.empty()) names_.emplace_back();
  Message& message = event.message;
  std::size_t before = told_.empty() ? 0 : told_.back();
  std::size_t before_main = told_main_.empty() ? 0 : told_main_.back();
  if (!message.parent.empty()) {
    if (const auto number = ids_.number_of(message.parent)) {
      before = told_[*number];
      before_main = told_main_[*number];
    } else if (!message.id.empty()) {
      feed_.complain(ref_.place, offset, "orphan_message", "shown after the record before it");
    }
  }
  message.parent = names_[message.side ? before : before_main];
  if (message.id.empty() || !ids_.add(message.id).added) return;
  if (is_told(event.kind)) {
    names_.push_back(message.id);
    before = names_.size() - 1;
    if (!message.side) before_main = before;
  }
  told_.push_back(before);
  told_main_.push_back(before_main);
}

// The usage may have been recorded before the answer; each API call is counted once.
void EventReader::price(CopilotEvent& event) {
  if (event.api_call.empty() || priced_.contains(event.api_call)) return;
  const auto known = unspent_.find(event.api_call);
  if (known == unspent_.end()) {
    unpriced_.try_emplace(event.api_call, event.message.response);
    return;
  }
  event.message.usage = known->second.usage;
  if (event.message.model.empty()) event.message.model = known->second.model;
  priced_.add(event.api_call);
  unspent_.erase(known);
}

bool EventReader::take_usage(CopilotEvent& event) {
  Message& message = event.message;
  message.id.clear();
  message.parent.clear();
  if (event.api_call.empty()) return events_.report(std::move(message));
  if (priced_.contains(event.api_call)) return true;
  message.response = event.api_call;
  const auto answer = unpriced_.find(event.api_call);
  if (answer == unpriced_.end()) {
    unspent_.insert_or_assign(event.api_call, std::move(message));
    return true;
  }
  if (!answer->second.empty()) message.response = answer->second;
  unpriced_.erase(answer);
  priced_.add(event.api_call);
  return events_.report(std::move(message));
}

void EventReader::follow_turn(const CopilotEvent& event) {
  if (event.message.side) return;
  switch (event.kind) {
    case EventKind::user: open_ = open_ || event.message.origin == Origin::typed; break;
    case EventKind::turn_start:
      open_ = true;
      calls_ = false;
      break;
    case EventKind::answer:
      calls_ = false;
      for (const Block& block : event.message.blocks) {
        if (block.kind != BlockKind::tool_call) continue;
        calls_ = true;
        due_.insert(block.id);
      }
      open_ = calls_;
      break;
    case EventKind::tool_result: due_.erase(event.message.blocks.front().id); break;
    case EventKind::turn_end: open_ = calls_; break;
    case EventKind::abort:
    case EventKind::shutdown:
    case EventKind::resume:
      open_ = calls_ = false;
      due_.clear();
      break;
    default: break;
  }
}

Pending EventReader::pending() const {
  if (!open_) return Pending::none;
  return due_.empty() ? Pending::answer : Pending::tool;
}

void EventReader::take_place(const CopilotEvent& event) {
  if (event.message.side) return;
  if (event.kind == EventKind::model_change) set_if(facts_.model, event.data.find("newModel"));
  if (event.kind != EventKind::start && event.kind != EventKind::resume) return;
  const auto [start, model, context] = pick<3>(event.data, {"startTime", "selectedModel", "context"});
  const auto [cwd, branch] = pick<2>(context, {"cwd", "branch"});
  if (facts_.created_at.empty()) set_if(facts_.created_at, start);
  if (facts_.project.empty()) set_if(facts_.project, cwd);
  set_if(facts_.model, model);
  set_if(facts_.git_branch, branch);
  if (event.message.timestamp > facts_.updated_at) facts_.updated_at = event.message.timestamp;
}

bool EventReader::tell(CopilotEvent& event) {
  if (event.kind == EventKind::answer) price(event);
  return events_.report(std::move(event.message));
}

bool EventReader::take(const FeedRecord& record) {
  CopilotEvent event = read_event(record.bytes, options_.whole);
  Message& message = event.message;
  message.offset = record.offset;
  if (options_.raw) message.raw = record.bytes;
  if (message.side) agents_.insert(message.agent);
  follow_turn(event);
  take_place(event);
  if (options_.whole) link(event, record.offset);
  if (event.kind == EventKind::usage) return take_usage(event);
  return is_told(event.kind) ? tell(event) : true;
}

// Adds what the events do not contain; an unreadable file adds nothing.
Result<void> EventReader::read_workspace() {
  const std::string path = workspace_of(ref_);
  if (path.empty()) return {};
  constexpr std::uint64_t kLargest = std::uint64_t{1} << 20;
  auto yaml = feed_.document({ref_.place.root, path}, kLargest);
  if (!yaml && yaml.error().code != Code::too_large) return fail(std::move(yaml).error());
  if (!yaml || !*yaml) return {};
  const auto json = yaml_to_json(**yaml);
  if (!json) {
    feed_.complain({ref_.place.root, path}, 0, "not_yaml", "title and place are taken from the events");
    return {};
  }
  const auto [cwd, branch, name, summary, created, updated] =
      pick<6>(JsonView(*json), {"cwd", "branch", "name", "summary", "created_at", "updated_at"});
  facts_.title = text_of(name);
  facts_.summary = text_of(summary);
  if (facts_.title.empty()) facts_.title = facts_.summary;
  if (facts_.project.empty()) facts_.project = text_of(cwd);
  if (facts_.git_branch.empty()) facts_.git_branch = text_of(branch);
  if (facts_.created_at.empty()) facts_.created_at = text_of(created);
  if (facts_.updated_at.empty()) facts_.updated_at = text_of(updated);
  return {};
}

Result<void> EventReader::read() {
  bool wanted = true;
  HOLDFAST_TRY(feed_.records(ref_.place, {}, [&](const FeedRecord& record) {
    wanted = take(record);
    return wanted;
  }));
  if (!wanted) return {};
  // Calls that were paid for but whose answer never arrived; they are not in the order of times here.
  for (auto& [call, usage] : unspent_) {
    usage.timestamp.clear();
    if (!events_.report(std::move(usage))) return {};
  }
  HOLDFAST_TRY(read_workspace());
  facts_.subagents = static_cast<std::int64_t>(agents_.size());
  facts_.pending = pending();
  if (const auto locks = locks_of(ref_); !locks.empty()) facts_.metadata = locks_json(locks);
  events_.facts(facts_);
  return {};
}

}  // namespace holdfast::inline v1::copilot
