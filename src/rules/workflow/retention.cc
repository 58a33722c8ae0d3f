#include "rules/workflow/retention.h"

#include <algorithm>

#include "layout/lopen/paths.h"
#include "layout/session_mark.h"
#include "store/engine.h"

namespace holdfast::inline v1 {
namespace {

// The day and number in an id are more reliable than times, which other programs rewrite.
bool older(const Session& a, const Session& b) {
  const auto left = lopen::parse_session_name(a.id);
  const auto right = lopen::parse_session_name(b.id);
  if (left && right) return *left < *right || (!(*right < *left) && a.id < b.id);
  return a.created_at != b.created_at ? a.created_at < b.created_at : a.id < b.id;
}

}  // namespace

Result<std::vector<std::string>> sessions_to_prune(const Context& context, Store& store, std::size_t keep) {
  std::vector<std::string> ids;
  if (keep == 0) return ids;
  HOLDFAST_LET(files, engine_of(store));
  HOLDFAST_LET(list, store.list(context));
  DirectoryFeed feed(context, files->roots().directories());
  HOLDFAST_LET(current, marked_session(files->layout(), feed));
  std::erase_if(list.sessions, [](const Session& session) { return session.status != Status::complete; });
  std::ranges::sort(list.sessions, older);
  const std::size_t beyond = list.sessions.size() - std::min(keep, list.sessions.size());
  for (std::size_t at = 0; at < beyond; ++at) {
    if (!current || current->id != list.sessions[at].id) ids.push_back(list.sessions[at].id);
  }
  return ids;
}

Result<std::vector<std::string>> prune_sessions(const Context& context, Store& store, std::size_t keep) {
  HOLDFAST_LET(ids, sessions_to_prune(context, store, keep));
  std::vector<std::string> gone;
  for (std::string& id : ids) {
    auto removed = store.remove(context, id);
    if (removed) gone.push_back(std::move(id));
    if (removed || removed.error().code == Code::not_found || removed.error().code == Code::busy) continue;
    return fail(std::move(removed).error());
  }
  return gone;
}

}  // namespace holdfast::inline v1
