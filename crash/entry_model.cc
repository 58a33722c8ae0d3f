#include "entry_model.h"

#include <holdfast/error.h>

#include <algorithm>
#include <set>
#include <span>

namespace holdfast::lab {
namespace {

using Kind = EntryTransaction::Kind;

constexpr std::size_t kLatest = 8;

std::string text_of(const std::vector<ModelEntry>& entries) {
  std::string text = "[";
  for (const ModelEntry& entry : entries) {
    if (text.size() > 1) text += " ";
    text += entry.name;
    if (!entry.uuid.empty()) text += "/" + entry.uuid;
  }
  return text + "]";
}

// Two transactions with the same content are the same for an operation id.
std::string content_of(const EntryTransaction& transaction) {
  return (transaction.kind == Kind::replace ? "replace " + text_of(transaction.expected) : "append") +
         text_of(transaction.entries);
}

EntryAnswer refused(Code code) { return {.error = std::string(code_name(code))}; }

EntryAnswer remove(const EntryTransaction& transaction, EntryStreams& streams) {
  EntryAnswer answer;
  if (transaction.stream.empty()) {
    answer.applied = !streams.empty();
    streams.clear();
  } else {
    answer.applied = streams.erase(transaction.stream) > 0;
  }
  return answer;
}

void add_unless_there(std::vector<EntryStreams>& states, EntryStreams state) {
  if (std::ranges::find(states, state) == states.end()) states.push_back(std::move(state));
}

std::string name_of(const EntryTransaction& transaction) {
  static constexpr const char* kKinds[] = {"append", "replace", "remove"};
  return std::string(kKinds[static_cast<std::size_t>(transaction.kind)]) + " " + transaction.session + "/" +
         transaction.stream + (transaction.operation.empty() ? "" : " as " + transaction.operation) +
         (transaction.after ? " after " + std::to_string(transaction.after->changed) : "") + " " +
         text_of(transaction.expected) + text_of(transaction.entries);
}

}  // namespace

std::string text_of(const EntryAnswer& answer) {
  if (!answer.error.empty()) return answer.error;
  return (answer.applied ? "applied, " : "not applied, ") + std::to_string(answer.appended) + " new, " +
         std::to_string(answer.duplicates) + " duplicates, " + std::to_string(answer.total) + " in all";
}

bool is_refusal_by_rule(std::string_view error) {
  return error == code_name(Code::conflict) || error == code_name(Code::already_exists);
}

EntryAnswer apply(const EntryTransaction& transaction, EntryStreams& streams) {
  if (transaction.kind == Kind::remove) return remove(transaction, streams);
  const auto at = streams.find(transaction.stream);
  const bool written = at != streams.end();
  EntryStream stream = written ? at->second : EntryStream();
  EntryAnswer answer{.total = stream.entries.size()};
  if (const auto done = stream.operations.find(transaction.operation); done != stream.operations.end())
    return done->second == content_of(transaction) ? answer : refused(Code::already_exists);
  if (transaction.after && transaction.after->changed != stream.changed) return refused(Code::conflict);
  if (transaction.kind == Kind::replace) {
    const std::size_t count = transaction.expected.size();
    if (count > stream.entries.size() ||
        !std::ranges::equal(std::span(stream.entries).last(count), transaction.expected))
      return refused(Code::conflict);
    stream.entries.resize(stream.entries.size() - count);
  }
  std::set<std::string> uuids;
  for (const ModelEntry& entry : stream.entries) uuids.insert(entry.uuid);
  for (const ModelEntry& entry : transaction.entries) {
    const bool is_new = entry.uuid.empty() || uuids.insert(entry.uuid).second;
    ++(is_new ? answer.appended : answer.duplicates);
    if (is_new) stream.entries.push_back(entry);
  }
  answer.total = stream.entries.size();
  const bool summarised = !transaction.summary.empty() && (!written || transaction.summary != stream.summary);
  if (answer.appended == 0 && transaction.expected.empty() && transaction.operation.empty() && !summarised)
    return answer;
  answer.applied = true;
  if (!transaction.operation.empty()) stream.operations[transaction.operation] = content_of(transaction);
  if (!transaction.summary.empty()) stream.summary = transaction.summary;
  stream.changed = transaction.number;
  streams[transaction.stream] = std::move(stream);
  return answer;
}

bool agree(const EntryTransaction& transaction, const EntryAnswer& model, const EntryAnswer& store) {
  if (!model.error.empty() || !store.error.empty()) return model.error == store.error;
  if (transaction.kind == Kind::remove) return store.applied || !model.applied;
  return model.applied == store.applied && model.appended == store.appended && model.duplicates == store.duplicates &&
         model.total == store.total;
}

SeenStreams visible(const EntryStreams& streams) {
  SeenStreams seen;
  for (const auto& [name, stream] : streams) seen[name] = {stream.entries, stream.summary};
  return seen;
}

std::string text_of(const SeenStreams& seen) {
  std::string text;
  for (const auto& [name, stream] : seen)
    text += "\"" + name + "\" " + text_of(stream.entries) +
            (stream.summary.empty() ? " " : " with summary " + stream.summary + " ");
  return text.empty() ? "nothing" : text;
}

void EntryModel::attempt(const EntryTransaction& transaction) {
  auto& possible = possible_[transaction.session];
  if (possible.empty()) possible.emplace_back();
  before_[transaction.session] = possible;
  for (EntryStreams state : before_[transaction.session]) {
    (void)apply(transaction, state);
    add_unless_there(possible, std::move(state));
  }
  latest_.push_back(transaction);
  if (latest_.size() > kLatest) latest_.erase(latest_.begin());
}

std::string EntryModel::answered(const EntryTransaction& transaction, const EntryAnswer& answer) {
  if (answer.error == code_name(Code::durability_unknown) || answer.error == code_name(Code::unfinished)) return {};
  const auto& before = before_[transaction.session];
  auto& possible = possible_[transaction.session];
  if (!answer.error.empty() && !is_refusal_by_rule(answer.error)) {
    possible = before;  // what is refused has not happened
    return {};
  }
  std::vector<EntryStreams> left;
  std::string expected;
  for (EntryStreams state : before) {
    const EntryAnswer model = apply(transaction, state);
    if (agree(transaction, model, answer))
      add_unless_there(left, std::move(state));
    else
      expected += (expected.empty() ? "" : " or ") + text_of(model);
  }
  if (answer.applied && !answer.version.empty()) versions_[transaction.number] = answer.version;
  if (!left.empty()) {
    possible = std::move(left);
    return {};
  }
  contradictions_.push_back(name_of(transaction) + " was answered with " + text_of(answer) + " instead of " + expected);
  return contradictions_.back();
}

const EntryStreams& EntryModel::some(const std::string& session) const {
  static const EntryStreams kNone;
  const auto at = possible_.find(session);
  return at == possible_.end() ? kNone : at->second.front();
}

std::string EntryModel::version(std::uint64_t number) const {
  const auto at = versions_.find(number);
  return at == versions_.end() ? std::string() : at->second;
}

std::vector<std::string> EntryModel::complaints(const std::map<std::string, SeenStreams>& seen) const {
  std::vector<std::string> all = contradictions_;
  for (const auto& [session, streams] : seen)
    if (!streams.empty() && !possible_.contains(session)) all.push_back("nobody wrote " + text_of(streams));
  for (const auto& [session, states] : possible_) {
    const auto at = seen.find(session);
    const SeenStreams now = at == seen.end() ? SeenStreams() : at->second;
    if (std::ranges::any_of(states, [&](const EntryStreams& state) { return visible(state) == now; })) continue;
    std::string expected;
    for (const EntryStreams& state : states) expected += (expected.empty() ? "" : " or ") + text_of(visible(state));
    all.push_back(session + " has " + text_of(now) + " instead of " + expected);
  }
  return all;
}

std::uint64_t EntryModel::size() const {
  std::uint64_t count = 0;
  for (const auto& [session, states] : possible_)
    for (const auto& [name, stream] : states.front()) count += stream.entries.size();
  return count;
}

}  // namespace holdfast::lab
