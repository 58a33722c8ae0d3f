#include "model/tally.h"

#include <algorithm>
#include <charconv>

#include "base/ascii.h"
#include "base/hash.h"
#include "model/archived_status.h"
#include "model/time_formats.h"
#include "model/usage_figures.h"

namespace holdfast::inline v1 {
namespace {

using Kind = RollupItem::Kind;

// Whether it has twelve letters and digits in a row, one of them a digit: an API or a random generator made it. What an
// agent counts up in each session is shorter ("call_0", "functions.bash:12").
bool is_unique(std::string_view id) {
  constexpr std::size_t kEnough = 12;
  std::size_t run = 0;
  bool digit = false;
  for (const char c : id) {
    run = is_ascii_alnum(c) ? run + 1 : 0;
    digit = run > 0 && (digit || is_ascii_digit(c));
    if (run >= kEnough && digit) return true;
  }
  return false;
}

// Never returns 0, which means no name.
std::uint64_t name_of(std::string_view id) {
  return std::max<std::uint64_t>(xxh3_64(id) & ~kUniqueId, 2) | (is_unique(id) ? kUniqueId : 0);
}

// The same for a time and a text, which no generator made. Hashed as they are: texts may be long.
std::uint64_t name_of(std::string_view time, std::string_view text) {
  return std::max<std::uint64_t>(xxh3_64(text, xxh3_64(time)) & ~kUniqueId, 2);
}

// The same id means different things as a call, as its result, and in a sub-agent.
std::uint64_t key_of(const RollupItem& item) {
  const auto what = static_cast<std::uint64_t>(item.kind) * 2 + (item.side ? 1 : 0);
  const std::uint64_t moment = item.kind == Kind::response ? 0 : item.moment;  // which is only known later
  return (item.name + what * 0x9E3779B97F4A7C15U) ^ (moment * 3);
}

// "2026-11-15T08:47:00Z" contains its quarter hour. Only what is a time beyond doubt: the rest has to be parsed.
bool says_its_quarter(std::string_view time) {
  constexpr std::string_view kForm = "0000-00-00T00:00:00";
  if (time.size() < kForm.size() + 1 || time.size() > kForm.size() + 11 || time.back() != 'Z') return false;
  for (std::size_t i = 0; i < kForm.size(); ++i)
    if (kForm[i] == '0' ? !is_ascii_digit(time[i]) : time[i] != kForm[i]) return false;
  const std::string_view fraction = time.substr(kForm.size(), time.size() - kForm.size() - 1);
  if (fraction.size() == 1 || (!fraction.empty() && fraction[0] != '.')) return false;
  const auto within = [&](std::size_t at, std::string_view least, std::string_view most) {
    const std::string_view part = time.substr(at, least.size());
    return part >= least && part <= most;
  };
  return std::ranges::all_of(fraction.substr(fraction.empty() ? 0 : 1), is_ascii_digit) && within(0, "1970", "2199") &&
         within(5, "01", "12") && within(8, "01", "28") && within(11, "00", "23") && within(14, "00", "59") &&
         within(17, "00", "59");
}

}  // namespace

void Tally::facts(const SessionFacts& facts) {
  facts_.merge(facts);
  if (facts.model.empty() || facts.model == now_.model) return;
  now_.model = facts.model;
  slot_ = UINT32_MAX;
}

std::uint32_t Tally::slot() {
  if (slot_ != UINT32_MAX) return slot_;
  // Usually the last slot is used again.
  const auto found = std::find(rollup_.slots.rbegin(), rollup_.slots.rend(), now_);
  if (found == rollup_.slots.rend()) {
    slot_ = static_cast<std::uint32_t>(rollup_.slots.size());
    rollup_.slots.push_back(now_);
  } else {
    slot_ = static_cast<std::uint32_t>(rollup_.slots.rend() - found - 1);
  }
  return slot_;
}

// The item of that name, created if it is new; nullptr if it exists and must not count twice.
RollupItem* Tally::item(Kind kind, std::uint64_t name, std::uint64_t moment, bool side, std::uint64_t said) {
  RollupItem fresh{.kind = kind, .side = side, .name = name, .moment = moment, .said = said};
  if (name != 0 || moment != 0) {
    const auto place = items_.add_hash(key_of(fresh));
    if (!place.added) return kind == Kind::response ? &rollup_.items[place.number] : nullptr;
  } else {
    items_.add_hash(xxh3_64({}, rollup_.items.size() + 1));  // keeps the numbers in step with the items
  }
  fresh.slot = slot();
  return &rollup_.items.emplace_back(fresh);
}

// Not its text: counting reads no texts of answers (layout.h). Where an agent stores no times, copies begin with the
// same prompt.
std::uint64_t Tally::said_in(const Message& message) const {
  const std::string& when = message.timestamp;
  return xxh3_64((when.empty() ? "\n" + first_prompt_.substr(0, 64) : when) + "\n" + message.model);
}

// Returns false if it is no time.
bool Tally::note_time(const std::string& timestamp) {
  if (timestamp.empty()) return false;
  std::string when;
  if (!says_its_quarter(timestamp)) {
    when = to_iso_time(timestamp);
    if (when.empty()) return false;
  }
  std::string quarter = quarter_of(when.empty() ? timestamp : when);
  for (const std::string& cut : cuts_) {
    if (quarter_of(cut) == quarter_of(quarter) && to_iso_time(timestamp) >= cut) quarter = cut;
  }
  if (quarter == now_.quarter) return true;
  now_.quarter = std::move(quarter);
  slot_ = UINT32_MAX;
  return true;
}

// Copies may give a prompt a new id, but keep its time and text. A prompt that was stored in two ways names itself, and
// so does one without an id whose copies have other times.
void Tally::count_prompt(const Message& message) {
  const std::string& id = message.response.empty() ? message.id : message.response;
  const std::string& when = message.timestamp;
  const std::uint64_t name = id.empty() ? 0 : name_of(id);
  const bool named = message.id.empty() && !message.response.empty();
  const std::uint64_t moment = named                 ? name
                               : !when.empty()       ? name_of(when, message.text())
                               : !message.id.empty() ? name_of(message.id)
                                                     : 0;
  item(Kind::prompt, name, moment, message.side);
}

// An answer counts once per name. Tokens always count: a response that contains only
// tool calls, or a summary, costs too.
void Tally::count_response(const Message& message) {
  const std::string& key = message.response.empty() ? message.id : message.response;
  const std::uint64_t name = key.empty() ? 0 : name_of(key);
  RollupItem& response = *item(Kind::response, name, 0, message.side, name == 0 ? 0 : said_in(message));
  response.answer = response.answer || message.origin == Origin::model;
  if (response.moment == 0 && response.name != 0 && !message.id.empty()) response.moment = name_of(message.id);
  if (message.usage) keep_largest(response.usage, *message.usage);
  if (message.cost.empty() || response.priced) return;
  response.priced = true;
  std::from_chars(message.cost.data(), message.cost.data() + message.cost.size(), response.cost);
}

// A result is that of its call, so copies of a call have one result, whenever it arrived.
void Tally::count_blocks(const Message& message) {
  for (const Block& block : message.blocks) {
    if (block.kind != BlockKind::tool_call && block.kind != BlockKind::tool_result) continue;
    const std::uint64_t name = name_of(block.id);
    std::uint64_t said = said_in(message);
    if (block.kind == BlockKind::tool_result) {
      const RollupItem its{.kind = Kind::call, .side = message.side, .name = name};
      if (const auto call = items_.number_of_hash(key_of(its))) said = rollup_.items[*call].said;
    }
    item(block.kind == BlockKind::tool_call ? Kind::call : Kind::result, name, 0, message.side, said);
  }
}

void Tally::count(const Message& message) {
  ++records_;
  const bool timed = note_time(message.timestamp);
  if (!message.model.empty() && !message.failed && message.model != now_.model) {
    now_.model = message.model;
    slot_ = UINT32_MAX;
  }
  const bool typed = message.role == Role::user && message.origin == Origin::typed;
  if (typed) count_prompt(message);
  if (message.role == Role::assistant && !message.failed) count_response(message);
  count_blocks(message);
  if (message.side) return;  // a sub-agent's message counts for the sub-agent
  if (first_id_.empty()) first_id_ = message.id;
  if (timed) {
    if (first_time_.empty()) first_time_ = message.timestamp;
    last_time_ = message.timestamp;
  }
  if (!message.context.git_branch.empty()) git_branch_ = message.context.git_branch;
  if (project_.empty()) project_ = message.context.cwd;
  if (!message.model.empty() && !message.failed && std::ranges::find(models_, message.model) == models_.end())
    models_.push_back(message.model);
  if (typed) {
    if (first_prompt_.empty()) first_prompt_ = message.text();
    open_prompt_ = true;
  }
  if (message.role == Role::assistant && !message.failed) {
    if (first_response_.empty()) first_response_ = message.response;
    if (message.origin == Origin::model) open_prompt_ = false;
  }
  if (message.origin == Origin::notice) open_prompt_ = false;
}

void Tally::finish(Session& session) const {
  session.project = facts_.project.empty() ? project_ : facts_.project;
  session.title = facts_.title;
  session.first_prompt = first_prompt_;
  session.created_at = to_iso_time(facts_.created_at);
  if (session.created_at.empty()) session.created_at = to_iso_time(first_time_);
  // Later records in the log may be newer than the header.
  session.updated_at = std::max(to_iso_time(facts_.updated_at), to_iso_time(last_time_));
  // A session made from an older conversation is at least as new as its own creation.
  if (!last_time_.empty())
    session.updated_at = std::max({session.updated_at, session.created_at, to_iso_time(facts_.began_at)});
  session.counts = {.records = records_};
  session.usage = {};
  IdSet prompts, answers, calls, results;
  for (const RollupItem& item : rollup_.items) {
    if (item.side) continue;
    if (item.kind == Kind::prompt && (item.name == 0 || prompts.add_hash(item.name).added)) ++session.counts.user;
    if (item.kind == Kind::response) {
      // A message that comes twice, of which only one is part of a named response, is still one answer.
      if (item.answer && (item.moment == 0 || answers.add_hash(item.moment).added)) ++session.counts.assistant;
      session.usage += item.usage;
    }
    if (item.kind == Kind::call) calls.add_hash(item.name);
    if (item.kind == Kind::result) results.add_hash(item.name);
  }
  session.counts.tool_calls = static_cast<std::int64_t>(calls.size());
  session.counts.tool_results = static_cast<std::int64_t>(results.size());
  const bool open_call = std::ranges::any_of(rollup_.items, [&](const RollupItem& item) {
    return item.kind == Kind::call && !item.side && results.add_hash(item.name).added;
  });
  session.models = models_;
  if (session.models.empty() && !facts_.model.empty() && session.counts.assistant > 0)
    session.models.push_back(facts_.model);
  session.git_branch = facts_.git_branch.empty() ? git_branch_ : facts_.git_branch;
  session.parent = facts_.parent;
  session.subagents = facts_.subagents.value_or(0);
  session.archived = facts_.archived.value_or(false);
  session.summary = facts_.summary;
  session.metadata = facts_.metadata;
  if (facts_.copies_keep_ids) session.lineage = {first_id_, first_response_, to_iso_time(facts_.began_at)};
  const Pending derived = open_call ? Pending::tool : open_prompt_ ? Pending::answer : Pending::none;
  session.pending = facts_.pending.value_or(derived);
  if (session.archived) {
    session.status = kArchivedStatus;
  } else if (facts_.status) {
    session.status = *facts_.status;
  } else {
    session.status = session.pending == Pending::none ? Status::active : Status::interrupted;
  }
}

void Tally::pack(Packer& out) const {
  pack_rollup(out, rollup_);
  out.number(static_cast<std::uint64_t>(records_));
  out.number(models_.size());
  for (const std::string& model : models_) out.text(model);
  for (const std::string* text :
       {&now_.quarter, &now_.model, &first_id_, &first_response_, &first_time_, &last_time_, &git_branch_, &project_})
    out.text(*text);
  out.byte(open_prompt_ ? 1 : 0);
}

Tally Tally::unpack(Unpacker& in, const Session& row) {
  Tally tally;
  tally.rollup_ = unpack_rollup(in);
  for (std::size_t i = 0; i < tally.rollup_.items.size(); ++i) {
    const RollupItem& item = tally.rollup_.items[i];
    tally.items_.add_hash(item.name != 0 || item.moment != 0 ? key_of(item) : xxh3_64({}, i + 1));
  }
  tally.records_ = static_cast<std::int64_t>(in.number());
  for (std::uint64_t left = in.number(); left > 0 && in.ok(); --left) tally.models_.push_back(in.text());
  for (std::string* text : {&tally.now_.quarter, &tally.now_.model, &tally.first_id_, &tally.first_response_,
                            &tally.first_time_, &tally.last_time_, &tally.git_branch_, &tally.project_})
    *text = in.text();
  tally.open_prompt_ = in.byte() != 0;
  tally.first_prompt_ = row.first_prompt;
  return tally;
}

}  // namespace holdfast::inline v1
