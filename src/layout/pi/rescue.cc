// pi does not load a log without its first entry; most of it can be derived from the name TIME_UUID.jsonl.
#include <set>

#include "layout/json_pick.h"
#include "layout/pi/belongings.h"
#include "layout/pi/pi_layout.h"
#include "layout/session_rescue.h"
#include "layout/tool_dialect_parts.h"

namespace holdfast::inline v1::pi {
namespace {

class PiRescue final : public SessionRescue {
 public:
  bool is_header(JsonView record) const override { return record.find("type").is_string("session"); }
  bool follows_header(JsonView record) const override {
    return record.find("type").is_string("message") && record.find("parentId");
  }

  std::string make_header(Feed& feed, const Place& log, const HeaderlessLog& left) const override {
    const std::string_view name = left.name;
    const std::size_t line = name.find('_');
    if (line == std::string_view::npos || !name.ends_with(".jsonl")) return {};
    JsonWriter json;
    json.begin_object().key("type").string("session").key("version").int64(3);
    json.key("id").string(name.substr(line + 1, name.size() - line - 7));
    json.key("timestamp").string(string_in(JsonView(left.records.front().bytes), "timestamp"));
    std::string cwd = string_in_piece(left.piece, "cwd");
    if (cwd.empty()) cwd = cwd_beside(feed, log);
    return json.key("cwd").string(cwd).end_object().take();
  }

 private:
  // The directory that the other sessions in the folder name; empty if there is none, or if they name several.
  static std::string cwd_beside(Feed& feed, const Place& log) {
    const std::size_t slash = log.path.rfind('/');
    const std::string folder = slash == std::string::npos ? "" : log.path.substr(0, slash);
    const auto entries = feed.list({log.root, folder});
    if (!entries) return {};
    std::set<std::string> named;
    for (const FeedEntry& entry : *entries) {
      const Place beside{log.root, folder.empty() ? entry.name : folder + "/" + entry.name};
      if (entry.directory || !entry.name.ends_with(".jsonl") || beside == log) continue;
      std::string cwd = cwd_in(feed, beside);
      if (!cwd.empty() && is_folder_of(folder, cwd)) named.insert(std::move(cwd));
    }
    return named.size() == 1 ? *named.begin() : std::string();
  }
  // From the header, if that is the first record.
  static std::string cwd_in(Feed& feed, const Place& log) {
    std::string cwd;
    const auto read = feed.records(log, {}, [&](const FeedRecord& record) {
      const auto [type, value] = pick<2>(JsonView(record.bytes), {"type", "cwd"});
      if (type.is_string("session")) cwd = text_of(value);
      return false;
    });
    return read ? cwd : std::string();
  }
  // A log that is rescued by its path may be anywhere, and so may those beside it.
  static bool is_folder_of(std::string_view folder, const std::string& cwd) {
    if (folder.empty()) return true;
    const auto name = folder_of(cwd);
    return name && *name == folder.substr(folder.rfind('/') + 1);
  }
};

}  // namespace

const SessionRescue& rescue() {
  static const PiRescue rescue;
  return rescue;
}

}  // namespace holdfast::inline v1::pi
