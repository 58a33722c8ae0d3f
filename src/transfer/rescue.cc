#include "transfer/rescue.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/hash.h"
#include "layout/layout.h"
#include "layout/session_rescue.h"
#include "layout/tool_dialect_parts.h"
#include "layout/unknown_content.h"
#include "text/json_cursor.h"
#include "text/json_edit.h"
#include "text/json_scan.h"
#include "text/json_text.h"
#include "text/json_value.h"
#include "text/json_write.h"
#include "text/utf8.h"
#include "transfer/rebuild_header.h"
#include "transfer/tool_pairs.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::array<RecordChain, 2> kChains = {{{"uuid", "parentUuid"}, {"id", "parentId"}}};

// Only a record with an id can be a duplicate; others may be equal by chance. Codex has it inside: that of the item,
// or, in older versions, only that of the call.
bool has_id(JsonView json) {
  const auto names = [](JsonView object, std::string_view key) { return object.find(key).kind() == JsonKind::string; };
  if (names(json, "uuid") || names(json, "id")) return true;
  const JsonView item = json.find("payload");
  return json.find("type").is_string("response_item") && (names(item, "id") || names(item, "call_id"));
}

// Also finds a member after one that is nested too deeply for a view, as readers do.
JsonView member_of(JsonView record, std::string_view name) {
  if (const JsonView found = record.find(name)) return found;
  JsonCursor at(record.raw());
  std::string_view key;
  for (bool inside = at.enter_object(); inside && at.next_key(key);) {
    const JsonView value = at.skip();
    if (key == name) return value;
  }
  return {};
}

// The id of a record that others may follow. The id of a header without a parent names the session.
std::string id_in_chain(JsonView record, const RecordChain& chain, const SessionRescue* agent) {
  if (agent != nullptr && agent->is_header(record) && !record.find(chain.parent)) return {};
  return member_of(record, chain.id).as_string().value_or("");
}

std::unordered_set<std::string> ids_of(const std::vector<RescuedRecord>& records, const RecordChain& chain,
                                       const SessionRescue* agent) {
  std::unordered_set<std::string> ids;
  for (const RescuedRecord& record : records) ids.insert(id_in_chain(JsonView(record.bytes), chain, agent));
  return ids;
}

// Replaces the parent. A record that is nested too deeply to be edited stays as it is.
Result<bool> set_parent(RescuedRecord& record, const RecordChain& chain, std::string_view parent) {
  if (check_json(record.bytes).fault == JsonFault::too_deep) return false;
  HOLDFAST_LET(edited, json_set(record.bytes, {chain.parent}, parent));
  record.bytes = std::move(edited);
  return true;
}

// A record whose parent is missing follows a loss, whether or not bytes show it.
void mark_lost_parents(std::vector<RescuedRecord>& records, const RecordChain& chain, const SessionRescue* agent) {
  const std::unordered_set<std::string> known = ids_of(records, chain, agent);
  for (RescuedRecord& record : records) {
    const std::string parent = named_parent(member_of(JsonView(record.bytes), chain.parent));
    record.after_loss = record.after_loss || (!parent.empty() && !known.contains(parent));
  }
}

// A record whose parent is lost now follows the previous record of the same conversation.
Result<std::uint64_t> link_again(std::vector<RescuedRecord>& records, const RecordChain& chain,
                                 const SessionRescue* agent) {
  const std::unordered_set<std::string> known = ids_of(records, chain, agent);
  std::uint64_t linked = 0;
  std::array<std::string, 2> before;  // of the main conversation, and of side conversations
  for (RescuedRecord& record : records) {
    const JsonView json(record.bytes);
    const std::string id = id_in_chain(json, chain, agent), parent = named_parent(member_of(json, chain.parent));
    if (id.empty()) continue;
    std::string& last = before[is_aside(json) ? 1 : 0];
    if (!parent.empty() && !known.contains(parent)) {
      const std::string link = last.empty() ? "null" : JsonWriter().string(last).take();
      HOLDFAST_LET(set, set_parent(record, chain, link));
      linked += set ? 1 : 0;
      record.linked = set;
    }
    last = id;
  }
  return linked;
}

