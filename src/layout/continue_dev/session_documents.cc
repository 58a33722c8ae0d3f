#include "layout/continue_dev/session_documents.h"

#include <map>

#include "layout/json_pick.h"
#include "text/json_scan.h"

namespace holdfast::inline v1::continue_dev {
namespace {

constexpr std::string_view kIndex = "sessions.json";
constexpr std::string_view kEnd = ".json";

Place in_sessions(std::string_view name) {
  return {std::string(kRoot), std::string(kSessions) + "/" + std::string(name)};
}

using Index = std::map<std::string, std::string, std::less<>>;  // id -> entry

// The index only adds to the documents: without it, or if it is cut off, the documents are enough.
Result<Index> read_index(Feed& feed) {
  Index index;
  auto text = feed.document(in_sessions(kIndex));
  if (!text && text.error().code != Code::too_large) return fail(std::move(text).error());
  if (!text || !*text) return index;
  if (const JsonCheck check = check_json(without_bom(**text)); !check.ok())
    feed.complain(in_sessions(kIndex), check.at, "not_json", "dates of sessions after this place are not known");
  for (const JsonItem& entry : JsonView(**text).elements()) {
    if (std::string id = text_of(entry.value.find("sessionId")); !id.empty())
      index.insert_or_assign(std::move(id), std::string(entry.value.raw()));
  }
  return index;
}

SessionRef ref_of(const Index& index, std::string_view id) {
  SessionRef ref{std::string(id), in_sessions(std::string(id) + std::string(kEnd)), {}, {}};
  if (const auto entry = index.find(id); entry != index.end()) ref.hint = entry->second;
  return ref;
}

}  // namespace

Result<void> list_documents(Feed& feed, const std::function<bool(SessionRef)>& take) {
  HOLDFAST_LET(entries, feed.list({std::string(kRoot), std::string(kSessions)}));
  HOLDFAST_LET(index, read_index(feed));
  for (const FeedEntry& entry : entries) {
    const std::string_view name = entry.name;
    if (entry.directory || name == kIndex || name.starts_with('.')) continue;
    if (!name.ends_with(kEnd) || name.size() == kEnd.size()) continue;
    if (!take(ref_of(index, name.substr(0, name.size() - kEnd.size())))) break;
  }
  return {};
}

Result<std::optional<SessionRef>> locate_document(Feed& feed, std::string_view id) {
  if (id.empty() || id.starts_with('.') || id.find('/') != std::string_view::npos) return std::nullopt;
  if (std::string(id) + std::string(kEnd) == kIndex) return std::nullopt;
  HOLDFAST_LET(there, feed.stat(in_sessions(std::string(id) + std::string(kEnd))));
  if (!there) return std::nullopt;
  HOLDFAST_LET(index, read_index(feed));
  return ref_of(index, id);
}

}  // namespace holdfast::inline v1::continue_dev
