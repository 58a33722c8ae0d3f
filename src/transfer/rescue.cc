#include "transfer/rescue.h"

#include <array>
#include <optional>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "base/hash.h"
#include "text/json_edit.h"
#include "text/json_value.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {
namespace {

// How the records of an agent's log name themselves and what they follow.
struct Chain {
  std::string_view id, parent;
};
constexpr std::array<Chain, 2> kChains = {{{"uuid", "parentUuid"}, {"id", "parentId"}}};

std::string text_at(JsonView json, std::string_view key) { return json.find(key).as_string().value_or(""); }

// Only a record with an id can be the same one again; others may well be equal.
bool has_id(JsonView json) {
  return json.find("uuid").kind() == JsonKind::string || json.find("id").kind() == JsonKind::string;
}

// The chain that the log is made of; nullptr: none, as in Codex and Gemini.
const Chain* chain_of(const std::vector<std::string>& records) {
  for (const Chain& chain : kChains) {
    for (const std::string& record : records) {
      const JsonView json(record);
      if (json.find(chain.parent) && json.find(chain.id).kind() == JsonKind::string) return &chain;
    }
  }
  return nullptr;
}

// A record whose parent is lost follows the record before it.
Result<std::uint64_t> link_again(std::vector<std::string>& records, const Chain& chain) {
  std::unordered_set<std::string> known;
  for (const std::string& record : records) known.insert(text_at(JsonView(record), chain.id));
  std::uint64_t linked = 0;
  std::string before;
  for (std::string& record : records) {
    const JsonView json(record);
    const std::string id = text_at(json, chain.id), parent = text_at(json, chain.parent);
    if (id.empty()) continue;
    if (!parent.empty() && !known.contains(parent)) {
      const std::string link = before.empty() ? "null" : JsonWriter().string(before).take();
      HOLDFAST_LET(edited, json_set(record, {chain.parent}, link));
      record = std::move(edited);
      ++linked;
    }
    before = id;
  }
  return linked;
}

std::string_view file_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

// rollout-2026-11-15T01-00-00-UUID.jsonl
std::string codex_header(const std::vector<std::string>& records, std::string_view name) {
  constexpr std::size_t kPrefix = 8, kTime = 19, kUuid = 36;
  if (!name.starts_with("rollout-") || name.size() < kPrefix + kTime + 1 + kUuid) return {};
  std::string time(name.substr(kPrefix, kTime));
  time[13] = time[16] = ':';
  std::string cwd;
  for (const std::string& record : records) {
    const JsonView payload = JsonView(record).find("payload");
    if (cwd.empty()) cwd = text_at(payload, "cwd");
  }
  JsonWriter json;
  json.begin_object().key("timestamp").string(time + ".000Z").key("type").string("session_meta").key("payload");
  json.begin_object().key("id").string(name.substr(kPrefix + kTime + 1, kUuid)).key("timestamp").string(time + ".000Z");
  json.key("cwd").string(cwd).key("originator").string("codex_exec").key("cli_version").string("0.0.0");
  return json.end_object().end_object().take();
}

// TIME_UUID.jsonl of pi
std::string pi_header(const std::vector<std::string>& records, std::string_view name) {
  const std::size_t line = name.find('_');
  if (line == std::string_view::npos || !name.ends_with(".jsonl")) return {};
  JsonWriter json;
  json.begin_object().key("type").string("session").key("version").int64(3);
  json.key("id").string(name.substr(line + 1, name.size() - line - 7));
  json.key("timestamp").string(text_at(JsonView(records.front()), "timestamp")).key("cwd").string("");
  return json.end_object().take();
}

// The header that agents insist on, when the log lost it; empty: it needs none.
std::string lost_header(const std::vector<std::string>& records, std::string_view name) {
  bool codex = false, pi = false;
  for (const std::string& record : records) {
    const std::string type = text_at(JsonView(record), "type");
    if (type == "session_meta" || type == "session" || type == "session_header" || type == "session.start") return {};
    codex = codex || type == "response_item";
    pi = pi || (type == "message" && JsonView(record).find("parentId"));
  }
  return codex ? codex_header(records, name) : pi ? pi_header(records, name) : std::string();
}

}  // namespace

Result<Rescued> rescue_log(Feed& feed, const Place& log) {
  if (!log.path.ends_with(".jsonl"))
    return fail(Code::unsupported, "only logs (.jsonl) can be rescued; this is a document or a database", log.path);
  Rescued rescued;
  std::vector<std::string> records;
  std::unordered_set<std::string> seen;
  HOLDFAST_TRY(feed.records(log, {}, [&](const FeedRecord& record) {
    if (has_id(JsonView(record.bytes)) && !seen.insert(xxh3_hex(record.bytes)).second) {
      ++rescued.repeated;
      return true;
    }
    if (record.salvaged) ++rescued.salvaged;
    records.emplace_back(record.bytes);
    return true;
  }));
  if (records.empty()) return fail(Code::not_found, "there is no whole record in it", log.path);
  if (const Chain* const chain = chain_of(records)) {
    HOLDFAST_LET(linked, link_again(records, *chain));
    rescued.linked = linked;
  }
  if (std::string header = lost_header(records, file_name(log.path)); !header.empty()) {
    records.insert(records.begin(), std::move(header));
    rescued.headers = 1;
  }
  rescued.records = records.size();
  for (const std::string& record : records) (rescued.bytes += record) += '\n';
  return rescued;
}

}  // namespace holdfast::inline v1
