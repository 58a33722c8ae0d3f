#include "doors/cli/resume_command.h"

#include <unistd.h>

#include <algorithm>

#include "api/archive_capture.h"
#include "api/command_line.h"
#include "api/dispatch.h"
#include "api/known_layouts.h"
#include "doors/cli/answer_notes.h"
#include "doors/cli/execute_program.h"
#include "doors/cli/process_environment.h"
#include "doors/cli/render_handoff.h"
#include "doors/cli/terminal.h"
#include "text/clean.h"
#include "text/json_edit.h"
#include "text/json_text.h"
#include "text/json_write.h"
#include "text/shell_word.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:@%+,=-";

std::string json_of(const AgentCommand& resume, JsonView findings) {
  JsonWriter json;
  json.begin_object().key("schema_version").int64(1).key("command").strings(resume.words).key("directory");
  if (resume.directory.empty())
    json.null();
  else
    json.string(resume.directory);
  json.key("environment").begin_object();
  if (!resume.variable.empty()) json.key(resume.variable).string(resume.value);
  json.end_object();
  if (!resume.warning.empty()) json.key("warnings").begin_array().string(resume.warning).end_array();
  if (findings) json.key("findings").raw(findings.raw());
  return json.end_object().take() + "\n";
}

void print_warning(const AgentCommand& resume) {
  if (!resume.warning.empty()) print_error("warning: " + clean_for_terminal(resume.warning, {.one_line = true}) + "\n");
}

}  // namespace

bool is_plain_word(std::string_view text) {
  constexpr std::size_t kLongest = 4096;
  return !text.empty() && text.size() <= kLongest && text.find_first_not_of(kPlain) == std::string_view::npos &&
         !text.starts_with('-') && !text.starts_with('=') && !text.starts_with('%');
}

Result<AgentCommand> resume_of(JsonView session, const Machine& machine) {
  // An agent that resumed a session inside Holdfast's archive, or one from another machine, would write
  // there. Sessions that the agent itself archived are in the agent's own store.
  const bool put_away = session.find("archived").as_bool() == true && !json_text(session, "store").contains("/@");
  if (session.find("status").is_string("archived") && !put_away) {
    const std::string name = session_word(json_text(session, "layout"), json_text(session, "id"));
    return fail(Code::unsupported,
                "this session is only in the archive; run holdfast restore " + name +
                    " to bring it back to its agent, or holdfast resume " + name +
                    " --in AGENT to continue it in another agent",
                json_text(session, "store"));
  }
  auto resume = resume_command_for(session, machine);
  const std::string agent = agent_of(json_text(session, "layout"));
  if (!resume) return fail(Code::unsupported, agent + " has no command to resume a session");
  if (!is_plain_word(id_for_agent(session)))
    return fail(Code::unsupported, "the id of this session is not a plain word; holdfast ls --json shows it");
  if (resume->out_of_reach)
    return fail(Code::unsupported, agent + " has no option to look for sessions elsewhere",
                json_text(session, "store"));
  return *std::move(resume);
}

Result<std::string> resume_line(JsonView session, const Machine& machine) {
  HOLDFAST_LET(resume, resume_of(session, machine));
  std::string line;
  if (!resume.directory.empty()) line = "cd " + shell_word(resume.directory) + " && ";
  if (!resume.variable.empty()) line += resume.variable + "=" + shell_word(resume.value) + " ";
  for (const std::string& word : resume.words) line += (&word == resume.words.data() ? "" : " ") + shell_word(word);
  if (clean_for_terminal(line, {.one_line = true}) != line)
    return fail(Code::unsupported, "the command cannot be printed safely; run holdfast resume without --print");
  return line;
}

void warn_of_missing_program(const std::string& name) {
  if (const auto found = find_program(name); !found) print_error("warning: " + found.error().message + "\n");
}

namespace {

void capture_first(JsonView session) {
  if (!deletes_resumed(json_text(session, "layout"))) return;
  auto settings = default_stores(process_environment());
  if (!settings) return;
  Stores stores(std::move(*settings));
  const auto [warning, findings] = capture_before_resume({}, stores, json_text(session, "store"));
  JsonWriter json;
  json.begin_object().key("store").string(json_text(session, "store"));
  if (!warning.empty()) json.key("warnings").begin_array().string(warning).end_array();
  write_findings(json, "findings", findings);
  print_error(notes_of(JsonView(json.end_object().text())));
}

}  // namespace

Result<int> run_resume(JsonView session, const Machine& machine) {
  HOLDFAST_LET(resume, resume_of(session, machine));
  print_warning(resume);
  capture_first(session);
  return fail(become({resume.words, resume.directory, resume.variable, resume.value}));
}

