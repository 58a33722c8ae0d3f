#include "layout/codex/rollout_reader.h"

#include <algorithm>
#include <utility>

#include "base/hash.h"
#include "layout/json_pick.h"
#include "layout/quick_pick.h"
#include "layout/unknown_content.h"
#include "model/facts_packing.h"
#include "model/usage_figures.h"
#include "text/json_string.h"

namespace holdfast::inline v1::codex {

namespace {

// The type of a completed item comes first: a prompt, the begin or end of a review, or a call of a multi-agent tool,
// which names threads.
constexpr std::string_view kUserMessage = "\"UserMessage\"", kCollab = "\"CollabAgentToolCall\"",
                           kReviewMode = "edReviewMode\"";
constexpr std::size_t kTypeWithin = 512;

// Whether a large record only repeats other records, judged by the first key of its payload.
bool repeats(std::string_view type, JsonCursor payload) {
  if (type == "world_state") return true;
  std::string_view key;
  if (type != "event_msg" || !payload.enter_object() || !payload.next_key(key) || key != "type") return false;
  const std::string_view event = payload.word();
  if (event == "item_completed") {
    const std::string_view item = payload.rest().substr(0, kTypeWithin);
    return !item.contains(kUserMessage) && !item.contains(kReviewMode);
  }
  return event == "thread_settings_applied" || event == "agent_message";
}

}  // namespace

RolloutReader::RolloutReader(Events& events, std::string thread, bool raw, bool whole)
    : events_(events), thread_(std::move(thread)), raw_(raw), whole_(whole), root_(thread_) {}

void RolloutReader::begin_file(std::optional<Position> left) {
  flush();
  left_ = left;
  base_known_ = !have_meta_;  // totals of a later file continue from a position that the file does not contain
  turn_open_ = has_usage_records_ = false;
  open_calls_.clear();
  untold_.clear();
  heard_.reset();
  in_review_ = false;
}

bool RolloutReader::take(const FeedRecord& record) {
  JsonView timestamp, ordinal, payload, metadata, id;
  std::string_view key, type;
  bool state = false;  // before 0.32: the state of the thread, which the items repeat
  JsonCursor at(record.bytes, record.marks);
  at.enter_object();
  std::optional<Item> brief;
  std::optional<JsonCursor> begin;  // of its payload
  std::optional<EventFields> told;
  std::optional<FigureFields> figures;
  std::string_view copied = record.bytes;
  while (at.next_key(key)) {
    if (key == "payload") copied = at.rest();
    if (key == "payload" && repeats(type, at)) {
      if (record.bytes.substr(0, kTypeWithin).contains(kCollab)) note_agents(record.bytes);
      return wanted_;
    }
    if (key == "payload" && (!whole_ || record.skim) && type == "response_item") {
      begin = at;
      brief = read_item_briefly(at);
      continue;
    }
    const bool fields = key == "payload" && at.kind() == JsonKind::object;
    if (fields && type == "event_msg") {
      told = read_event(at);
      continue;
    }
    if (fields && type == "token_usage_record") {
      figures = read_figures(at);
      continue;
    }
    JsonView* const field = key == "timestamp"  ? &timestamp
                            : key == "ordinal"  ? &ordinal
                            : key == "payload"  ? &payload
                            : key == "metadata" ? &metadata
                            : key == "id"       ? &id
                                                : nullptr;
    state = state || key == "record_type";
    if (key == "type")
      type = at.word();
    else if (field != nullptr)
      *field = at.skip();
    else
      at.step_over();
  }
  const Line line{record, timestamp.raw(), ordinal.as_int64().value_or(-1), copied};
  if (brief) {
    // A result that names a sub-agent is read whole.
    if (brief->kind == ItemKind::result && spawn_calls_.contains(brief->blocks[0].id)) brief = read_item(begin->skip());
    item(line, std::move(*brief), metadata);
  } else if (told) {
    event(line, *told);
  } else if (figures) {
    usage_record(line, *figures);
  } else if (payload.kind() == JsonKind::object) {
    if (type == "response_item") {
      item(line, read_item(payload), metadata);
    } else if (type == "event_msg") {
      JsonCursor inside(payload.raw());
      event(line, read_event(inside));
    } else if (type == "turn_context") {
      turn_context(payload);
    } else if (type == "token_usage_record") {
      JsonCursor inside(payload.raw());
      usage_record(line, read_figures(inside));
    } else if (type == "session_meta") {
      meta(payload);
    } else if (type == "compacted") {
      compacted(line, payload);
    } else if (type != "world_state") {
      unknown(line);
    }
  } else if (!type.empty()) {  // before 0.32: items without a wrapper
    item(line, read_item(JsonView(record.bytes)), {});
  } else if (id.kind() == JsonKind::string) {
    meta(JsonView(record.bytes));
  } else if (!state) {
    unknown(line);
  }
  return wanted_;
}

void RolloutReader::meta(JsonView payload) {
  if (std::string id = text_of(payload.find("id")); !id.empty() && id != root_) {
    root_ = std::move(id);
    items_ = 0;
  }
  if (have_meta_) return;  // of another segment, or replayed from the parent
  have_meta_ = true;
  const Meta meta = read_meta(payload, thread_);
  facts_ = meta.facts;
  version_ = meta.version;
  branch_ = meta.facts.git_branch;
  cwd_ = meta.facts.project;
  base_known_ = !meta.base;
}

void RolloutReader::turn_context(JsonView payload) {
  const auto [cwd, model, policy] = quick_pick<3>(payload, {"cwd", "model", "approval_policy"});
  if (cwd.kind() == JsonKind::string) cwd_ = text_of(cwd);
  if (model.kind() == JsonKind::string) model_ = text_of(model);
  policy_ = text_of(policy);
  if (facts_.project.empty()) facts_.project = cwd_;
}

RolloutReader::EventFields RolloutReader::read_event(JsonCursor& payload) {
  EventFields fields;
  std::string_view key;
  if (!payload.enter_object()) {
    payload.step_over();
    return fields;
  }
  while (payload.next_key(key)) {
    if (key == "type")
      fields.type = payload.skip();
    else if (key == "info") {
      const auto [total, last] = quick_pick<2>(payload, {"total_token_usage", "last_token_usage"});
      fields.total = total;
      fields.last = last;
    } else if (key == "message")
      fields.message = payload.skip();
    else if (key == "reason")
      fields.reason = payload.skip();
    else if (key == "images")
      fields.images = payload.skip();
    else if (key == "local_images")
      fields.local_images = payload.skip();
    else if (key == "item")
      fields.item = payload.skip();
    else
      payload.step_over();
  }
  return fields;
}

void RolloutReader::event(const Line& line, const EventFields& fields) {
  const auto& [type, total, message, reason, last, images, local_images, done] = fields;
  if (type.is_string("token_count")) {
    token_count(total, last);
  } else if (type.is_string("task_started") || type.is_string("turn_started")) {
    turns_told_ = turn_open_ = true;
    abort_shown_ = false;
    open_calls_.clear();
    untold_.clear();
    heard_.reset();
  } else if (type.is_string("task_complete") || type.is_string("turn_complete")) {
    turns_told_ = true;
    turn_open_ = in_review_ = false;
  } else if (type.is_string("turn_aborted")) {
    if (!abort_shown_) notice(line, std::string(kOwnPhrases[0]) + text_of(reason));
    turns_told_ = true;
    turn_open_ = abort_shown_ = in_review_ = false;
  } else if (type.is_string("error") || type.is_string("stream_error")) {
    notice(line, tool_output_text(message));
  } else if (type.is_string("user_message")) {
    told_prompt(line, {message, images, local_images, {}});
  } else if (type.is_string("entered_review_mode")) {
    in_review_ = true;
  } else if (type.is_string("exited_review_mode")) {
    in_review_ = false;
  } else if (type.is_string("item_completed")) {
    const JsonView kind = done.find("type");
    if (kind.is_string("UserMessage")) told_prompt(line, {{}, {}, {}, done.find("content")});
    in_review_ = kind.is_string("EnteredReviewMode") || (in_review_ && !kind.is_string("ExitedReviewMode"));
  }
}

const Usage& RolloutReader::total() {
  if (std::exchange(total_unread_, false)) total_ = read_usage(JsonView(total_bytes_));
  return total_;
}

void RolloutReader::token_count(JsonView written, JsonView last) {
  // If each response has a record of its counts, totals only repeat them, and they drop after a kill and a resume.
  if (has_usage_records_ || !written || written.raw() == total_bytes_) return;
  const Usage before = total();
  const Usage now = read_usage(written);
  total_bytes_ = written.raw();
  if (now == before) return;
  // Totals that dropped were counted from the start again. In a file that begins in the middle
  // of a thread, the first total is the parent's.
  const bool fell = now.output < before.output || now.input < before.input;
  Usage more = now;
  if (!fell) {
    for (const auto figure : kUsageFigures) more.*figure -= before.*figure;
  }
  // A fork may repeat the history of its parent without the totals, which its own first total includes.
  if (root_ != thread_ && before == Usage{} && last.kind() == JsonKind::object) {
    const Usage own = read_usage(last);
    if (own.input <= now.input && own.output <= now.output) more = own;
  }
  total_ = now;
  if (std::exchange(base_known_, true)) add_usage(more);
}

RolloutReader::FigureFields RolloutReader::read_figures(JsonCursor& payload) {
  FigureFields fields;
  std::string_view key;
  if (!payload.enter_object()) {
    payload.step_over();
    return fields;
  }
  while (payload.next_key(key)) {
    if (key == "response_id")
      fields.response = payload.skip();
    else if (key == "usage")
      fields.usage = read_usage(payload);
    else if (key == "thread_token_usage")
      fields.total = payload.skip();
    else
      payload.step_over();
  }
  return fields;
}

void RolloutReader::usage_record(const Line& line, const FigureFields& fields) {
  has_usage_records_ = true;
  if (fields.total) {
    total_bytes_ = fields.total.raw();
    total_unread_ = true;
    base_known_ = true;
  }
  Message& message = (open_ ? queue_[open_->number] : open_response(line)).message;
  message.usage = fields.usage;
  message.response = text_of(fields.response);
  flush();
}

void RolloutReader::add_usage(const Usage& usage) {
  if (!open_) {
    carried_ = carried_.value_or(Usage{});
    *carried_ += usage;
    return;
  }
  Message& message = queue_[open_->number].message;
  message.usage = message.usage.value_or(Usage{});
  *message.usage += usage;
  open_.reset();
}

void RolloutReader::item(const Line& line, Item item, JsonView metadata) {
  ++items_;
  switch (item.kind) {
    case ItemKind::prompt:
    case ItemKind::context: return prompt(line, std::move(item));
    case ItemKind::answer: return answer(line, std::move(item), metadata.find("compaction_output").as_bool() == true);
    case ItemKind::reasoning:
    case ItemKind::call: return reasoning_or_call(line, std::move(item));
    case ItemKind::result: return result(line, std::move(item));
    case ItemKind::other: return unknown(line, std::move(item));
  }
}

void RolloutReader::prompt(const Line& line, Item item) {
  if (item.kind == ItemKind::prompt) {
    const std::uint64_t text = xxh3_64(text_of_prompt(item));
    const bool by_person = item.origin == Origin::typed;
    if (by_person) in_review_ = false;  // a killed review has no end
    if (told_ == text) {
      queue_.pop_back();  // a rescue puts the item after its event
    } else {
      if (untold_.size() == kMostUntold) untold_.erase(untold_.begin());
      untold_.push_back({text, by_person});
    }
  }
  flush();
  const bool context = item.kind == ItemKind::context;
  Message& message = start(line, context ? Role::system : Role::user, item.origin);
  message.id = std::move(item.id);
  message.blocks = std::move(item.blocks);
  if (item.origin == Origin::notice) {
    abort_shown_ = true;
    end_untold_turn();
  }
  if (item.origin == Origin::typed) typed(message);
  flush();
}

void RolloutReader::typed(Message& message) {
  message.model = model_;
  message.context = {.cwd = cwd_, .git_branch = branch_, .permission_mode = policy_, .version = version_};
  turn_open_ = turn_open_ || !are_kept_outputs(message.blocks);
}

// Whether the item of the event was read. If none of this turn has the same text (an event may leave out pictures), a
// typed prompt is the first that was typed.
bool RolloutReader::is_told_of(std::uint64_t text, bool typed) {
  auto found = std::ranges::find(untold_, text, &Prompt::text);
  if (found == untold_.end() && typed) found = std::ranges::find(untold_, true, &Prompt::typed);
  if (found == untold_.end()) return false;
  untold_.erase(found);
  return true;
}

// Several events may tell of one prompt.
void RolloutReader::told_prompt(const Line& line, const ToldPrompt& prompt) {
  if (in_review_) return;
  const std::string said = text_of_told(prompt);
  const std::uint64_t text = xxh3_64(said);
  const bool by_person = looks_typed(said);  // older versions tell of what they insert, too
  if (is_told_of(text, by_person)) {
    heard_ = text;
    return;
  }
  if (heard_ == text || !by_person) return;
  std::vector<Block> blocks = blocks_of_told(prompt);
  if (blocks.empty()) return;
  flush();
  Message& message = start(line, Role::user, Origin::typed);
  message.blocks = std::move(blocks);
  typed(message);
  told_ = heard_ = text;
}

void RolloutReader::answer(const Line& line, Item item, bool summary) {
  untold_.clear();
  if (open_ && queue_[open_->number].has_answer) flush();  // one Message for each stored message
  Waiting& waiting = open_response(line);
  waiting.has_answer = true;
  waiting.message.origin = summary ? Origin::summary : Origin::model;
  if (!summary) end_untold_turn();
  waiting.message.id = std::move(item.id);
  for (Block& block : item.blocks) waiting.message.blocks.push_back(std::move(block));
}

void RolloutReader::reasoning_or_call(const Line& line, Item item) {
  untold_.clear();
  if (item.kind != ItemKind::call && item.blocks.empty()) return;
  Message& message = open_response(line).message;
  if (message.id.empty()) message.id = std::move(item.id);
  for (Block& block : item.blocks) {
    if (block.kind == BlockKind::tool_call) open_calls_.insert(block.id);
    if (block.kind == BlockKind::tool_result) open_calls_.erase(block.id);
    if (item.name == "spawn_agent") spawn_calls_.insert(block.id);
    message.blocks.push_back(std::move(block));
  }
}

void RolloutReader::result(const Line& line, Item item) {
  Message& message = start(line, Role::tool, Origin::tool);
  message.id = std::move(item.id);
  for (Block& block : item.blocks) {
    open_calls_.erase(block.id);
    note_spawn(block);
    message.blocks.push_back(std::move(block));
  }
  if (open_)
    open_->result = true;
  else
    flush();
}

void RolloutReader::note_spawn(const Block& result) {
  if (!spawn_calls_.contains(result.id)) return;
  const std::string agent = text_of(JsonView(result.text).find("agent_id"));
  if (!agent.empty()) agents_.insert(agent);
}

// Newer versions name the threads in an event, whatever the tool's result says.
void RolloutReader::note_agents(std::string_view record) {
  const JsonView item = JsonView(record).find("payload").find("item");
  if (!item.find("tool").is_string("spawn_agent")) return;
  for (const JsonItem& thread : item.find("receiver_thread_ids").elements()) {
    if (thread.value.kind() == JsonKind::string) agents_.insert(text_of(thread.value));
  }
}

void RolloutReader::compacted(const Line& line, JsonView payload) {
  flush();
  Message& message = start(line, Role::user, Origin::summary);
  const JsonView said = payload.find("message");
  if (!said)
    append_renamed(payload,
                   {"replacement_history", "replacement_history_metadata", "retained_context", "resume_metadata",
                    "latest_token_usage_record"},
                   message.blocks);
  if (said.kind() == JsonKind::string || (!said && message.blocks.empty()))
    message.blocks.push_back({.kind = BlockKind::text, .text = text_of(said)});
  else
    append_unknown(said, message.blocks);
  flush();
}

// A record of an unknown version, inside a response or not.
void RolloutReader::unknown(const Line& line) {
  const JsonView record(line.record.bytes);
  if (record.fields().empty()) return;
  const bool whole = whole_ && !line.record.skim;
  Item item;
  item.blocks.push_back(whole ? unknown_record(record) : Block{.kind = BlockKind::other});
  unknown(line, std::move(item));
}

// It says nothing about the turn: a call before it still waits for its result.
void RolloutReader::unknown(const Line& line, Item item) {
  Message& message = start(line, Role::system, Origin::notice);
  message.id = std::move(item.id);
  message.blocks = std::move(item.blocks);
  if (!open_) flush();
}

// In versions without events for turns, what is said tells where a turn ends.
void RolloutReader::end_untold_turn() {
  if (!turns_told_) turn_open_ = false;
}

void RolloutReader::notice(const Line& line, std::string text) {
  flush();
  end_untold_turn();
  Message& message = start(line, Role::system, Origin::notice);
  message.blocks.push_back({.kind = BlockKind::text, .text = std::move(text)});
  flush();
}

// Appends a message to the queue.
Message& RolloutReader::start(const Line& line, Role role, Origin origin) {
  told_.reset();
  heard_.reset();
  Waiting& waiting = queue_.emplace_back();
  if (role == Role::assistant || (role == Role::user && origin == Origin::typed))
    waiting.name = root_ + "/" + std::to_string(items_) + "/" + std::to_string(xxh3_64(line.copied));
  Message& message = waiting.message;
  message.role = role;
  message.origin = origin;
  message.timestamp = written_time(JsonView(line.timestamp));
  message.offset = line.record.offset;
  if (raw_) message.raw = line.record.bytes;
  message.abandoned = left_ && !left_->is_after(line.ordinal, line.record.offset);
  return message;
}

// The growing response; a new one if there is none, or if results of the last one have
// arrived (the model was called again).
RolloutReader::Waiting& RolloutReader::open_response(const Line& line) {
  if (open_ && open_->result) flush();
  if (open_) {
    if (raw_) (queue_[open_->number].message.raw += '\n') += line.record.bytes;
    return queue_[open_->number];
  }
  start(line, Role::assistant, Origin::tool);
  open_ = Open{queue_.size() - 1};
  queue_.back().message.model = model_;
  queue_.back().message.usage = std::exchange(carried_, std::nullopt);
  return queue_.back();
}

bool RolloutReader::flush() {
  for (Waiting& waiting : queue_) {
    // Older versions wrote no ids; forks of theirs repeat the parent's messages.
    if (waiting.message.id.empty() && waiting.message.response.empty())
      waiting.message.response = std::move(waiting.name);
    if (wanted_) wanted_ = events_.report(std::move(waiting.message));
  }
  queue_.clear();
  open_.reset();
  told_.reset();
  return wanted_;
}

std::optional<std::string> RolloutReader::rest() {
  if (open_ || carried_ || left_ || told_ || !flush()) return std::nullopt;
  Packer out;
  pack_facts(out, facts_);
  for (const std::string* text : {&model_, &cwd_, &version_, &branch_, &policy_, &root_}) out.text(*text);
  out.number(items_);
  for (const bool flag :
       {have_meta_, base_known_, has_usage_records_, turns_told_, turn_open_, abort_shown_, in_review_})
    out.byte(flag ? 1 : 0);
  const Usage& figures = total();
  for (const auto figure : kUsageFigures) out.signed_number(figures.*figure);
  for (const auto* names : {&open_calls_, &spawn_calls_, &agents_}) {
    out.number(names->size());
    for (const std::string& name : *names) out.text(name);
  }
  out.number(untold_.size());
  for (const Prompt& one : untold_) {
    out.number(one.text);
    out.byte(one.typed ? 1 : 0);
  }
  out.byte(heard_ ? 1 : 0);
  out.number(heard_.value_or(0));
  return out.take();
}

void RolloutReader::go_on(std::string_view state) {
  Unpacker in(state);
  facts_ = unpack_facts(in);
  for (std::string* text : {&model_, &cwd_, &version_, &branch_, &policy_, &root_}) *text = in.text();
  items_ = in.number();
  for (bool* flag :
       {&have_meta_, &base_known_, &has_usage_records_, &turns_told_, &turn_open_, &abort_shown_, &in_review_})
    *flag = in.byte() != 0;
  for (const auto figure : kUsageFigures) total_.*figure = in.signed_number();
  for (auto* names : {&open_calls_, &spawn_calls_, &agents_}) {
    for (std::uint64_t left = in.number(); left > 0 && in.ok(); --left) names->insert(in.text());
  }
  for (std::uint64_t left = std::min<std::uint64_t>(in.number(), kMostUntold); left > 0 && in.ok(); --left) {
    const std::uint64_t text = in.number();
    untold_.push_back({text, in.byte() != 0});
  }
  if (in.byte() != 0) heard_ = in.number();
}

bool RolloutReader::finish() {
  flush();
  if (!carried_) return wanted_;
  Message message;  // counts that no message took
  message.role = Role::assistant;
  message.origin = Origin::tool;
  message.usage = std::exchange(carried_, std::nullopt);
  queue_.push_back({std::move(message)});
  return flush();
}

SessionFacts RolloutReader::facts() const {
  SessionFacts facts = facts_;
  facts.model = model_;
  if (!agents_.empty()) facts.subagents = static_cast<std::int64_t>(agents_.size());
  const bool ended = turns_told_ && !turn_open_;
  facts.pending = !ended && !open_calls_.empty() ? Pending::tool : turn_open_ ? Pending::answer : Pending::none;
  return facts;
}

}  // namespace holdfast::inline v1::codex