// Of parallel calls, each result follows its own call, and the conversation goes on after one of them. The output of a
// lost call would be on a branch of its own, which no agent loads. It follows the results of the other calls instead,
// and what followed those follows it.
Result<void> put_outputs_on_branch(std::vector<RescuedRecord>& records, const RecordChain& chain) {
  constexpr std::size_t kNear = 1000;  // the other results are not further away
  const auto is_moved = [](const RescuedRecord& record) { return record.made_text && record.linked; };
  if (std::ranges::none_of(records, is_moved)) return {};
  const ToolDialect* const dialect = dialect_of(records);
  if (dialect == nullptr) return {};
  const auto id_of = [&](std::size_t n) { return member_of(JsonView(records[n].bytes), chain.id); };
  const auto is_result = [&](std::size_t n) {
    return id_of(n).kind() == JsonKind::string &&
           std::ranges::any_of(dialect->talk(JsonView(records[n].bytes)).mentions, &ToolMention::answers);
  };
  // The first record after `from` that follows the record with this id.
  const auto next_of = [&](const std::string& id, std::size_t from, bool only_results) -> std::optional<std::size_t> {
    for (std::size_t n = from + 1; n < records.size() && n <= from + kNear; ++n) {
      if (named_parent(member_of(JsonView(records[n].bytes), chain.parent)) == id && (!only_results || is_result(n)))
        return n;
    }
    return std::nullopt;
  };
  for (std::size_t n = 0; n < records.size(); ++n) {
    if (!is_moved(records[n])) continue;
    records[n].linked = false;
    std::string before = named_parent(member_of(JsonView(records[n].bytes), chain.parent));
    const auto follower = next_of(id_of(n).as_string().value_or(""), n, false);
    if (before.empty() || (follower && !is_moved(records[*follower]))) continue;  // the conversation goes on after it
    std::size_t last = n;  // the record that it comes after, unless that is before it already
    for (std::size_t near = n + 1; near < records.size() && near <= n + kNear; ++near)
      if (id_of(near).is_string(before)) last = near;
    while (const auto result = next_of(before, last, true)) {
      last = *result;
      before = id_of(last).as_string().value_or("");
    }
    const std::string own(id_of(n).raw());
    if (const auto next = next_of(before, last, false)) HOLDFAST_TRY(set_parent(records[*next], chain, own));
    if (last == n) continue;
    HOLDFAST_TRY(set_parent(records[n], chain, JsonWriter().string(before).text()));
    std::rotate(records.begin() + static_cast<std::ptrdiff_t>(n), records.begin() + static_cast<std::ptrdiff_t>(n) + 1,
                records.begin() + static_cast<std::ptrdiff_t>(last) + 1);
    --n;  // another record is here now
  }
  return {};
}

const SessionRescue* agent_of(const std::vector<RescuedRecord>& records) {
  for (const RescuedRecord& record : records) {
    const JsonView json(record.bytes);
    for (const Layout* layout : layouts()) {
      const SessionRescue* const rescue = layout->rescue();
      if (rescue != nullptr && (rescue->is_header(json) || rescue->follows_header(json))) return rescue;
    }
  }
  return nullptr;
}

// Where numbers jump, whole lines are lost, unless they are elsewhere in the log.
void mark_jumps(std::vector<RescuedRecord>& records, const SessionRescue& agent) {
  std::set<std::int64_t> all;
  for (const RescuedRecord& record : records)
    if (const auto number = agent.number_of(JsonView(record.bytes))) all.insert(all.end(), *number);
  const auto is_lost = [&](std::int64_t first, std::int64_t last) {
    return std::distance(all.lower_bound(first), all.upper_bound(last)) < last - first + 1;
  };
  std::optional<std::int64_t> before;
  for (RescuedRecord& record : records) {
    const auto number = agent.number_of(JsonView(record.bytes));
    if (number && before && *number > *before + 1 && is_lost(*before + 1, *number - 1)) record.after_loss = true;
    if (number) before = number;
  }
}

