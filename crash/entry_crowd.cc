#include "entry_crowd.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <span>

#include "text/json_value.h"

namespace holdfast::lab {
namespace {

using Kind = EntryTransaction::Kind;

constexpr std::size_t kRecent = 12;

// Where the line ends to which a version belongs.
std::uint64_t end_of(const std::string& version) {
  std::uint64_t end = 0;
  const char* const from = version.data() + version.rfind('.') + 1;
  std::from_chars(from, version.data() + version.size(), end);
  return end;
}

std::string name_of(const EntryTransaction& transaction) {
  return transaction.operation.empty() ? transaction.entries.front().uuid : transaction.operation;
}

// One line of the log that writes.
struct Line {
  std::uint64_t end = 0;
  std::uint64_t total = 0;  // entries of the stream after it
  std::string name;         // of its transaction
};

std::string text_at(JsonView json, std::string_view key) { return json.find(key).as_string().value_or(""); }

std::vector<ModelEntry> entries_of(JsonView line, const StoreTraits& traits) {
  std::vector<ModelEntry> all;
  for (const JsonItem& item : line.find("entries").elements())
    all.push_back({name_in(text_at(item.value, "text"), traits), text_at(item.value, "uuid")});
  return all;
}

}  // namespace

EntryTransaction EntryCrowd::some(std::uint64_t number, Random& random) {
  if (!transactions_.empty() && random.chance(30)) {
    const std::size_t back = random.below(std::min(kRecent, transactions_.size()));
    EntryTransaction again = transactions_[transactions_.size() - 1 - back];
    again.number = number;
    return again;
  }
  EntryTransaction made{.session = std::string(kSession), .number = number};
  const bool replaces = !last_.empty() && random.chance(35);
  const bool by_uuid = !replaces && random.chance(50);
  if (replaces) {
    made.kind = Kind::replace;
    made.expected = last_;
  }
  if (!by_uuid) made.operation = "op" + std::to_string(number);
  for (std::uint64_t i = 0, count = 1 + random.below(3); i < count; ++i) {
    const std::string name =
        "e" + std::to_string(number) + std::string(1, static_cast<char>('p' + i)) + "sml"[random.below(3)];
    made.entries.push_back({name, by_uuid ? "u-" + name : std::string()});
  }
  if (random.chance(40)) made.summary = "summary" + std::to_string(number);
  transactions_.push_back(made);
  return made;
}

void EntryCrowd::sent(const EntryTransaction& transaction, std::uint64_t now) {
  requests_.push_back({transaction, now, 0, {}});
}

void EntryCrowd::answered(const EntryTransaction& transaction, const EntryAnswer& answer, std::uint64_t now) {
  const auto at =
      std::ranges::find(requests_, transaction.number, [](const Request& one) { return one.transaction.number; });
  at->answered = now;
  at->answer = answer;
  if (answer.appended > 0) last_ = transaction.entries;
}

void EntryCrowd::judge(const std::string& log, const SeenEntries& seen, const StoreTraits& traits,
                       const std::string& what, Outcome& outcome) const {
  const auto broken = [&](const std::string& how, std::uint64_t Outcome::* count = &Outcome::wrong) {
    outcome.fail(count, what + ": crowd: " + how);
  };
  std::map<std::string, const EntryTransaction*> known, by_summary;
  for (const EntryTransaction& one : transactions_) {
    known.emplace(name_of(one), &one);
    if (!one.summary.empty()) by_summary.emplace(one.summary, &one);
  }

  SeenEntries fold;
  std::vector<Line> lines;
  std::set<std::string> operations;
  for (std::size_t at = 0; at < log.size();) {
    const std::size_t end = std::min(log.find('\n', at), log.size() - 1) + 1;
    const JsonView line(std::string_view(log).substr(at, end - at - 1));
    at = end;
    if (text_at(line, "type") != "write") continue;
    const std::vector<ModelEntry> entries = entries_of(line, traits);
    std::string name = text_at(line, "operation");
    if (name.empty() && !entries.empty()) name = entries.front().uuid;
    // Repeated after somebody else's summary, a transaction without an operation id writes its own summary again.
    const bool only_summary = name.empty() && entries.empty();
    const auto& written = only_summary ? by_summary : known;
    const auto its = written.find(only_summary ? text_at(line, "summary") : name);
    if (its == written.end()) {
      broken("nobody asked for the write of " + (only_summary ? "only " + text_at(line, "summary") : name));
      continue;
    }
    const EntryTransaction& one = *its->second;
    name = name_of(one);
    const auto drop = static_cast<std::size_t>(line.find("drop").as_int64().value_or(0));
    const auto is_there = [&](const ModelEntry& entry) {
      return std::ranges::find(fold.entries, entry) != fold.entries.end();
    };
    const bool may_be_short = only_summary && one.operation.empty() && one.summary != fold.summary &&
                              std::ranges::all_of(one.entries, is_there);
    if ((entries != one.entries && !may_be_short) || drop != one.expected.size())
      broken(name + " was written otherwise than asked for", &Outcome::altered);
    if (drop > fold.entries.size() || !std::ranges::equal(std::span(fold.entries).last(drop), one.expected))
      broken(name + " replaced entries that it did not expect");
    fold.entries.resize(fold.entries.size() - std::min(drop, fold.entries.size()));
    if (!one.operation.empty() && !operations.insert(name).second) broken(name + " was applied twice");
    for (const ModelEntry& entry : entries)
      if (!entry.uuid.empty() && std::ranges::find(fold.entries, entry.uuid, &ModelEntry::uuid) != fold.entries.end())
        broken("the uuid " + entry.uuid + " is there twice");
    fold.entries.insert(fold.entries.end(), entries.begin(), entries.end());
    if (const JsonView summary = line.find("summary")) fold.summary = summary.as_string().value_or("?");
    lines.push_back({end, fold.entries.size(), name});
  }
  if (!(fold == seen))
    broken("a reader sees " + text_of({{"", seen}}) + ", and the log has " + text_of({{"", fold}}), &Outcome::lost);

  std::map<std::uint64_t, const Request*> by_end;
  for (const Request& one : requests_) {
    if (one.answered == 0) continue;
    ++outcome.acknowledged;
    const std::string name = name_of(one.transaction);
    const std::uint64_t end = end_of(one.answer.version);
    const auto own = [&](const Line& line) { return line.name == name; };
    if (one.answer.applied) {
      const auto line = std::ranges::find(lines, end, &Line::end);
      if (line == lines.end() || !own(*line))
        broken(name + " was acknowledged and is not in the log", &Outcome::lost);
      else if (line->total != one.answer.total)
        broken(name + " was answered with a total of " + std::to_string(one.answer.total) + " instead of " +
               std::to_string(line->total));
      if (!by_end.emplace(end, &one).second) broken(name + " was acknowledged as new twice");
    } else if (one.answer.error.empty()) {
      if (std::ranges::none_of(lines, [&](const Line& line) { return own(line) && line.end <= end; }))
        broken(name + " was acknowledged as known and is not in the log", &Outcome::lost);
    } else if (one.answer.error != "conflict" || one.transaction.kind != Kind::replace) {
      broken(name + " was answered with " + one.answer.error);
    }
  }
  // What was answered before another one was requested is before it.
  std::uint64_t earliest = UINT64_MAX;
  for (auto at = by_end.rbegin(); at != by_end.rend(); ++at) {
    const Request& one = *at->second;
    if (one.sent > earliest) broken(name_of(one.transaction) + " is before one that was acknowledged earlier");
    earliest = std::min(earliest, one.answered);
  }
}

}  // namespace holdfast::lab
