#include "api/show_stream.h"

#include "api/find_session.h"
#include "api/guarded.h"
#include "layout/layout.h"
#include "rules/workflow/workflow.h"
#include "store/engine.h"
#include "store/session_match.h"

namespace holdfast::inline v1 {
namespace {

struct Located {
  std::shared_ptr<Store> store;
  FileStore* files = nullptr;
  SessionRef ref;
};

struct Here {
  FileStore* files = nullptr;
  SessionMatch match;
};

// nullopt: the store cannot be asked.
std::optional<Here> look_in(const Call& call, Store& store, std::string_view id) {
  const auto files = engine_of(store);
  if (!files) return std::nullopt;
  DirectoryFeed feed = (*files)->looking(call.context);
  auto match = match_session((*files)->its_layout(), feed, id, Naming::prefix);
  if (!match) return std::nullopt;
  return Here{*files, *std::move(match)};
}

// As find_session, but at the cost of looking at names: nothing of the session is
// read. Nothing when find_session has something to say about it.
std::optional<Located> locate(const Call& call) {
  const std::string id = call.has("id") ? call.text("id") : "@last";
  const auto slash = id.find('/');
  const std::string layout = slash == std::string::npos ? "" : id.substr(0, slash);
  const bool with_layout = find_layout(layout) != nullptr;
  const std::string own = with_layout ? id.substr(slash + 1) : id;
  if (own == "@last") {
    const auto found = find_session(call, id);
    if (!found) return std::nullopt;
    auto last = look_in(call, *found->store, found->session.id);
    if (!last || !last->match.ref) return std::nullopt;
    return Located{found->store, last->files, *std::move(last->match.ref)};
  }
  const auto stores = call.stores.meant(call.text("store"), with_layout ? layout : "", call.operation.use);
  if (!stores || own.empty()) return std::nullopt;
  std::optional<Located> found;
  for (const StoreOptions& options : *stores) {
    const auto store = call.stores.open(call.context, options, call.opening());
    if (!store) continue;
    auto here = look_in(call, **store, own);
    if (!here || here->match.count == 0) continue;
    if (found || !here->match.ref) return std::nullopt;  // ambiguous
    found = Located{*store, here->files, *std::move(here->match.ref)};
    if (options.layout == call.stores.settings().home.layout) break;
  }
  return found;
}

bool is_large_log(const Context& context, const Located& session, std::uint64_t large) {
  if (!session.ref.place.path.ends_with(".jsonl")) return false;
  DirectoryFeed feed = session.files->looking(context);
  const auto stat = feed.stat(session.ref.place);
  return stat && *stat && (*stat)->size >= large;
}

Result<bool> streamed(const Call& call, const TextPieces& sink, std::uint64_t large) {
  if (call.text("format") != "text" || call.flag("raw")) return false;
  const auto session = locate(call);
  if (!session || !is_large_log(call.context, *session, large)) return false;
  const auto work = get_workflow(call.context, *session->store, session->ref.id);
  if (work && !work->module.empty()) return false;  // where its work stands comes first
  TextStyle style = text_style_of(call);
  style.totals_last = true;
  TranscriptQuery query;
  query.branch = call.text("branch");
  return stream_transcript(call.context, *session->files, session->ref, query, style, sink);
}

}  // namespace

Result<bool> show_streamed(const Context& context, Stores& stores, std::string_view params, const TextPieces& sink,
                           std::uint64_t large) {
  return guarded([&]() -> Result<bool> {
    const Operation& operation = *find_operation("session.show");
    HOLDFAST_LET(view, checked_params(operation, params));
    return streamed(Call{context, operation, view, stores}, sink, large);
  });
}

}  // namespace holdfast::inline v1
