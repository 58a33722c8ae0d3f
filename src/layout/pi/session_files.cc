#include "layout/pi/session_files.h"

#include "layout/json_pick.h"

namespace holdfast::inline v1::pi {
namespace {

constexpr std::string_view kEnd = ".jsonl";
constexpr std::string_view kSessions = "sessions";

std::string_view stem_of(std::string_view path) {
  if (const std::size_t slash = path.find_last_of("/\\"); slash != std::string_view::npos)
    path.remove_prefix(slash + 1);
  if (path.ends_with(kEnd)) path.remove_suffix(kEnd.size());
  return path;
}

bool is_log(const FeedEntry& entry) {
  return !entry.directory && entry.name.size() > kEnd.size() && entry.name.ends_with(kEnd);
}

// Passes every log as (project, path), until `take` returns false.
Result<void> each_log(Feed& feed, const std::function<Result<bool>(const std::string&, const std::string&)>& take) {
  HOLDFAST_LET(top, feed.list({kRoot, std::string(kSessions)}));
  for (const FeedEntry& entry : top) {
    const std::string path = std::string(kSessions) + "/" + entry.name;
    if (is_log(entry)) {
      HOLDFAST_LET(wanted, take(std::string(), path));
      if (!wanted) return {};
    }
    if (!entry.directory) continue;
    HOLDFAST_LET(files, feed.list({kRoot, path}));
    for (const FeedEntry& file : files) {
      if (!is_log(file)) continue;
      HOLDFAST_LET(wanted, take(entry.name, path + "/" + file.name));
      if (!wanted) return {};
    }
  }
  return {};
}

}  // namespace

std::string id_in_name(std::string_view path) {
  const std::string_view stem = stem_of(path);
  const std::size_t bar = stem.find('_');
  if (bar == std::string_view::npos || bar < 2 || bar + 1 == stem.size()) return {};
  const std::string_view time = stem.substr(0, bar);  // 2026-11-15T01-19-39-628Z
  if (time.find_first_not_of("0123456789-TZ") != std::string_view::npos || time.back() != 'Z') return {};
  return std::string(stem.substr(bar + 1));
}

std::string id_of_parent(std::string_view path) {
  const std::string id = id_in_name(path);
  return id.empty() ? std::string(stem_of(path)) : id;
}

Result<std::string> id_of_file(Feed& feed, const std::string& path) {
  std::string id = id_in_name(path);
  if (!id.empty()) return id;
  HOLDFAST_TRY(feed.records({kRoot, path}, {}, [&](const FeedRecord& record) {
    const auto [type, value] = pick<2>(JsonView(record.bytes), {"type", "id"});
    if (type.is_string("session")) id = text_of(value);
    return false;
  }));
  return id.empty() ? std::string(stem_of(path)) : id;
}

Result<void> list_sessions(Feed& feed, const std::function<bool(SessionRef)>& take) {
  return each_log(feed, [&](const std::string& project, const std::string& path) -> Result<bool> {
    HOLDFAST_LET(id, id_of_file(feed, path));
    return take({id, {kRoot, path}, project, {}});
  });
}

Result<void> locate_sessions(Feed& feed, std::string_view id, const std::function<bool(SessionRef)>& take) {
  if (id.empty()) return {};
  return each_log(feed, [&](const std::string& project, const std::string& path) -> Result<bool> {
    return id_in_name(path) != id || take({std::string(id), {kRoot, path}, project, {}});
  });
}

}  // namespace holdfast::inline v1::pi