// If the header is part of the chain, the first record follows it.
Result<void> follow_header(std::vector<RescuedRecord>& records, const std::string& header, const RecordChain& chain) {
  if (chain.id.empty() || !JsonView(header).find(chain.parent)) return {};
  for (RescuedRecord& record : records) {
    const JsonView json(record.bytes);
    if (json_text(json, chain.id).empty() || !json_text(json, chain.parent).empty()) continue;
    HOLDFAST_TRY(set_parent(record, chain, JsonView(header).find(chain.id).raw()));
    return {};
  }
  return {};
}

// Fewer bytes cannot be a record: a newline that became another byte.
constexpr std::uint64_t kLeast = 2;

// The parts of damaged places that were not saved: everything except the records found there.
std::vector<RescueGap> gaps_of(const DirectoryFeed& feed, std::span<const RecordSpan> saved) {
  std::vector<RescueGap> gone;
  const auto add = [&](std::uint64_t from, std::uint64_t to, const std::string& kind) {
    if (to >= from + kLeast) gone.push_back({from, to - from, kind});
  };
  const auto look = [&](std::uint64_t from, std::uint64_t length, const std::string& kind) {
    const std::uint64_t end = from + length;
    auto one = std::ranges::lower_bound(saved, from, {}, &RecordSpan::offset);
    for (; one != saved.end() && one->offset < end; ++one) {
      add(from, one->offset, kind);
      from = one->offset + one->length;
    }
    add(from, end, kind);
  };
  constexpr std::array<std::string_view, 6> kLosing = {"torn", "nul", "not_json", "too_long", "glued", "truncated"};
  for (const PlacedFinding& finding : feed.findings()) {
    if (finding.kind == "torn" && finding.length == 0)
      gone.push_back({finding.offset, 0, finding.kind});  // the length is unknown
    else if (std::ranges::find(kLosing, finding.kind) != kLosing.end())
      look(finding.offset, finding.length, finding.kind);
  }
  for (const UnfinishedLine& line : feed.unfinished())
    if (!line.whole && !line.cut) look(line.offset, line.length, "truncated");
  return gone;
}

// What is known about a record besides its bytes in the copy.
struct RecordSource {
  RecordSpan place;
  std::string hash = {};  // of its bytes in the log; empty if it has no id
  bool salvaged = false;
  bool cleaned = false;
};

// Of records that came again byte for byte, keeps one: the first that comes after its ancestors, otherwise the first.
// Returns how many were left out.
std::uint64_t drop_repeated(std::vector<RescuedRecord>& records, std::vector<RecordSource>& sources) {
  struct Kept {
    std::size_t at = 0;
    bool follows = false;
  };
  const RecordChain chain = chain_of(records);
  std::unordered_map<std::string, Kept> kept;
  std::unordered_set<std::string> in_place;  // ids of records that come after all their ancestors
  std::vector<bool> dropped(records.size());
  for (std::size_t n = 0; n < records.size(); ++n) {
    const JsonView json(records[n].bytes);
    const std::string parent = chain.id.empty() ? std::string() : named_parent(member_of(json, chain.parent));
    const bool follows = parent.empty() || in_place.contains(parent);
    if (follows && !chain.id.empty()) in_place.insert(member_of(json, chain.id).as_string().value_or(""));
    if (sources[n].hash.empty()) continue;
    const auto [known, fresh] = kept.try_emplace(sources[n].hash, Kept{n, follows});
    if (fresh) continue;
    const bool better = follows && !known->second.follows;
    dropped[better ? known->second.at : n] = true;
    if (better) known->second = {n, true};
  }
  std::size_t left = 0;
  for (std::size_t n = 0; n < records.size(); ++n) {
    if (dropped[n]) continue;
    if (left != n) {
      records[left] = std::move(records[n]);
      sources[left] = std::move(sources[n]);
    }
    ++left;
  }
  const std::uint64_t repeated = records.size() - left;
  records.resize(left);
  sources.resize(left);
  return repeated;
}

Result<void> check_lengths(const DirectoryFeed& feed, const Place& log) {
  for (const PlacedFinding& finding : feed.findings()) {
    if (finding.kind != damage_kind_name(DamageKind::too_long)) continue;
    return fail(Code::too_large,
                "a line of " + std::to_string(finding.length) + " bytes is too long to be copied; nothing was written",
                log.path);
  }
  return {};
}

}  // namespace

