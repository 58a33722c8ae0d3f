// Gemini does not load a log without its first record: session-2026-11-15T01-12-ID.jsonl, where ID is the
// first eight digits of the id. Before 0.30 a session is one document: session-2026-11-15T01-06-ID.json.
#include <algorithm>
#include <array>

#include "base/hash.h"
#include "layout/gemini/chat_files.h"
#include "layout/gemini/gemini_layout.h"
#include "layout/session_rescue.h"
#include "layout/tool_dialect_parts.h"

namespace holdfast::inline v1::gemini {
namespace {

bool is_message(JsonView element) {
  const bool said = element.find("type").kind() == JsonKind::string || element.find("role").kind() == JsonKind::string;
  return said && (element.find("content") || element.find("id"));
}

std::string_view id_in(std::string_view name) {
  return name.starts_with("session-") ? name.substr(name.rfind('-') + 1) : name;
}

constexpr std::array<std::string_view, 7> kFields = {"sessionId", "projectHash", "startTime",  "lastUpdated",
                                                     "kind",      "summary",     "directories"};
constexpr std::array<DocumentShape, 1> kDocuments = {{{"messages", kFields, is_message, id_in}}};

class GeminiRescue final : public SessionRescue {
 public:
  bool is_header(JsonView record) const override { return record.find("sessionId") && record.find("startTime"); }
  bool follows_header(JsonView record) const override {
    return record.find("type").is_string("gemini") && record.find("id") && record.find("content");
  }

  // Gemini requires a hash of the project's folder, but never compares it with anything.
  std::string make_header(Feed& feed, const Place& log, const HeaderlessLog& left) const override {
    constexpr std::size_t kDigits = 8, kUuid = 36;
    const std::string_view name = left.name;
    if (!name.starts_with("session-") || !name.ends_with(".jsonl")) return {};
    const std::string_view digits = name.substr(name.rfind('-') + 1, kDigits);
    std::string id = string_in_piece(left.piece, "sessionId"), hash = string_in_piece(left.piece, "projectHash");
    if (id.size() != kUuid) id.clear();
    std::string first, last;
    for (const RescuedRecord& record : left.records) {
      const JsonView json(record.bytes);
      if (id.empty()) id = string_in(json.find("$set"), "sessionId");
      // A resumed session repeats its header further down.
      if (is_header(json) && string_in(json, "sessionId").starts_with(digits)) {
        if (id.empty()) id = string_in(json, "sessionId");
        if (hash.empty()) hash = string_in(json, "projectHash");
      }
      std::string time = string_in(json, "timestamp");
      if (first.empty()) first = time;
      if (!time.empty()) last = std::move(time);
    }
    if (id.empty()) id = id_beside(feed, log, digits);
    if (id.empty()) id = std::string(digits) + "-0000-4000-8000-000000000000";
    if (const std::string project = hash.empty() ? project_of(feed, log) : std::string(); hash.empty())
      hash = project.empty() ? "unknown" : sha256_hex(project);
    JsonWriter json;
    json.begin_object().key("sessionId").string(id).key("projectHash").string(hash);
    json.key("startTime").string(first).key("lastUpdated").string(last).key("kind").string("main");
    return json.end_object().take();
  }

  // Documents are not logs: several of them make no document.
  std::vector<std::string> further_logs(const SessionRef& ref) const override {
    std::vector<std::string> logs = further_files(ref);
    const auto is_document = [](std::string_view path) { return path.ends_with(".json"); };
    if (is_document(ref.place.path) || std::ranges::any_of(logs, is_document)) logs.clear();
    return logs;
  }

  std::span<const DocumentShape> documents() const override { return kDocuments; }

 private:
  static std::string id_beside(Feed& feed, const Place& log, std::string_view digits) {
    const std::size_t slash = log.path.rfind('/');
    const auto entries = feed.list({log.root, slash == std::string::npos ? "" : log.path.substr(0, slash)});
    return entries ? id_of_folder(*entries, digits) : std::string();
  }
  // tmp/SLUG/.project_root, for the log tmp/SLUG/chats/LOG.
  static std::string project_of(Feed& feed, const Place& log) {
    constexpr std::uint64_t kLongestPath = 4096;
    const std::size_t chats = log.path.rfind("/chats/");
    if (chats == std::string::npos) return {};
    const auto folder = feed.document({log.root, log.path.substr(0, chats) + "/.project_root"}, kLongestPath);
    return folder && *folder ? **folder : std::string();
  }
};

}  // namespace

const SessionRescue& rescue() {
  static const GeminiRescue rescue;
  return rescue;
}

}  // namespace holdfast::inline v1::gemini
