#include "rules/workflow/session_start.h"

#include "base/ascii.h"
#include "base/error_words.h"
#include "layout/change.h"
#include "layout/lopen/paths.h"
#include "layout/record_shape.h"
#include "layout/session_mark.h"
#include "layout/writable_layout.h"
#include "model/time_formats.h"
#include "rules/workflow/retention.h"
#include "rules/workflow/session_documents.h"
#include "rules/workflow/workflow_drift.h"
#include "rules/workflow/workflow_failure.h"
#include "rules/workflow/workflow_ready.h"
#include "store/engine.h"
#include "store/record_lookup.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {
namespace {

// Returns the bytes of the module's specification, if the layout knows its place.
Result<std::optional<std::string>> specification_of(FileStore& files, Feed& feed, std::string_view module) {
  const RecordShape* shape = files.layout().shape("specification");
  if (shape == nullptr || !is_record_id(files.layout(), *shape, module)) return std::nullopt;
  const RecordKey key{"specification", {}, std::string(module)};
  HOLDFAST_LET(place, place_of_record(files.layout(), feed, *shape, key));
  auto bytes = feed.document(place);
  // An unreadable specification counts as missing: the first step writes it.
  if (!bytes && bytes.error().code != Code::cancelled && bytes.error().code != Code::deadline_exceeded)
    return std::nullopt;
  return bytes;
}

bool knows_specifications(const FileStore& files) { return files.layout().shape("specification") != nullptr; }

// Returns the session to continue if none is named: the marked one or, if the layout
// has no mark, the newest incomplete one.
Result<std::optional<SessionRef>> current_of(const Context& context, FileStore& files, Feed& feed,
                                             const StartRequest& request) {
  if (!files.layout().traits().owns_logs) return marked_session(files.layout(), feed);
  HOLDFAST_LET(all, resumable_sessions(context, files, request.module));
  for (const ResumableSession& each : all) {
    const std::string project = JsonView(each.workflow.state).find("project").as_string().value_or("");
    if (request.project.empty() || project == request.project) return files.layout().locate(feed, each.workflow.id);
  }
  return std::nullopt;
}

// Lopen's own messages for an id that cannot be resumed.
Result<SessionRef> ref_to_resume(const Context& context, FileStore& files, Feed& feed, std::string_view id) {
  if (id.empty() || id == "latest") {
    HOLDFAST_LET(current, current_of(context, files, feed, {}));
    if (!current) return fail(Code::not_found, "No active session found to resume.", files.name());
    return *current;
  }
  if (!files.layout().traits().owns_logs && !lopen::parse_session_name(id))
    return fail(Code::invalid_argument, "Invalid session ID format: '" + std::string(id) + "'.");
  auto ref = files.resolve(context, feed, id);
  if (ref) return ref;
  if (ref.error().code == Code::not_found)
    return fail(Code::not_found, "Session not found: " + std::string(id), files.name());
  return ref;
}

// A session that was moved aside on opening is reported as bad, not as "not found".
Result<void> check_not_aside(FileStore& files, std::string_view id) {
  if (id.empty()) return {};
  for (const Finding& finding : files.opening_findings()) {
    if (finding.file.find("/" + std::string(id) + "/") != std::string::npos)
      return fail(Code::corrupt, "session " + std::string(id) + " cannot be resumed: " + finding.consequence,
                  finding.file);
  }
  return {};
}

// If both a module and a session are named, they must belong together.
Result<void> check_module_of(const Context& context, FileStore& files, const StartRequest& request) {
  if (request.module.empty()) return {};
  const auto view = get_workflow(context, files, request.resume);
  if (!view || in_lower_case(view->module) == in_lower_case(request.module)) return {};
  return fail(Code::invalid_argument,
              "session " + view->id + " belongs to module " + view->module + ", not to " + request.module);
}

void warn_of_module(FileStore& files, Feed& feed, const std::string& module, StartedSession& started) {
  if (!knows_specifications(files)) return;
  for (const std::string& name : {module, in_lower_case(module)}) {
    const auto there = feed.stat({std::string(lopen::kRoot), std::string(lopen::kRequirements) + "/" + name});
    if (there && *there) return;
  }
  started.warnings.push_back("there is no directory " + std::string(lopen::kRequirements) + "/" +
                             in_lower_case(module));
}

Result<StartedSession> fresh(const Context& context, FileStore& files, const StartRequest& request) {
  if (request.module.empty())
    return fail(Code::invalid_argument, "a new session needs a module; name one with --module");
  const std::string lower = in_lower_case(request.module);
  HOLDFAST_TRY(lopen::check_module_name(lower));
  StartedSession started;
  const Layout& layout = files.layout();
  JsonWriter fields;
  fields.begin_object().key("module").string(request.module).end_object();
  SessionDraft draft;
  draft.project = request.project;
  // The project of such a store is the directory that contains it.
  if (draft.project.empty() && !layout.traits().owns_logs) draft.project = files.roots().first()->path();
  draft.title = layout.traits().owns_logs ? request.module : "";
  draft.model = request.model;
  if (!layout.traits().owns_logs) draft.metadata = fields.text();
  SessionRef made;
  HOLDFAST_LET(lock, files.lock_mark(context));
  const auto plan = [&](DirectoryFeed& feed) -> Result<Changes> {
    started.warnings.clear();
    warn_of_module(files, feed, request.module, started);
    HOLDFAST_LET(safe, files.redactor().hidden(feed, draft));
    HOLDFAST_LET(writer, writer_of(layout));
    HOLDFAST_LET(session, writer->create(feed, safe, files.moment(context)));
    made = session.ref;
    HOLDFAST_LET(specification, specification_of(files, feed, request.module));
    const WorkflowStep step =
        knows_specifications(files) ? assess_step(specification, std::nullopt) : WorkflowStep::draft_specification;
    if (!layout.traits().owns_logs && step == WorkflowStep::draft_specification) return std::move(session.changes);
    JsonWriter state;
    state.begin_object().key("phase").string(workflow_phase_name(step)).key("step").string(workflow_step_name(step));
    state.key("module").string(request.module).end_object();
    return SessionDocuments::with_state(layout, made, session.changes, state.text());
  };
  HOLDFAST_TRY(files.change(context, plan));
  lock.reset();
  files.touched(made);
  HOLDFAST_LET(view, get_workflow(context, files, made.id));
  started.workflow = std::move(view);
  record_drift_base(context, files, started.workflow);
  started.hint = started.workflow.step_written;
  return started;
}

Result<StartedSession> go_on(const Context& context, FileStore& files, const SessionRef& ref) {
  StartedSession started;
  started.resumed = true;
  Root& root = *files.roots().first();
  if (files.paused().why(root, ref.id)) HOLDFAST_TRY(prove_session_writable(files, ref));
  HOLDFAST_TRY(files.paused().go_on(root, ref.id));
  bool saves = false;
  const auto plan = [&](DirectoryFeed& feed) -> Result<Changes> {
    HOLDFAST_LET(documents, SessionDocuments::load(files.layout(), feed, ref));
    if (documents.complete()) return fail(Code::invalid_argument, "Session " + ref.id + " is already complete.");
    started.hint = documents.state_text("step");
    started.warnings.clear();
    warn_of_module(files, feed, documents.module(), started);
    if (knows_specifications(files)) {
      HOLDFAST_LET(specification, specification_of(files, feed, documents.module()));
      HOLDFAST_TRY(documents.set_step(assess_step(specification, documents.step())));
    }
    HOLDFAST_LET(changes, mark_session(files.layout(), feed, ref));
    saves = documents.changed();
    if (saves) {
      JsonWriter now;
      now.begin_object().key("updated_at").string(format_dotnet_time(context.clock->now())).end_object();
      HOLDFAST_TRY(documents.set_state(now.text()));
    }
    documents.put_into(changes);
    return changes;
  };
  auto saved = save_or_pause(files, ref.id, [&]() -> Result<void> {
    HOLDFAST_LET(lock, files.lock_mark(context));
    return files.change(context, plan);
  });
  if (!saved) return fail(std::move(saved).error());
  HOLDFAST_LET(view, get_workflow(context, files, ref.id));
  started.workflow = std::move(view);
  started.drift = drift_since_save(context, files, started.workflow);
  if (saves) record_drift_base(context, files, started.workflow);
  return started;
}

// Returns the current session if it may be continued for this module.
Result<std::optional<SessionRef>> current_for(const Context& context, FileStore& files, const StartRequest& request) {
  DirectoryFeed feed(context, files.roots().directories());
  HOLDFAST_LET(current, current_of(context, files, feed, request));
  if (!current) return std::nullopt;
  const auto documents = SessionDocuments::load(files.layout(), feed, *current);
  if (!documents || documents->complete()) return std::nullopt;
  if (!request.module.empty() && in_lower_case(documents->module()) != in_lower_case(request.module))
    return std::nullopt;
  return current;
}

// Adds why the session is not marked as the latest, if it is not: then the next start does not continue it.
void note_mark(const Context& context, FileStore& files, StartedSession& started) {
  DirectoryFeed all(context, files.roots().directories()), feed(context, files.roots().directories());
  const auto ref = files.resolve(context, all, started.workflow.id);
  if (!ref || !mark_session(files.layout(), feed, *ref)) return;
  for (Finding& finding : findings_of(feed)) started.findings.push_back(std::move(finding));
}

}  // namespace

