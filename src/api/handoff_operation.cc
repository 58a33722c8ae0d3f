// session.handoff: continue a session in another agent.
#include "api/agents.h"
#include "api/archive_capture.h"
#include "api/call.h"
#include "api/command_line.h"
#include "api/dry_run.h"
#include "api/find_session.h"
#include "api/new_file.h"
#include "api/notes.h"
#include "api/session_filter.h"
#include "api/tables.h"
#include "base/parent_path.h"
#include "disk/resolve.h"
#include "handoff/atomic_file_creator.h"
#include "handoff/brief.h"
#include "handoff/hand_off.h"
#include "model/model_json.h"
#include "sync/project_identity.h"
#include "text/json_text.h"
#include "text/shell_word.h"
#include "transfer/redacted_transcript.h"

namespace holdfast::inline v1 {
namespace {

// Layouts that accept sessions of other agents, for the parameter `to`.
std::vector<std::string_view> takers() {
  std::vector<std::string_view> names;
  for (const Layout* layout : layouts())
    if (layout->new_sessions() != nullptr || layout->traits().owns_logs) names.push_back(layout->name());
  return names;
}

void write_lines(JsonWriter& json, std::string_view key, const std::vector<ReportLine>& lines) {
  json.key(key).begin_array();
  for (const ReportLine& line : lines) {
    json.begin_object().key("kind").string(line.kind).key("count").uint64(line.count);
    if (!line.reason.empty()) json.key("reason").string(line.reason);
    json.end_object();
  }
  json.end_array();
}

// The new session, as far as it was written.
struct Landed {
  std::string id = {}, store = {}, path = {};
  std::string file = {};
  std::string import_command = {};
  HandoffResult carried = {};
  std::vector<std::string> warnings = {};
  std::vector<Finding> findings = {};  // of the archive
};

// Writes the command that continues the session; nothing if none is known. If the agent does not use the store by
// default, the command sets a variable.
void write_resume(const Call& call, JsonWriter& json, const Landed& landed, const std::string& project) {
  const std::string layout = call.text("to"), person = call.stores.settings().person;
  const Machine machine{.variable = [&](std::string_view name) { return name == "HOME" ? person : std::string(); },
                        .exists = [](const std::string&) { return false; },
                        .directory = {}};
  JsonWriter session;
  session.begin_object().key("layout").string(layout).key("store").string(landed.store);
  session.key("path").string(landed.path).key("id").string(landed.id).key("project").string(project).end_object();
  auto resume = landed.id.empty() ? std::nullopt : resume_command_for(JsonView(session.text()), machine);
  if (resume && resume->out_of_reach) resume.reset();
  // Holdfast itself finds a store in another place only if it is named.
  if (resume && call.has("output") && resume->words.front() == "holdfast") {
    resume->words.emplace_back("--store");
    resume->words.push_back(landed.store);
  }
  json.key("resume").begin_array();
  if (resume)
    for (const std::string& word : resume->words) json.string(word);
  json.end_array().key("directory");
  resume && !resume->directory.empty() ? json.string(resume->directory) : json.null();
  json.key("environment").begin_object();
  if (resume && !resume->variable.empty()) json.key(resume->variable).string(resume->value);
  json.end_object();
}

void write_damage(JsonWriter& json, const RereadableSession& session, std::vector<Finding> others = {}) {
  std::vector<Finding> findings = session.findings();
  std::ranges::move(others, std::back_inserter(findings));
  if (!findings.empty()) write_findings(json, "findings", findings);
}

std::string answer(const Call& call, const RereadableSession& session, const CarriedHead& head, const Landed& landed) {
  const HandoffResult& carried = landed.carried;
  JsonWriter json = begin_answer();
  json.key("to").string(call.text("to")).key("written").boolean(!landed.id.empty()).key("id");
  landed.id.empty() ? json.null() : json.string(landed.id);
  json.key("store");
  landed.store.empty() ? json.null() : json.string(landed.store);
  json.key("project").string(head.project).key("title");
  head.title.empty() ? json.null() : json.string(head.title);
  json.key("turns").uint64(carried.turns).key("tokens_estimated").uint64(carried.tokens);
  json.key("file");
  landed.file.empty() ? json.null() : json.string(landed.file);
  json.key("import").begin_array();
  if (!landed.import_command.empty()) {
    std::string_view words = landed.import_command;
    while (!words.empty()) {
      const std::size_t end = std::min(words.find(' '), words.size());
      json.string(words.substr(0, end));
      words.remove_prefix(std::min(end + 1, words.size()));
    }
    json.string(landed.file);
  }
  json.end_array();
  write_resume(call, json, landed, head.project);
  write_lines(json, "carried", carried.report.carried);
  write_lines(json, "changed", carried.report.changed);
  write_lines(json, "left_behind", carried.report.left_behind);
  if (!landed.warnings.empty()) json.key("warnings").strings(landed.warnings);
  write_damage(json, session, landed.findings);
  return json.end_object().take();
}

// The directory to continue in must exist and belong to the person. What is written elsewhere may be for another
// machine, which has the directory of the session; a directory that is named here must be here.
Result<void> check_project(const Call& call, const std::string& project) {
  if (call.has("output") && !call.has("project")) return {};
  const auto there = call.stores.settings().files->open_directory(project, false);
  if (there) return {};
  if (there.error().code != Code::not_found)
    return fail(there.error().code, "the session cannot continue in this directory: " + there.error().message, project);
  return fail(Code::not_found,
              call.has("project") ? "the directory to continue in does not exist"
                                  : "the directory of the session does not exist here; name another one with --project",
              project);
}

// The root of the store that is written to. `session` is that of session_word().
Result<std::string> root_for(const Call& call, const Layout& to, std::string_view session) {
  if (call.has("output")) return call.text("output");
  if (!to.new_sessions()->traits().import_command.empty())
    return fail(Code::invalid_argument, std::string(to.agent()) + " imports sessions with its own command; run " +
                                            command_again(call.operation, call.params, session) +
                                            " -o DIR to write the file for it");
  for (const StoreOptions& options : call.stores.defaults()) {
    if (options.layout != to.name()) continue;
    const auto first = options.roots.find("");
    if (first != options.roots.end()) return first->second;
  }
  const auto& place_of = call.stores.settings().place_of;
  if (std::string place = place_of ? place_of(to.name()) : std::string(); !place.empty()) return place;
  return fail(Code::not_found, "there is no directory for " + std::string(to.agent()) +
                                   " here; start it once, or run " +
                                   command_again(call.operation, call.params, session) + " -o DIR to write elsewhere");
}

Result<Landed> land(const Call& call, RereadableSession& session, const HandoffPlan& plan) {
  const Layout& to = plan.to;
  Landed landed;
  if (to.new_sessions() == nullptr) {
    std::vector<StoreOptions> meant;
    if (call.has("output")) {
      HOLDFAST_LET(named, parse_store_name(std::string(to.name()) + ":" + call.text("output")));
      meant.push_back(std::move(named));
    } else {
      HOLDFAST_LET(defaults, call.stores.meant("", to.name(), Use::create));
      meant = std::move(defaults);
    }
    HOLDFAST_LET(store, call.stores.open(call.context, meant.front(), Use::create));
    HOLDFAST_LET(made, store_handoff(call.context, *store, session, plan));
    landed.id = std::move(made.id);
    landed.carried = std::move(made.carried);
    landed.store = store->name();
    return landed;
  }
  HOLDFAST_LET(root, root_for(call, to, session_word(session.session().layout, session.session().id)));
  FileSystem& files = *call.stores.settings().files;
  HOLDFAST_LET(directory, files.open_directory(root, call.has("output")));
  HOLDFAST_LET(written, write_handoff(call.context, files, *directory, session, plan));
  landed.id = written.id;
  landed.carried = std::move(written.carried);
  // A file for an import command is in no store yet.
  if (written.import_command.empty()) landed.store = std::string(to.name()) + ":" + root;
  landed.path = written.file;
  landed.import_command = written.import_command;
  landed.file = (root == "/" ? "" : root) + "/" + written.file;
  return landed;
}

// For a dry run: what land() would carry over; fails as it would.
Result<HandoffResult> rehearse_landing(const Call& call, RereadableSession& session, const HandoffPlan& plan) {
  Rehearsal rehearsal(call.stores);
  auto landed = land({call.context, call.operation, call.params, rehearsal.stores()}, session, plan);
  if (landed) return std::move(landed->carried);
  if (!rehearsal.gave_up()) return fail(std::move(landed).error());
  return hand_on(session, plan, [](const Turn&) -> Result<void> { return {}; });
}

Result<void> write_brief(FileSystem& files, const std::string& path, std::string_view text) {
  HOLDFAST_LET(directory, open_folder_for_file(files, absolute_parent(path)));
  HOLDFAST_LET(out, AtomicFileCreator::begin(files, *directory, path.substr(path.rfind('/') + 1)));
  HOLDFAST_TRY(out.write(text));
  return out.finish();
}

Result<std::string> brief(Call& call, RereadableSession& session, const CutOptions& options) {
  HOLDFAST_LET(part, carried_part(session, options));
  const Layout* const from = find_layout(session.session().layout);
  Brief page(from == nullptr ? std::span<const ToolName>() : from->tool_names());
  HandoffReport unused;
  HOLDFAST_TRY(visit_turns(session, part, unused, [&](const Turn& turn) { page.take(turn); }));
  const std::string text = page.text(session.session(), part.head);
  const std::string path = call.text("output");
  const bool looks = call.flag("dry_run");
  if (call.has("output") && looks) {
    Rehearsal rehearsal(call.stores);
    HOLDFAST_TRY(write_brief(*rehearsal.stores().settings().files, path, text));
  } else if (call.has("output")) {
    HOLDFAST_TRY(write_brief(*call.stores.settings().files, path, text));
  }
  JsonWriter json = begin_answer();
  if (!call.has("output") || looks) {
    json.key("format").string("md").key("text").string(text);
    write_damage(json, session);
    return json.end_object().take();
  }
  json.key("output").string(path).key("bytes").uint64(text.size());
  write_damage(json, session);
  return json.end_object().take();
}

// Finds the project of another machine's session on this machine: the working directory, one above it, or a shared
// project, if it is the same repository. Empty if none is.
std::string project_here(const Call& call, const LocatedSession& found) {
  const auto origin = call.stores.machines().origin_of(found.files->name(), found.ref.id);
  if (!origin || origin->identity.empty() || origin->identity.starts_with("path:")) return {};
  FileSystem& files = *call.stores.settings().files;
  std::vector<std::string> places;
  for (std::string at = call.stores.settings().directory; at.size() > 1; at = std::string(absolute_parent(at)))
    places.push_back(at);
  if (const auto home = open_sync_home(call.context, call.stores, false)) {
    const auto remotes = (*home)->remotes(call.context);
    for (const RemoteSettings& remote : remotes.value_or(std::vector<RemoteSettings>()))
      for (const ProjectShare& share : remote.shares) places.push_back(share.project);
  }
  for (const std::string& place : places) {
    const std::string identity = project_identity(files, place);
    if (identity == origin->identity) return place;
    if (!is_project_in(origin->identity, identity)) continue;
    const std::string below = place + origin->identity.substr(identity.size() + (identity.contains("//") ? 0 : 1));
    if (files.open_directory(below, false)) return below;
  }
  return {};
}

// Records the source in Holdfast's own notes, so lists show both as one session. If that fails, the new session stays
// and gets a warning. If the next agent keeps no titles and would show the summary as the title, the note has a title.
void note_source(const Call& call, const LocatedSession& found, const HandoffPlan& plan, Landed& landed) {
  const NewSessions* const power = plan.to.new_sessions();
  const bool untitled = plan.part.summary_first && power != nullptr && !power->traits().titles;
  const std::string layout(found.files->layout_name());
  const auto origin = call.stores.machines().origin_of(found.files->name(), {});
  const auto change = [&](SessionNote& note) -> Result<void> {
    note.source = {layout, found.ref.name()};
    if (untitled) note.title = plan.part.head.title;
    note.source_machine = origin ? origin->machine : std::string();
    return {};
  };
  const auto noted = change_note(call.context, call.stores.settings(), call.text("to"), landed.id, change);
  if (!noted)
    landed.warnings.push_back("it will not be listed as a branch of " + layout + "/" + found.ref.name() + ": " +
                              noted.error().message);
}

Result<std::string> handoff(Call& call) {
  if (call.flag("brief") && call.has("to"))
    return fail(Code::invalid_argument, "a brief is for any agent: --brief and --to cannot be combined");
  if (!call.flag("brief") && !call.has("to"))
    return fail(Code::invalid_argument, "name the next agent with --to, or ask for a brief with --brief");
  HOLDFAST_LET(found, locate_session(call, call.text("id")));
  RereadableStoreSession session(call.context, *found.files, found.ref);
  HandoffOptions options;
  options.cut = {.last = static_cast<std::size_t>(call.integer("last", 0)),
                 .from = call.text("from"),
                 .fit = static_cast<std::uint64_t>(call.integer("fit", 0))};
  if (call.flag("brief") && call.flag("redact")) {
    HOLDFAST_LET(transcript, found.files->read(call.context, found.ref.name(), {.raw = true, .data = true}));
    redact_transcript(transcript);
    RereadableTranscript masked(transcript);
    return brief(call, masked, options.cut);
  }
  if (call.flag("brief")) return brief(call, session, options.cut);
  options.project = call.project();
  if (options.project.empty() && call.has("machine")) options.project = project_here(call, found);
  options.map_tools = call.text("tools") != "keep";
  options.redact = call.flag("redact");
  const auto notes = Notes::read(call.context, call.stores.settings());
  if (const SessionNote* const note = notes->of(found.files->layout_name(), found.ref.name()); note != nullptr)
    options.title = note->title;
  HOLDFAST_LET(plan, plan_handoff(session, *find_layout(call.text("to")), options));
  CarriedHead& head = plan.part.head;
  HOLDFAST_TRY(check_project(call, head.project));
  // The next agent knows a directory by its real path, whatever links the session went through.
  if (call.stores.settings().files->open_directory(head.project, false)) head.project = resolve_path(head.project);
  if (!call.flag("dry_run")) {
    HOLDFAST_LET(landed, land(call, session, plan));
    note_source(call, found, plan, landed);
    // What is written elsewhere is not resumed here.
    if (!landed.store.empty() && !call.has("output")) {
      auto [warning, findings] = capture_before_resume(call.context, call.stores, landed.store);
      if (!warning.empty()) landed.warnings.push_back(std::move(warning));
      landed.findings = std::move(findings);
    }
    return answer(call, session, head, landed);
  }
  HOLDFAST_LET(carried, rehearse_landing(call, session, plan));
  return answer(call, session, head, {.carried = std::move(carried)});
}

}  // namespace

Operation handoff_session_operation() {
  return {
      .method = "session.handoff",
      .help =
          "continue a session in another agent: create a new session for that agent, with messages, tool calls and "
          "results",
      .parameters =
          {{.name = "id", .help = "an id, a prefix of one, @last, or LAYOUT/ID", .required = true, .positional = true},
           machine_parameter(),
           {.name = "to", .help = "the agent to continue in", .words = takers()},
           {.name = "brief",
            .help = "write a page of Markdown instead: the goal, the last request, files touched, what is left to do",
            .type = ParamType::boolean},
           {.name = "project",
            .help = "directory to continue in (default: the directory of the session)",
            .path = true},
           {.name = "last",
            .help = "only the last N prompts, with their answers",
            .type = ParamType::integer,
            .least = 1},
           {.name = "from", .help = "start from the prompt of this message, given by id or ordinal"},
           {.name = "fit",
            .help = "keep at most N tokens, as estimated; the oldest turns are left out",
            .type = ParamType::integer,
            .least = 1},
           {.name = "tools",
            .help = "map (default): translate tool calls to the next agent's tools; keep: leave them as they are",
            .words = {"map", "keep"}},
           {.name = "redact", .help = "replace secrets with placeholders", .type = ParamType::boolean},
           {.name = "output",
            .help = "write to this directory instead of the agent's own; with `brief`, to this file",
            .path = true,
            .letter = 'o'},
           {.name = "dry_run",
            .help = "print what would be carried over and write nothing",
            .type = ParamType::boolean}},
      .result =
          "to?:string written?:boolean id?:string? store?:string? project?:string title?:string? turns?:integer "
          "tokens_estimated?:integer file?:string? import?:string[] resume?:string[] directory?:string? "
          "environment?:object "
          "carried?:handoff_line[] changed?:handoff_line[] left_behind?:handoff_line[] format?:string text?:string "
          "output?:string bytes?:integer",
      .errors = {Code::not_found, Code::already_exists, Code::unsupported, Code::disk_full, Code::read_only},
      .handler = handoff,
      .example = "handoff @last --to codex --dry-run",
      .command = "handoff"};
}

}  // namespace holdfast::inline v1