RecordChain chain_of(const std::vector<RescuedRecord>& records) {
  for (const RecordChain& chain : kChains) {
    for (const RescuedRecord& record : records) {
      const JsonView json(record.bytes);
      if (json.find(chain.parent) && json.find(chain.id).kind() == JsonKind::string) return chain;
    }
  }
  return {};
}

void mark_losses(std::vector<RescuedRecord>& records, std::span<const RecordSpan> places,
                 std::span<const RescueGap> gone) {
  std::vector<RecordSpan> gaps;
  for (const RescueGap& gap : gone) gaps.push_back({gap.offset, gap.length});
  std::ranges::sort(gaps, {}, &RecordSpan::offset);
  std::uint64_t before = 0;  // the end of the previous record
  std::size_t gap = 0;       // the first gap that ends after it
  for (std::size_t n = 0; n < records.size(); ++n) {
    while (gap < gaps.size() && gaps[gap].offset + gaps[gap].length <= before) ++gap;
    records[n].after_loss = gap < gaps.size() && gaps[gap].offset < places[n].offset;
    before = places[n].offset + places[n].length;
  }
}

Result<Rescued> rescue_log(DirectoryFeed& feed, const Place& log) {
  if (!log.path.ends_with(".jsonl") && !log.path.ends_with(".jsonl.zst"))
    return fail(Code::unsupported, "only .jsonl, .jsonl.zst and .json files can be rescued", log.path);
  Rescued rescued;
  std::vector<RescuedRecord> records;
  std::vector<RecordSource> sources;
  std::vector<RecordSpan> places, saved;
  feed.set_max_line(kLongestRescued);
  HOLDFAST_TRY(feed.records(log, {}, [&](const FeedRecord& record) {
    saved.push_back({record.offset, record.bytes.size()});
    RecordSource source{.place = saved.back(), .salvaged = record.salvaged};
    if (has_id(JsonView(record.bytes))) source.hash = xxh3_hex(record.bytes);
    std::string bytes;
    if (utf8_fault(record.bytes) == std::string_view::npos) {
      bytes = record.bytes;
    } else {
      append_clean_utf8(bytes, record.bytes);
      source.cleaned = true;
    }
    records.push_back({.bytes = std::move(bytes)});
    sources.push_back(std::move(source));
    return true;
  }));
  rescued.repeated = drop_repeated(records, sources);
  for (const RecordSource& source : sources) {
    places.push_back(source.place);
    rescued.salvaged += source.salvaged ? 1 : 0;
    rescued.cleaned += source.cleaned ? 1 : 0;
  }
  HOLDFAST_TRY(check_lengths(feed, log));
  const bool packed = log.path.ends_with(".zst");
  if (records.empty() && packed) return fail(Code::corrupt, "no record of it can be unpacked", log.path);
  if (records.empty()) return fail(Code::not_found, "there is no whole record in it", log.path);
  rescued.gone = gaps_of(feed, saved);
  mark_losses(records, places, rescued.gone);
  for (const PlacedFinding& doubt : feed.findings())
    if (doubt.kind == kUnconfirmedGap) rescued.gone.push_back({doubt.offset, doubt.length, doubt.kind});
  const SessionRescue* const agent = agent_of(records);
  std::uint64_t restored = 0;
  if (agent != nullptr) {
    mark_jumps(records, *agent);
    restored = agent->restore(records);
  }
  const RecordChain chain = chain_of(records);
  if (!chain.id.empty()) mark_lost_parents(records, chain, agent);
  HOLDFAST_LET(tools, pair_tools(records, chain));
  rescued.tools = tools;
  rescued.tools.restored = restored;
  if (!chain.id.empty()) {
    HOLDFAST_LET(linked, link_again(records, chain, agent));
    rescued.linked = linked;
    HOLDFAST_TRY(put_outputs_on_branch(records, chain));
  }
  if (std::string header = rebuild_header(feed, log, records); !header.empty()) {
    HOLDFAST_TRY(follow_header(records, header, chain));
    records.insert(records.begin(), {.bytes = std::move(header)});
    rescued.headers = 1;
  }
  rescued.records = records.size();
  for (const RescuedRecord& record : records) (rescued.bytes += record.bytes) += '\n';
  return rescued;
}

}  // namespace holdfast::inline v1
