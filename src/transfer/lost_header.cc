#include "transfer/lost_header.h"

#include <algorithm>
#include <string_view>

#include "base/hash.h"
#include "text/json_scan.h"
#include "text/json_value.h"
#include "text/json_write.h"
#include "transfer/tool_dialect_parts.h"

namespace holdfast::inline v1 {
namespace {

using Records = std::span<const RescuedRecord>;

constexpr std::uint64_t kLargestLog = std::uint64_t{256} << 20U;  // of a larger one the torn line is not looked at

// What a header is made from.
struct Remains {
  Records records;
  std::string_view name;     // of the file
  std::string piece = {};    // of the torn header
  std::string project = {};  // its folder, where a file beside the log says it
};

// The first string of this key that is whole in a piece of JSON.
std::string string_in_piece(std::string_view piece, std::string_view key) {
  const std::string name = "\"" + std::string(key) + "\"";
  for (std::size_t at = piece.find(name); at != std::string_view::npos; at = piece.find(name, at + 1)) {
    const std::size_t colon = skip_json_space(piece, at + name.size());
    if (colon >= piece.size() || piece[colon] != ':') continue;
    const std::size_t value = skip_json_space(piece, colon + 1);
    const std::size_t end = value < piece.size() && piece[value] == '"' ? json_value_end(piece, value) : value;
    if (end == std::string_view::npos || end == value) continue;
    return JsonView(piece.substr(value, end - value)).as_string().value_or("");
  }
  return {};
}

// rollout-2026-11-15T01-00-00-UUID.jsonl
std::string codex_header(const Remains& left) {
  constexpr std::size_t kPrefix = 8, kTime = 19, kUuid = 36;
  const std::string_view name = left.name;
  if (!name.starts_with("rollout-") || name.size() < kPrefix + kTime + 1 + kUuid) return {};
  std::string time(name.substr(kPrefix, kTime));
  time[13] = time[16] = ':';
  std::string cwd = string_in_piece(left.piece, "cwd");
  for (const RescuedRecord& record : left.records) {
    if (cwd.empty()) cwd = string_in(JsonView(record.bytes).find("payload"), "cwd");
  }
  JsonWriter json;
  json.begin_object().key("timestamp").string(time + ".000Z").key("type").string("session_meta").key("payload");
  json.begin_object().key("id").string(name.substr(kPrefix + kTime + 1, kUuid)).key("timestamp").string(time + ".000Z");
  json.key("cwd").string(cwd).key("originator").string("codex_exec").key("cli_version").string("0.0.0");
  return json.end_object().end_object().take();
}

// TIME_UUID.jsonl
std::string pi_header(const Remains& left) {
  const std::string_view name = left.name;
  const std::size_t line = name.find('_');
  if (line == std::string_view::npos || !name.ends_with(".jsonl")) return {};
  JsonWriter json;
  json.begin_object().key("type").string("session").key("version").int64(3);
  json.key("id").string(name.substr(line + 1, name.size() - line - 7));
  json.key("timestamp").string(string_in(JsonView(left.records.front().bytes), "timestamp"));
  return json.key("cwd").string(string_in_piece(left.piece, "cwd")).end_object().take();
}

// session-2026-11-15T01-12-ID.jsonl, with the first eight digits of the id. Gemini insists on a hash of the
// project's folder and does not compare it with anything.
std::string gemini_header(const Remains& left) {
  constexpr std::size_t kDigits = 8, kUuid = 36;
  const std::string_view name = left.name;
  if (!name.starts_with("session-") || !name.ends_with(".jsonl")) return {};
  const std::string_view digits = name.substr(name.rfind('-') + 1, kDigits);
  std::string id = string_in_piece(left.piece, "sessionId"), first, last;
  if (id.size() != kUuid) id.clear();
  for (const RescuedRecord& record : left.records) {
    const JsonView json(record.bytes);
    if (id.empty()) id = string_in(json.find("$set"), "sessionId");
    std::string time = string_in(json, "timestamp");
    if (first.empty()) first = time;
    if (!time.empty()) last = std::move(time);
  }
  if (id.empty()) id = std::string(digits) + "-0000-4000-8000-000000000000";
  std::string hash = string_in_piece(left.piece, "projectHash");
  if (hash.empty()) hash = left.project.empty() ? "unknown" : sha256_hex(left.project);
  JsonWriter json;
  json.begin_object().key("sessionId").string(id).key("projectHash").string(hash);
  json.key("startTime").string(first).key("lastUpdated").string(last).key("kind").string("main");
  return json.end_object().take();
}

// What stands before the first record that was saved.
std::string torn_head(Feed& feed, const Place& log, std::string_view first) {
  const auto bytes = feed.document(log, kLargestLog);
  if (!bytes || !*bytes) return {};
  return (*bytes)->substr(0, std::min((*bytes)->find('\n'), (*bytes)->find(first)));
}

// tmp/SLUG/chats/LOG lies beside tmp/SLUG/.project_root.
std::string gemini_project(Feed& feed, const Place& log) {
  constexpr std::uint64_t kLongestPath = 4096;
  const std::size_t chats = log.path.rfind("/chats/");
  if (chats == std::string::npos) return {};
  const auto folder = feed.document({log.root, log.path.substr(0, chats) + "/.project_root"}, kLongestPath);
  return folder && *folder ? **folder : std::string();
}

}  // namespace

std::string lost_header(Feed& feed, const Place& log, Records records) {
  Remains left{.records = records, .name = std::string_view(log.path).substr(log.path.rfind('/') + 1)};
  auto make = &codex_header;
  bool needed = false;
  for (const RescuedRecord& record : records) {
    const JsonView json(record.bytes);
    const std::string type = string_in(json, "type");
    if (type == "session_meta" || type == "session" || type == "session_header" || type == "session.start") return "";
    if (json.find("sessionId") && json.find("startTime")) return "";
    const bool pi = type == "message" && json.find("parentId");
    const bool gemini = type == "gemini" && json.find("id") && json.find("content");
    if (needed || !(type == "response_item" || pi || gemini)) continue;
    needed = true;
    make = gemini ? &gemini_header : pi ? &pi_header : &codex_header;
  }
  if (!needed) return "";
  left.piece = torn_head(feed, log, records.front().bytes);
  if (make == &gemini_header) left.project = gemini_project(feed, log);
  return make(left);
}

}  // namespace holdfast::inline v1
