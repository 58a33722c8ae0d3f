#include "api/live_ids.h"

#include "store/engine.h"
#include "store/file_store.h"
#include "store/session_trash.h"

namespace holdfast::inline v1 {

Result<std::set<std::string>> live_ids(const Context& context, Stores& stores, const std::string& layout,
                                       const std::string& root, std::vector<Finding>& findings) {
  std::set<std::string> ids;
  StoreOptions options{.layout = layout};
  options.roots[""] = root;
  auto store = stores.open(context, options, Use::read);
  if (!store && store.error().code == Code::not_found) return ids;
  if (!store) return fail(std::move(store).error());
  HOLDFAST_LET(engine, engine_of(**store));
  HOLDFAST_LET(refs, engine->find_all(context, findings));
  for (const SessionRef& ref : refs) ids.insert(ref.id);
  if (!engine->layout().writable()) return ids;
  HOLDFAST_LET(trashed, trashed_sessions(context, **store));
  for (const TrashedSession& one : trashed) ids.insert(one.id);
  return ids;
}

}  // namespace holdfast::inline v1