bool keeps_only_workflows(const Store& store) {
  const Layout* const layout = find_layout(store.layout_name());
  return layout != nullptr && layout->workflow() != nullptr && !layout->traits().owns_logs;
}

Result<StartedSession> resume_workflow(const Context& context, Store& store, std::string_view id,
                                       const std::function<Result<void>(const std::string& id)>& claim) {
  HOLDFAST_LET(files, engine_of(store));
  HOLDFAST_TRY(check_not_aside(*files, id));
  DirectoryFeed feed(context, files->roots().directories());
  HOLDFAST_LET(ref, ref_to_resume(context, *files, feed, id));
  HOLDFAST_LET(documents, SessionDocuments::load(files->layout(), feed, ref));
  if (documents.complete()) return fail(Code::invalid_argument, "Session " + ref.id + " is already complete.");
  HOLDFAST_TRY(prepare_workflow(context, store));
  if (claim) HOLDFAST_TRY(claim(ref.id));
  HOLDFAST_LET(started, go_on(context, *files, ref));
  started.findings = files->opening_findings();
  note_mark(context, *files, started);
  return started;
}

Result<StartedSession> start_session(const Context& context, Store& store, const StartRequest& request) {
  HOLDFAST_LET(files, engine_of(store));
  if (request.no_resume && !request.resume.empty())
    return fail(Code::invalid_argument, "give a session to resume, or no_resume, not both");
  if (!request.resume.empty()) {
    HOLDFAST_TRY(check_module_of(context, *files, request));
    return resume_workflow(context, store, request.resume, request.claim);
  }
  HOLDFAST_TRY(prepare_workflow(context, store));
  std::optional<SessionRef> current;
  if (!request.no_resume && request.auto_resume) {
    HOLDFAST_LET(found, current_for(context, *files, request));
    current = std::move(found);
  }
  if (current && request.claim) HOLDFAST_TRY(request.claim(current->id));
  auto started = current ? go_on(context, *files, *current) : fresh(context, *files, request);
  if (!started) {
    if (is_critical(started.error().code) && started.error().message.find(" | Path: ") == std::string::npos)
      return fail(critical_error(started.error(), files->roots().first()->path()));
    return started;
  }
  started->findings = files->opening_findings();
  note_mark(context, *files, *started);
  // The session exists even if it could not be claimed or old ones could not be pruned.
  if (!current && request.claim) {
    if (auto claimed = request.claim(started->workflow.id); !claimed)
      started->warnings.push_back("the session has no owner: " + error_words(claimed.error()));
  }
  auto pruned = prune_sessions(context, store, request.retention);
  if (pruned)
    started->pruned = std::move(*pruned);
  else
    started->warnings.push_back("old sessions could not be pruned: " + error_words(pruned.error()));
  return started;
}

Result<std::vector<ResumableSession>> resumable_sessions(const Context& context, Store& store,
                                                         std::string_view module) {
  HOLDFAST_LET(files, engine_of(store));
  DirectoryFeed feed(context, files->roots().directories());
  HOLDFAST_LET(current, marked_session(files->layout(), feed));
  HOLDFAST_LET(list, store.list(context));
  std::vector<ResumableSession> all;
  for (const Session& session : list.sessions) {
    if (session.status == Status::complete) continue;
    auto view = get_workflow(context, store, session.id);
    if (!view || view->complete || view->module.empty()) continue;
    if (!module.empty() && in_lower_case(view->module) != in_lower_case(module)) continue;
    all.push_back({std::move(*view), current && current->id == session.id});
  }
  return all;
}

}  // namespace holdfast::inline v1
