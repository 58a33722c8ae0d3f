#include "api/show_stream.h"

#include "api/find_session.h"
#include "api/guarded.h"
#include "find/session_cost.h"
#include "rules/workflow/workflow.h"

namespace holdfast::inline v1 {
namespace {

bool is_large_log(const Context& context, const LocatedSession& session, std::uint64_t large) {
  if (!session.ref.place.path.ends_with(".jsonl")) return false;
  DirectoryFeed feed = session.files->looking(context);
  const auto stat = feed.stat(session.ref.place);
  return stat && *stat && (*stat)->size >= large;
}

using Told = std::optional<std::vector<Finding>>;

Result<Told> streamed(const Call& call, const TextPieces& sink, std::uint64_t large) {
  if (call.text("format") != "text" || call.flag("raw")) return std::nullopt;
  const auto session = locate_session(call, call.has("id") ? call.text("id") : "@last");
  if (!session || !is_large_log(call.context, *session, large)) return std::nullopt;
  const auto work = get_workflow(call.context, *session->files, session->ref.id);
  if (work && !work->module.empty()) return std::nullopt;  // where its work stands comes first
  TextStyle style = text_style_of(call);
  style.totals_last = true;
  if (const auto cost = cost_of(call.context, *session->files, session->ref, call.stores.settings().prices))
    style.cost = cost->text();
  TranscriptQuery query;
  query.branch = call.text("branch");
  return stream_transcript(call.context, *session->files, session->ref, query, style, sink);
}

}  // namespace

Result<Told> show_streamed(const Context& context, Stores& stores, std::string_view params, const TextPieces& sink,
                           std::uint64_t large) {
  return guarded([&]() -> Result<Told> {
    const Operation& operation = *find_operation("session.show");
    HOLDFAST_LET(view, checked_params(operation, params));
    return streamed(Call{context, operation, view, stores}, sink, large);
  });
}

}  // namespace holdfast::inline v1
