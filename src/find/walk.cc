#include "find/walk.h"

#include <algorithm>
#include <map>

#include "store/engine.h"

namespace holdfast::inline v1 {
namespace {

// A fork repeats what its parent said; whoever counts once wants the parent first.
bool is_copy(const Session& session) { return session.parent && session.parent->kind != ParentKind::subagent; }

bool original_first(const Session& a, const Session& b) {
  if (is_copy(a) != is_copy(b)) return !is_copy(a);
  return a.created_at != b.created_at ? a.created_at < b.created_at : a.id < b.id;
}

}  // namespace

Result<WalkReport> walk_store(const Context& context, Store& store, const WalkWish& wish, const Visit& visit,
                              const Leave& leave) {
  HOLDFAST_LET(engine, engine_of(store));
  HOLDFAST_LET(list, store.list(context, wish.filter));
  if (wish.origins) std::ranges::sort(list.sessions, original_first);
  WalkReport report;
  report.findings = std::move(list.findings);
  std::vector<StoreFinding> repeated;
  HOLDFAST_LET(refs, engine->find_all(context, repeated));
  std::map<std::pair<std::string_view, std::string_view>, const SessionRef*> by_place;
  for (const SessionRef& ref : refs) by_place[{ref.id, ref.place.path}] = &ref;
  for (const Session& session : list.sessions) {
    HOLDFAST_TRY(context.check());
    const auto found = by_place.find({session.id, session.path});
    Events* const events = found == by_place.end() ? nullptr : visit(session);
    if (events == nullptr) continue;
    ++report.sessions;
    DirectoryFeed feed(context, engine->roots().directories(), Check::framing);
    const auto read = engine->its_layout().read(feed, *found->second, {.whole = wish.whole}, *events);
    if (!read)
      report.findings.push_back({session.path, 0, 0, std::string(code_name(read.error().code)),
                                 "this session is left out: " + read.error().message});
    if (leave && !leave(session)) break;
  }
  return report;
}

}  // namespace holdfast::inline v1
