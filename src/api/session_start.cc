// session.start, session.resumable, session.prune: begin, find and clean up sessions of workflows.
#include "rules/workflow/session_start.h"

#include "api/call.h"
#include "api/claim_session.h"
#include "api/find_session.h"
#include "api/retention_of.h"
#include "api/settings_of.h"
#include "api/tables.h"
#include "rules/workflow/retention.h"
#include "text/sizes.h"

namespace holdfast::inline v1 {
namespace {

Result<std::string> start(Call& call) {
  if (call.has("module") && call.text("module").empty())
    return fail(Code::invalid_argument, "session.start: module must not be empty");
  // An unset variable must not resume another session.
  if (call.has("resume") && call.text("resume").empty())
    return fail(Code::invalid_argument, "session.start: resume must be the id of a session, but is empty");
  HOLDFAST_LET(store, call.store());
  HOLDFAST_LET(settings, settings_of(call, *store));
  StartRequest request;
  request.module = call.text("module");
  request.resume = call.text("resume");
  request.no_resume = call.flag("no_resume");
  request.auto_resume = settings.flag("auto_resume");
  request.project = call.project();
  request.model = call.text("model");
  HOLDFAST_LET(keep, retention_of(call, *store));
  request.retention = keep;
  SessionClaim claim(call, store);
  request.claim = [&](const std::string& id) { return claim.take(id); };
  HOLDFAST_LET(started, start_session(call.context, *store, request));
  claim.keep();
  JsonWriter json = begin_answer();
  json.key("id").string(started.workflow.id).key("resumed").boolean(started.resumed);
  json.key("hint").string(started.hint).key("workflow").raw(workflow_json(started.workflow));
  json.key("metrics").raw(metrics_json(started.workflow));
  json.key("drift").raw(drift_json(started.drift));
  json.key("warnings").strings(started.warnings);
  json.key("pruned").strings(started.pruned);
  write_findings(json, "findings", started.findings);
  return json.end_object().take();
}

Result<std::string> resumable(Call& call) {
  HOLDFAST_LET(store, call.store());
  HOLDFAST_LET(all, resumable_sessions(call.context, *store, call.text("module")));
  const Page page = page_of(call);
  JsonWriter json = begin_answer();
  json.key("sessions").begin_array();
  std::size_t shown = 0;
  for (std::size_t at = page.skip; at < all.size() && shown < page.limit; ++at, ++shown) {
    const ResumableSession& each = all[at];
    json.begin_object().key("id").string(each.workflow.id).key("module").string(each.workflow.module);
    json.key("phase").string(workflow_phase_name(each.workflow.step));
    json.key("step").string(workflow_step_name(each.workflow.step)).key("component");
    each.workflow.component.empty() ? json.null() : json.string(each.workflow.component);
    json.key("updated_at").string(each.workflow.updated_at).key("latest").boolean(each.latest).end_object();
  }
  json.end_array();
  write_page(json, page, shown, all.size());
  return json.end_object().take();
}

Result<std::string> prune(Call& call) {
  HOLDFAST_LET(store, call.store());
  HOLDFAST_LET(keep, retention_of(call, *store));
  HOLDFAST_LET(gone, prune_sessions(call.context, *store, keep));
  JsonWriter json = begin_answer();
  json.key("retention").uint64(keep);
  json.key("pruned").strings(gone);
  return json.end_object().take();
}

Result<std::string> would_prune(Call& call) {
  HOLDFAST_LET(store, call.store());
  HOLDFAST_LET(keep, retention_of(call, *store));
  HOLDFAST_LET(ids, sessions_to_prune(call.context, *store, keep));
  std::string text =
      "delete " + counted(ids.size(), "completed session") + " for good (retention: " + std::to_string(keep) + ")";
  for (const std::string& id : ids) text += (&id == &ids.front() ? ": " : ", ") + id;
  return text;
}

}  // namespace

Result<std::size_t> retention_of(const Call& call, Store& store) {
  if (call.has("keep")) return static_cast<std::size_t>(call.integer("keep", 0));
  if (!keeps_only_workflows(store)) return 0;
  HOLDFAST_LET(settings, settings_of(call, store));
  return static_cast<std::size_t>(settings.integer("session_retention"));
}

Operation start_session_operation() {
  return {
      .method = "session.start",
      .help = "start work on a module: continue its session or create a new one",
      .use = Use::create,
      .parameters = {{.name = "module", .help = "name of the module"},
                     {.name = "resume", .help = "continue this session"},
                     {.name = "no_resume", .help = "always create a new session", .type = ParamType::boolean},
                     {.name = "project", .help = "directory of the project, where sessions are grouped", .path = true},
                     {.name = "model", .help = "the model that answers"},
                     {.name = "keep",
                      .help = "keep N completed sessions (default: the setting session_retention; 0: all)",
                      .type = ParamType::integer,
                      .least = 0},
                     settings_parameter()},
      .result =
          "id:string resumed:boolean hint:string workflow:workflow metrics:metrics drift:drift warnings:string[] "
          "pruned:string[] findings:finding[]",
      .handler = start,
      .example = "session start --module auth --no-resume"};
}

Operation resumable_sessions_operation() {
  return {
      .method = "session.resumable",
      .help = "list sessions that can be continued: incomplete and readable, newest first",
      .parameters = {{.name = "module", .help = "only sessions of this module"}, limit_parameter(), skip_parameter()},
      .result = "sessions:resumable[] total:integer next:integer?",
      .handler = resumable,
      .example = "session resumable --module auth"};
}

Operation prune_sessions_operation() {
  return {.method = "session.prune",
          .help = "delete completed sessions beyond a limit, the oldest first",
          .use = Use::write,
          .parameters = {{.name = "keep",
                          .help = "keep N of them (default: the setting session_retention; 0: all)",
                          .type = ParamType::integer,
                          .least = 0},
                         settings_parameter()},
          .result = "retention:integer pruned:string[]",
          .handler = prune,
          .preview = would_prune,
          .example = "session prune --keep 10 --yes"};
}

}  // namespace holdfast::inline v1