namespace {

// A session from elsewhere may contain anything, and an agent would act on it: a person must have looked at it.
// Returns false if the person says no.
Result<bool> ask_whether_seen(const ResumeSession& request) {
  if (request.ask.empty()) return true;
  const std::string machine = clean_for_terminal(request.ask, {.one_line = true, .max_bytes = 200});
  if (::isatty(STDIN_FILENO) == 1 && ::isatty(STDERR_FILENO) == 1) {
    print_error("This session comes from " + machine + ", and an agent will do what it says. Have you read it? [y/N] ");
    if (is_yes(read_reply())) return true;
    print_error("nothing was changed\n");
    return false;
  }
  return fail(Code::invalid_argument, "this session comes from another machine; read it with holdfast show " +
                                          (is_plain_word(request.id) ? request.id : std::string("ID")) + " --machine " +
                                          machine + ", then resume it with --yes");
}

// Checks whether the next agent can be started, as far as that is known before its session exists.
Result<void> check_next_agent(const ResumeSession& request, const Environment& env) {
  const JsonView params(request.handoff);
  const std::string to = json_text(params, "to");
  const auto takers = handoff_target_layouts();
  if (std::ranges::find(takers, to) == takers.end()) return {};  // session.handoff reports why
  JsonWriter session;
  session.begin_object().key("layout").string(to).key("id").string("ID").end_object();
  const auto resume = resume_command_for(JsonView(session.text()), env);
  if (!resume) return {};
  auto found = find_program(resume->words.front());
  if (found) return {};
  HOLDFAST_LET(again, json_remove(request.handoff, {"dry_run"}));
  found.error().message += "; nothing was written; run " +
                           command_again(*find_operation("session.handoff"), JsonView(again)) +
                           " to write the session for it";
  return found;
}

// Creates a new session of the next agent, then starts that agent.
Result<int> run_handoff(const ResumeSession& request, bool json, const Environment& env) {
  HOLDFAST_LET(seen, ask_whether_seen(request));
  if (!seen) return 1;
  if (!json && !request.print) HOLDFAST_TRY(check_next_agent(request, env));
  std::string answer;
  {
    HOLDFAST_LET(settings, default_stores(env));
    settings.looks_everywhere = true;
    Stores stores(std::move(settings));
    auto done = dispatch({}, stores, "session.handoff", request.handoff);
    constexpr std::string_view kTo = "session.handoff: to ";  // --in on the command line
    if (!done && done.error().message.starts_with(kTo)) done.error().message.replace(0, kTo.size(), "--in ");
    if (!done) return fail(std::move(done).error());
    HOLDFAST_TRY(stores.close({}));
    answer = *std::move(done);
  }
  const JsonView made(answer);
  if (json || !made.find("written").as_bool().value_or(false)) {
    HOLDFAST_TRY(json ? print_out(answer + "\n", OutputKind::json)
                      : print_out(render_handoff(made, {}), OutputKind::text));
    return 0;
  }
  print_error(render_handoff(made, {}));
  print_error(notes_of(made));
  ProgramCommand program;
  for (const JsonItem& word : made.find("resume").elements())
    program.words.push_back(word.value.as_string().value_or(""));
  if (request.print) {
    HOLDFAST_TRY(print_out(handoff_line(made) + "\n", OutputKind::text));
    if (!program.words.empty()) warn_of_missing_program(program.words.front());
    return 0;
  }
  program.directory = json_text(made, "directory");
  for (const JsonItem& one : made.find("environment").fields()) {
    program.variable = one.key();
    program.value = one.value.as_string().value_or("");
  }
  if (program.words.empty()) return fail(Code::unsupported, "there is no known command to resume it");
  return fail(become(program));
}

}  // namespace

Result<int> run_resume(const ResumeSession& request, bool json) {
  const Environment env = process_environment();
  if (!request.handoff.empty()) return run_handoff(request, json, env);
  std::string answer;
  {
    HOLDFAST_LET(settings, default_stores(env));
    settings.looks_everywhere = true;
    Stores stores(std::move(settings));
    JsonWriter params;
    params.begin_object().key("id").string(request.id);
    if (!request.store.empty()) params.key("store").string(request.store);
    HOLDFAST_LET(found, dispatch({}, stores, "session.get", params.end_object().take()));
    answer = std::move(found);
  }  // close everything of ours before the agent starts
  const JsonView session = JsonView(answer).find("session");
  if (json) {
    HOLDFAST_LET(resume, resume_of(session, env));
    HOLDFAST_TRY(print_out(json_of(resume, JsonView(answer).find("findings")), OutputKind::json));
    return 0;
  }
  print_error(notes_of(JsonView(answer)));
  if (request.print) {
    HOLDFAST_LET(line, resume_line(session, env));
    HOLDFAST_TRY(print_out(line + "\n", OutputKind::text));
    if (const auto resume = resume_of(session, env)) {
      print_warning(*resume);
      warn_of_missing_program(resume->words.front());
    }
    return 0;
  }
  return run_resume(session, env);
}

}  // namespace holdfast::inline v1
