// Copilot does not load a log without its session.start; the folder's name is the session's id.
#include <algorithm>

#include "base/hash.h"
#include "layout/copilot/copilot_layout.h"
#include "layout/session_rescue.h"
#include "layout/tool_dialect_parts.h"

namespace holdfast::inline v1::copilot {
namespace {

constexpr std::size_t kUuid = 36;

// A UUID that is always the same for the same bytes.
std::string made_uuid(std::string_view bytes) {
  std::string id = sha256_hex(bytes).substr(0, 32);
  id[12] = '4';
  id[16] = '8';
  for (const std::size_t dash : {8U, 13U, 18U, 23U}) id.insert(dash, "-");
  return id;
}

std::string session_of(const Place& log, const HeaderlessLog& left) {
  const std::size_t end = log.path.rfind('/');
  if (end != std::string::npos) {
    const std::size_t begin = log.path.rfind('/', end - 1);
    const std::string folder = log.path.substr(begin == std::string::npos ? 0 : begin + 1, end - begin - 1);
    if (folder.size() == kUuid) return folder;
  }
  if (std::string id = string_in_piece(left.piece, "sessionId"); id.size() == kUuid) return id;
  for (const RescuedRecord& record : left.records) {
    if (std::string id = string_in(JsonView(record.bytes).find("data"), "sessionId"); id.size() == kUuid) return id;
  }
  return made_uuid(left.records.front().bytes);
}

class CopilotRescue final : public SessionRescue {
 public:
  bool is_header(JsonView record) const override { return record.find("type").is_string("session.start"); }
  bool follows_header(JsonView record) const override {
    const JsonView type = record.find("type");
    return (type.is_string("user.message") || type.is_string("assistant.message")) &&
           record.find("data").kind() == JsonKind::object;
  }

  std::string make_header(Feed& feed, const Place& log, const HeaderlessLog& left) const override {
    const JsonView first(left.records.front().bytes);
    const std::string time = string_in(first, "timestamp");
    std::string cwd = string_in_piece(left.piece, "cwd");
    if (cwd.empty()) cwd = workspace(feed, log);
    JsonWriter json;
    json.begin_object().key("type").string("session.start").key("data").begin_object();
    json.key("sessionId").string(session_of(log, left)).key("version").int64(1);
    json.key("producer").string("copilot-agent").key("copilotVersion").string("0.0.0").key("startTime").string(time);
    if (!cwd.empty()) json.key("context").begin_object().key("cwd").string(cwd).end_object();
    json.end_object().key("id").string(made_uuid("session.start" + left.records.front().bytes));
    return json.key("timestamp").string(time).key("parentId").null().end_object().take();
  }

 private:
  // "cwd: /home/me/project" from workspace.yaml, beside the log.
  static std::string workspace(Feed& feed, const Place& log) {
    constexpr std::uint64_t kLargest = std::uint64_t{1} << 20;
    const std::size_t slash = log.path.rfind('/');
    const std::string folder = slash == std::string::npos ? "" : log.path.substr(0, slash + 1);
    const auto yaml = feed.document({log.root, folder + "workspace.yaml"}, kLargest);
    if (!yaml || !*yaml) return {};
    const std::size_t at = (*yaml)->starts_with("cwd: ") ? 0 : (*yaml)->find("\ncwd: ");
    if (at == std::string::npos) return {};
    const std::size_t begin = (*yaml)->find("cwd: ", at) + 5;
    std::string path = (*yaml)->substr(begin, (*yaml)->find('\n', begin) - begin);
    return path.starts_with('/') ? path : std::string();
  }
};

}  // namespace

const SessionRescue& rescue() {
  static const CopilotRescue rescue;
  return rescue;
}

}  // namespace holdfast::inline v1::copilot
