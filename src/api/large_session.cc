#include "api/large_session.h"

#include "api/branch_warnings.h"
#include "api/find_session.h"
#include "api/notes.h"
#include "api/other_branches.h"
#include "api/remedies.h"
#include "find/session_cost.h"
#include "rules/workflow/workflow.h"
#include "transfer/transcript_stream.h"

namespace holdfast::inline v1 {
namespace {

bool is_large_log(const Context& context, const LocatedSession& session) {
  if (!session.ref.place.path.ends_with(".jsonl")) return false;
  DirectoryFeed feed = session.files->looking(context);
  const auto stat = feed.stat(session.ref.place);
  return stat && *stat && (*stat)->size >= kLargeSession;
}

}  // namespace

Result<std::optional<std::string>> stream_large_session(const Call& call) {
  if (call.text("format") != "text" || call.flag("raw") || call.flag("redact")) return std::nullopt;
  const auto session = locate_session(call, call.has("id") ? call.text("id") : "@last");
  if (!session || !is_large_log(call.context, *session)) return std::nullopt;
  const auto work = get_workflow(call.context, *session->files, session->ref.name());
  if (work && !work->module.empty()) return std::nullopt;  // the state of its work is shown first
  TextStyle style = text_style_of(call);
  style.totals_last = true;
  if (const auto cost = cost_of(call.context, *session->files, session->ref, call.stores.settings().prices))
    style.cost = cost->text();
  const auto notes = Notes::read(call.context, call.stores.settings());
  if (const SessionNote* const note = notes->of(session->files->layout_name(), session->ref.name())) {
    style.title = note->title;
    style.marks = note->words();
  }
  TranscriptQuery query;
  query.branch = call.text("branch");
  const auto tell = [&](std::string_view text) {
    return (*call.items)(JsonWriter().begin_object().key("text").string(text).end_object().text());
  };
  HOLDFAST_LET(beside, stream_transcript(call.context, *session->files, session->ref, query, style, tell));
  if (!beside) return std::nullopt;
  JsonWriter json = begin_answer();
  json.key("format").string("text");
  const SessionName name{std::string(session->files->layout_name()), session->ref.name()};
  if (!call.has("at"))
    if (const auto words = hidden_branch_warnings(call, name, beside->off_branch); !words.empty())
      json.key("warnings").strings(words);
  const auto now = session->files->get(call.context, session->ref.name());
  write_other_branches(json, other_branches(call, session->files->name(), name, now ? now->updated_at : std::string()));
  write_findings(json, "damage", beside->findings);
  write_remedies(json, name, beside->findings);
  return json.end_object().take();
}

}  // namespace holdfast::inline v1
