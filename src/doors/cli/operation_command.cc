#include "doors/cli/operation_command.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <functional>

#include "api/dispatch.h"
#include "api/error_json.h"
#include "doors/cli/answer_notes.h"
#include "doors/cli/api_words.h"
#include "doors/cli/ask_resume.h"
#include "doors/cli/execute_program.h"
#include "doors/cli/hints.h"
#include "doors/cli/local_time.h"
#include "doors/cli/noun_args.h"
#include "doors/cli/overview.h"
#include "doors/cli/pager.h"
#include "doors/cli/pasteable_commands.h"
#include "doors/cli/print_sessions.h"
#include "doors/cli/process_environment.h"
#include "doors/cli/progress_line.h"
#include "doors/cli/render.h"
#include "doors/cli/render_done.h"
#include "doors/cli/render_find.h"
#include "doors/cli/render_remotes.h"
#include "doors/cli/resume_command.h"
#include "doors/cli/terminal.h"
#include "text/clean.h"
#include "text/json_edit.h"
#include "text/json_scan.h"
#include "text/json_text.h"
#include "text/json_write.h"
#include "text/shell_word.h"
#include "text/sizes.h"

namespace holdfast::inline v1 {
namespace {

// Adds the parameter unless the caller gave it.
Result<std::string> with(std::string params, std::string_view name, std::string_view value) {
  if (params.empty()) params = "{}";
  const JsonView given = JsonView(params).find(name);
  if (value.empty() || JsonView(params).kind() != JsonKind::object || (given && !given.is_null())) return params;
  return json_set(params, {name}, json_quoted(value));
}

// Describes what a person waits for.
std::string waiting_words(const Operation& operation) {
  constexpr std::pair<std::string_view, std::string_view> kWords[] = {{"session.search", "searching"},
                                                                      {"session.stats", "counting"},
                                                                      {"store.verify", "checking"},
                                                                      {"session.list", "listing"},
                                                                      {"session.mend", "repairing"}};
  for (const auto& [method, words] : kWords)
    if (operation.method == method) return std::string(words);
  return operation.writes() ? "working" : "reading";
}

// Prints an item of a stream, for people if there is a text form.
Result<void> print_item(JsonView item, bool json) {
  const JsonView captured = item.find("captured");
  const bool synced = item.find("event") && item.find("remote");
  if (json || (!captured && !synced)) return print_out(std::string(item.raw()) + "\n", OutputKind::json);
  if (synced) {
    print_error(notes_of(item));
    return print_out(render_sync_event(item), OutputKind::text);
  }
  const auto bytes = static_cast<std::uint64_t>(item.find("added_bytes").as_int64().value_or(0));
  print_error(notes_of(item));
  return print_out(local_time(item.find("at").as_string().value_or("")) + "  " +
                       counted(captured.as_int64().value_or(0), "session") + " captured, " + human_size(bytes) +
                       " added\n",
                   OutputKind::text);
}

struct OneCall {
  Interrupts interrupts;
  Context context;
  std::optional<Stores> stores;
  std::optional<ProgressLine> waiting;  // removed before anything is printed
  bool json = true;                     // print items of streams as JSON
  std::vector<Finding> beside;          // what a failed call had moved aside or repaired

  void begin(const Operation& operation) { waiting.emplace(waiting_words(operation)); }
  Result<void> open(std::int64_t owner_pid = 0, const std::vector<std::string>& named = {}, bool everywhere = false) {
    HOLDFAST_LET(settings, default_stores(process_environment()));
    settings.looks_everywhere = everywhere;
    if (!named.empty()) {
      settings.defaults.clear();
      settings.current_defaults = nullptr;
      for (const std::string& name : named) {
        HOLDFAST_LET(options, parse_store_name(name));
        settings.defaults.push_back(std::move(options));
      }
      settings.several = true;
    }
    if (owner_pid != 0) {
      HOLDFAST_LET(owner, call_owner(owner_pid));
      settings.owner = std::move(owner);
    }
    context.stop = interrupts.token();
    settings.progress = [this](std::string_view text) {
      if (waiting) waiting->tell(text);
    };
    stores.emplace(std::move(settings));
    return {};
  }
  Result<void> close(bool failed) {
    if (failed) beside = stores->news();
    return stores->close(context);
  }
  // Reports the findings of a failed call with its error.
  Result<int> told(Result<int> done) const {
    if (done || beside.empty()) return done;
    const Error error = with_reason(std::move(done).error(), beside);
    const std::string all = error_json(error, beside);
    const JsonView spelled = JsonView(all).find("error");
    if (!json) {
      print_error(notes_of(spelled));
      return fail(error);
    }
    HOLDFAST_LET(text, json_set(error_text(error, true), {"error", "findings"}, spelled.find("findings").raw()));
    print_error(escape_controls_in_json(text));
    return exit_code_of(error.code);
  }
  // Everything must be closed successfully before the call counts as done.
  Result<std::string> run(std::string_view method, std::string_view params) {
    Result<void> printed;
    auto answer = dispatch(context, *stores, method, params, [&](std::string_view item) {
      waiting.reset();
      printed = print_item(JsonView(item), json);
      return printed.has_value();
    });
    if (answer && !printed) answer = fail(std::move(printed).error());
    auto closed = close(!answer);
    waiting.reset();
    if (answer) HOLDFAST_TRY(closed);
    return answer;
  }
};

// Returns false if the person says no. Ctrl-C at the question ends the process.
Result<bool> confirm(OneCall& call, const RunOperation& run) {
  if (!run.operation->destructive() || run.yes || JsonView(run.params).find("dry_run").as_bool().value_or(false))
    return true;
  HOLDFAST_LET(sentence, preview(call.context, *call.stores, *run.operation, run.params));
  if (sentence.starts_with("do nothing")) return true;
  if (::isatty(STDIN_FILENO) != 1)
    return fail(Code::invalid_argument, "this would " + sentence + "; use --yes to do it");
  sentence = with_store_of(std::move(sentence), JsonView(run.params));
  print_error("This will " + clean_for_terminal(sentence, {.one_line = true}) + ".\nProceed? [y/N] ");
  return is_yes(read_reply());
}

// Before a workflow starts, asks the user what to resume, unless that was given or there is no terminal (L07).
// Returns nullopt if the person ends the input instead.
Result<std::optional<std::string>> ask_what_to_resume(OneCall& call, const RunOperation& run, bool json) {
  const JsonView params(run.params);
  if (run.operation->method != "session.start" || json || run.yes || ::isatty(STDIN_FILENO) != 1 ||
      ::isatty(STDERR_FILENO) != 1 || params.find("resume") || params.find("no_resume") || params.find("dry_run"))
    return run.params;
  JsonWriter question;
  question.begin_object();
  for (const std::string_view key : {"store", "module"})
    if (const JsonView value = params.find(key)) question.key(key).raw(value.raw());
  const auto answer = dispatch(call.context, *call.stores, "session.resumable", question.end_object().take());
  // A store that does not exist yet has nothing to resume.
  if (!answer && answer.error().code != Code::not_found) return fail(answer.error());
  const auto choices = start_choices(JsonView(answer ? *answer : "{}"), call.context.clock->now());
  if (choices.empty()) return run.params;
  for (;;) {
    print_error(start_question(choices));
    const auto line = read_reply();
    if (!line) return std::nullopt;
    const auto reply = read_start_reply(*line, choices);
    if (!reply) {
      print_error("\"" + clean_for_terminal(*line, {.one_line = true, .max_bytes = 80}) + "\" names none of them\n");
      continue;
    }
    HOLDFAST_LET(answered, reply->fresh ? json_set(run.params, {"no_resume"}, "true")
                                        : json_set(run.params, {"resume"}, json_quoted(reply->resume)));
    return answered;
  }
}

// Inside a project with its own store, new things belong to that project unless the caller says otherwise.
Result<std::string> with_project(const OneCall& call, const RunOperation& run, std::string params) {
  constexpr std::string_view kFolder = "/.holdfast";
  const JsonView typed(params);
  if (run.operation->method != "session.create" || typed.find("project") || typed.find("store")) return params;
  const StoreOptions& home = call.stores->settings().home;
  const auto root = home.roots.find("");
  if (home.layout != "holdfast" || root == home.roots.end() || !root->second.ends_with(kFolder)) return params;
  const std::string project = root->second.substr(0, root->second.size() - kFolder.size());
  if (!(process_environment().directory + "/").starts_with(project + "/")) return params;
  return with(std::move(params), "project", project);
}

// On a terminal, writes a page to a file named after the session instead of printing it.
Result<std::string> with_page_file(OneCall& call, const RunOperation& run, std::string params, bool json) {
  if (run.operation->method != "session.share" || json || ::isatty(STDOUT_FILENO) != 1 ||
      JsonView(params).find("output"))
    return params;
  JsonWriter question;
  question.begin_object();
  for (const std::string_view key : {"id", "store"})
    if (const JsonView value = JsonView(params).find(key)) question.key(key).raw(value.raw());
  HOLDFAST_LET(answer, dispatch(call.context, *call.stores, "session.get", question.end_object().take()));
  const std::string id = JsonView(answer).find("id").as_string().value_or("");
  const std::string name = "holdfast-" + (is_plain_word(id) && !id.contains('/') ? id.substr(0, 13) : "session");
  return with(std::move(params), "output", absolute_path(process_environment(), name + ".html"));
}

// Runs the agent's own import command now.
Result<void> take_in(JsonView answer, bool json) {
  const JsonView import = answer.find("import");
  if (import.kind() != JsonKind::object || json) return {};
  const AgentCommand words = import_command_for(answer, process_environment());
  HOLDFAST_LET(code, execute_program({words.words, words.directory, words.variable, words.value}));
  if (code == 0) return {};
  std::string line;
  for (const std::string& word : words.words) line += (line.empty() ? "" : " ") + shell_word(word);
  return fail(Code::unsupported, "run it yourself: " + line);
}

// Whether forget could not read all that it had to search: sessions, or what a remote has of this machine.
bool could_not_search_all(JsonView answer) {
  const auto unreadable = answer.find("unreadable").elements(), findings = answer.find("findings").elements();
  return answer.find("missed").as_bool().value_or(false) || unreadable.begin() != unreadable.end() ||
         std::ranges::any_of(findings,
                             [](const JsonItem& one) { return one.value.find("kind").is_string("not_searched"); });
}

// Whether a command that looks over everything found nothing. In the form NOUN VERB (store list, session
// stats) it is for programs, for which an empty list is an answer; so is the list of a noun of one store.
bool finds_nothing(const Operation& operation, JsonView answer, bool shortcut) {
  if (operation.command == "search") return answer.find("total").as_int64() == 0;
  if (!shortcut && (operation.command == "stores" || operation.command == "stats")) return false;
  if (operation.command == "stores")
    return answer.find("total").as_int64() == 0 && answer.find("findings").elements().empty();
  if (operation.command == "stats") return answer.find("rows") && answer.find("rows").elements().empty();
  if (operation.method == "machine.list") return answer.find("machines").elements().empty();
  if (operation.method == "remote.list") return answer.find("remotes").elements().empty();
  if (operation.method != "session.forget") return false;
  if (could_not_search_all(answer)) return false;
  if (const auto would = answer.find("would").as_string())
    return would->starts_with("do nothing") && !would->contains("; out of reach: ");
  const auto beyond = std::ranges::distance(answer.find("out_of_reach").elements());  // one of them is always reported
  return beyond <= 1 && answer.find("forgotten").elements().empty() && answer.find("holed").elements().empty() &&
         answer.find("of_machines").elements().empty() && answer.find("notes").elements().empty() &&
         answer.find("lines").as_int64() == 0 && answer.find("files_removed").as_int64() == 0;
}

// The exit code for scripts: nothing found, or damage.
int exit_code_for(const Operation& operation, JsonView answer, bool shortcut = false) {
  const auto total = answer.find("total").as_int64();
  if (finds_nothing(operation, answer, shortcut)) return 1;
  if (operation.command == "verify" && total.value_or(0) > 0) return 4;
  const auto unreadable = answer.find("unreadable").elements();
  if (operation.command == "verify" && unreadable.begin() != unreadable.end())
    return exit_code_of(Code::permission_denied);
  if (operation.method == "archive.verify" && total.value_or(0) > 0) return 4;
  if (operation.method == "archive.run" &&
      (answer.find("missed").as_bool().value_or(false) || answer.find("out_of_space").as_bool().value_or(false) ||
       answer.find("no_room").as_int64().value_or(0) > 0))
    return 5;
  if (operation.method == "remote.check" && answer.find("damaged").as_int64().value_or(0) > 0) return 4;
  const auto has_any = [&](std::string_view key) {
    const auto elements = answer.find(key).elements();
    return elements.begin() != elements.end();
  };
  if (operation.method == "session.forget" && (has_any("still_there") || could_not_search_all(answer))) return 4;
  if (operation.method == "archive.prune" && answer.find("missed").as_bool().value_or(false)) return 5;
  if (operation.method == "sync.run" && answer.find("failed").as_bool().value_or(false))
    return exit_code_of(Code::sync_transport_failed);
  if (operation.method == "queue.run" && answer.find("sent").as_int64() == 0 && !answer.find("reason").is_null())
    return exit_code_of(Code::sync_transport_failed);
  return 0;
}

// `ls` prints everything, but on a terminal one screenful unless all is wanted.
Result<std::string> with_limit(const Operation& operation, std::string params, bool json) {
  constexpr std::string_view kAll = "1000000000", kScreen = "50";
  const JsonView typed(params);
  if (operation.command != "ls" || typed.find("limit")) return params;
  const bool screen = ::isatty(STDOUT_FILENO) == 1 && !json && !typed.find("all").as_bool().value_or(false);
  return json_set(params.empty() ? "{}" : params, {"limit"}, screen ? kScreen : kAll);
}

// Text for a terminal is formatted for this one.
Result<std::string> with_style(const Operation& operation, std::string params, ColourChoice colour) {
  const auto takes = [&](std::string_view name) {
    return std::ranges::any_of(operation.parameters, [&](const Parameter& one) { return one.name == name; });
  };
  if (!takes("colour") || !JsonView(params).find("format").is_string("text")) return params;
  if (!JsonView(params).find("width")) {
    HOLDFAST_LET(wide, json_set(params, {"width"}, std::to_string(terminal_width())));
    params = std::move(wide);
  }
  if (JsonView(params).find("colour")) return params;
  return json_set(params, {"colour"}, screen_for(colour, false).colour ? "true" : "false");
}

// The stores that the user named, for the suggested commands.
std::vector<std::string> stores_named(std::string_view params, const OutputOptions& request) {
  if (!request.stores.empty()) return request.stores;
  const auto store = JsonView(params).find("store").as_string();
  return store && !store->empty() ? std::vector<std::string>{*store} : std::vector<std::string>();
}

// The ids from which those that stats shortens must differ. None if they cannot be listed: stats reports why.
std::vector<std::string> ids_besides(OneCall& call, const Operation& operation, JsonView params, bool json) {
  if (operation.method != "session.stats" || !params.find("by").is_string("session") || params.find("remote") || json ||
      ::isatty(STDOUT_FILENO) != 1)
    return {};
  JsonWriter question;
  question.begin_object().key("limit").int64(1);
  for (const std::string_view key : {"store", "machine"})
    if (const JsonView value = params.find(key)) question.key(key).raw(value.raw());
  const auto listed = list_sessions(call.context, *call.stores, question.end_object().take());
  if (!listed) return {};
  const std::vector<std::string_view> ids = listed->ids();
  return std::vector<std::string>(ids.begin(), ids.end());
}

Result<void> show(const Operation& operation, std::string_view params, std::string answer,
                  const OutputOptions& request) {
  if (request.json) return print_out(answer += '\n', OutputKind::json);
  const Screen screen = screen_for(request.colour, false);
  const bool terminal = ::isatty(STDOUT_FILENO) == 1;
  const RenderStyle style{
      .colour = screen.colour, .terminal = terminal, .width = terminal ? terminal_width() : 0, .ids = request.ids};
  auto sentence = done_sentence(operation, JsonView(params), JsonView(answer));
  std::string text = sentence ? *std::move(sentence) : render(JsonView(answer), style);
  if (JsonView(answer).find("would")) text = with_stores(std::move(text), stores_named(params, request));
  const auto printed =
      print_paged(text, is_document(JsonView(answer)) ? OutputKind::data : OutputKind::text, request.pager);
  const std::vector<std::string> stores = stores_named(params, request);
  print_error(with_stores(notes_of(JsonView(answer)), stores));
  HOLDFAST_TRY(printed);
  print_error(with_stores(hints_of(JsonView(answer), JsonView(params)), stores));
  return {};
}

// Whether the id of one of these sessions alone does not name it: an imported copy has the id of its original.
bool is_shared(OneCall& call, JsonView params, const std::set<std::pair<std::string, std::string>>& sessions) {
  if (sessions.empty() || params.find("store") || params.find("machine") || params.find("remote")) return false;
  const auto listed = list_sessions(call.context, *call.stores, R"({"limit":1})");
  if (!listed) return false;
  const std::vector<std::string_view> ids = listed->ids();
  return std::ranges::any_of(sessions,
                             [&](const auto& session) { return std::ranges::count(ids, session.second) > 1; });
}

// Prints items as they are found. Returns the answer without them, or nullopt if the answer is wanted in one piece.
Result<std::optional<std::string>> print_items(OneCall& call, const RunOperation& run, const std::string& params,
                                               const OutputOptions& request) {
  const JsonView format = JsonView(params).find("format");
  if (run.operation->streamed.empty() || request.json || (format && !format.is_string("text"))) return std::nullopt;
  HOLDFAST_LET(streamed, json_set(params.empty() ? "{}" : params, {"stream"}, "true"));
  const bool terminal = ::isatty(STDOUT_FILENO) == 1;
  const RenderStyle style{.colour = screen_for(request.colour, false).colour,
                          .terminal = terminal,
                          .width = terminal ? terminal_width() : 0};
  PagedOutput out(OutputKind::text, request.pager);
  HitLines lines(style);
  bool read_on = true;
  auto answer = dispatch(call.context, *call.stores, run.operation->method, streamed, [&](std::string_view item) {
    call.waiting.reset();
    if (const JsonView hit = JsonView(item).find("hit")) return read_on = out.write(lines.of(hit));
    return read_on = out.write(JsonView(item).find("text").as_string().value_or(""));
  });
  // Only the number, like grep -c.
  if (answer && JsonView(params).find("count").as_bool().value_or(false))
    (void)out.write(fmt::format("{}\n", JsonView(*answer).find("total").as_int64().value_or(0)));
  const bool shared = answer && is_shared(call, JsonView(params), lines.sessions());
  auto closed = call.close(!answer);
  call.waiting.reset();
  const auto written = out.finish();
  if (!answer) return fail(std::move(answer).error());
  const std::vector<std::string> stores = stores_named(params, request);
  print_error(with_stores(notes_of(JsonView(*answer)), stores));
  HOLDFAST_TRY(closed);
  HOLDFAST_TRY(written);
  // A reader that took the first lines (| head) knows that there may be more.
  if (!read_on) return std::move(*answer);
  std::string hints = hints_of(JsonView(*answer), JsonView(params), lines.machines());
  print_error(with_stores(shared ? with_layouts(std::move(hints)) : std::move(hints), stores));
  return std::move(*answer);
}

// Makes each row when it is printed: there may be thousands.
Result<int> print_list(OneCall& call, const RunOperation& run, std::string_view params, const OutputOptions& request) {
  auto sessions = list_sessions(call.context, *call.stores, params);
  auto closed = call.close(!sessions);
  call.waiting.reset();
  if (!sessions) return fail(std::move(sessions).error());
  HOLDFAST_TRY(closed);
  const bool terminal = ::isatty(STDOUT_FILENO) == 1;
  const ListStyle style{.json = request.json,
                        .names = run.zeros,
                        .render = {.colour = screen_for(request.colour, false).colour,
                                   .terminal = terminal,
                                   .width = terminal ? terminal_width() : 0}};
  PagedOutput out(style.json    ? OutputKind::json
                  : style.names ? OutputKind::data
                                : OutputKind::text,
                  request.pager && !style.json && !style.names);
  HOLDFAST_TRY(print_sessions(*sessions, style, [&](std::string_view text) { return out.write(text); }));
  const auto written = out.finish();
  const std::vector<std::string> stores = stores_named(params, request);
  if (!style.json) print_error(with_stores(notes_of(JsonView(sessions->frame())), stores));
  HOLDFAST_TRY(written);
  if (!style.json && !style.names)
    print_error(with_stores(hints_of(JsonView(sessions->frame()), JsonView(params)), stores));
  if (!style.json && sessions->size() == 0 && sessions->total() > 0)
    print_error((sessions->total() == 1 ? "there is only " : "there are only ") +
                counted(sessions->total(), "session") + "\n");
  return run.shortcut && sessions->size() == 0 ? 1 : 0;  // nothing found; for programs an empty list is an answer
}

Result<int> run_call(OneCall& call, const CallMethod& typed, std::string text) {
  HOLDFAST_TRY(call.open(typed.owner_pid));
  if (check_json(text).ok()) {
    if (const auto store = JsonView(text).find("store").as_string(); store && !typed.store.empty()) {
      if (absolute_store(process_environment(), *store) != typed.store)
        return fail(Code::invalid_argument,
                    "--store names " + typed.store + ", but the parameters name " + *store + "; give only one of them");
    }
    HOLDFAST_LET(named, with(std::move(text), "store", typed.store));
    text = std::move(named);
  } else if (text.empty() && !typed.store.empty()) {
    HOLDFAST_LET(named, with("{}", "store", typed.store));
    text = std::move(named);
  }
  HOLDFAST_LET(answer, call.run(typed.method, text));
  HOLDFAST_TRY(print_out(answer + "\n", OutputKind::json));
  // Damage sets the exit code in every form of the command; but an empty list is an answer for a program.
  const Operation& operation = *find_operation(typed.method);
  constexpr std::array<std::string_view, 3> kJudged = {"store.verify", "archive.verify", "queue.run"};
  const bool judged = std::ranges::find(kJudged, operation.method) != kJudged.end();
  return judged ? exit_code_for(operation, JsonView(answer)) : 0;
}

Result<int> run_operation(OneCall& call, const RunOperation& run, const OutputOptions& request) {
  const bool json = request.json;
  HOLDFAST_TRY(call.open(0, run.stores, run.shortcut));
  HOLDFAST_LET(confirmed, confirm(call, run));
  if (!confirmed) {
    print_error(json ? error_text({Code::cancelled, "nothing was changed", {}, 0}, true) : "nothing was changed\n");
    return 1;
  }
  HOLDFAST_LET(chosen, ask_what_to_resume(call, run, json));
  if (!chosen) {
    print_error("nothing was changed\n");
    return 1;
  }
  std::string params = *std::move(chosen);
  for (const Parameter& parameter : run.operation->parameters) {
    if (parameter.name != "format" || json) continue;
    const bool text = std::ranges::find(parameter.words, "text") != parameter.words.end();
    HOLDFAST_LET(formatted, with(std::move(params), "format", text ? "text" : "md"));  // the format for people
    params = std::move(formatted);
  }
  HOLDFAST_LET(styled, with_style(*run.operation, std::move(params), request.colour));
  params = std::move(styled);
  if (JsonView(params).find("colour").as_bool().value_or(false)) allow_colours(true);  // requested explicitly
  HOLDFAST_LET(belonging, with_project(call, run, std::move(params)));
  params = std::move(belonging);
  HOLDFAST_LET(placed, with_page_file(call, run, std::move(params), json));
  params = std::move(placed);
  HOLDFAST_LET(limited, with_limit(*run.operation, std::move(params), json));
  params = std::move(limited);
  call.begin(*run.operation);
  HOLDFAST_LET(printed, print_items(call, run, params, request));
  if (printed) return exit_code_for(*run.operation, JsonView(*printed), run.shortcut);
  if (run.operation->method == "session.list") return print_list(call, run, params, request);
  const std::vector<std::string> ids = ids_besides(call, *run.operation, JsonView(params), json);
  HOLDFAST_LET(answer, call.run(run.operation->method, params));
  const bool rehearsed = JsonView(answer).find("would").kind() == JsonKind::string;
  const bool document = json || (JsonView(params).find("format") && !JsonView(answer).find("text") && !rehearsed);
  const int code = exit_code_for(*run.operation, JsonView(answer), run.shortcut);
  HOLDFAST_TRY(show(*run.operation, params, answer, {document, request.pager, request.colour, request.stores, ids}));
  const JsonItems resume = JsonView(answer).find("resume").elements();
  if (run.operation->method == "session.handoff" && !document && resume.begin() != resume.end())
    warn_of_missing_program(resume.begin()->value.as_string().value_or(""));
  HOLDFAST_TRY(take_in(JsonView(answer), json));
  return code;
}

}  // namespace

Result<int> run_call(const CallMethod& typed) {
  HOLDFAST_LET(text, json_argument(typed.params));  // while signals still end the process: nothing is open yet
  OneCall call;
  return call.told(run_call(call, typed, std::move(text)));
}

Result<int> run_overview(bool json, ColourChoice colour) {
  OneCall call;
  HOLDFAST_TRY(call.open());
  HOLDFAST_LET(stores, dispatch(call.context, *call.stores, "store.list", "{}"));
  HOLDFAST_LET(newest, dispatch(call.context, *call.stores, "session.list", R"({"limit":1})"));
  HOLDFAST_TRY(call.stores->close(call.context));
  if (json) HOLDFAST_TRY(print_out(stores + "\n", OutputKind::json));
  const Screen screen = screen_for(colour, false);
  const RenderStyle style{.colour = screen.colour, .width = ::isatty(STDOUT_FILENO) == 1 ? terminal_width() : 0};
  if (!json)
    HOLDFAST_TRY(print_out(overview_of(JsonView(stores), JsonView(newest), style,
                                       process_environment().variable("HOME"), std::chrono::system_clock::now()),
                           OutputKind::text));
  return 0;
}

Result<int> run_init(const InitStore& init, bool json, ColourChoice colour) {
  OneCall call;
  HOLDFAST_TRY(call.open());
  HOLDFAST_LET(params,
               with(init.dry_run ? R"({"dry_run":true})" : "{}", "store", "holdfast:" + init.directory + "/.holdfast"));
  HOLDFAST_LET(answer, call.run("store.create", params));
  HOLDFAST_TRY(show(*find_operation("store.create"), params, answer, {json, false, colour}));
  return 0;
}

Result<int> run_operation(const RunOperation& run, const OutputOptions& request) {
  OneCall call;
  call.json = request.json;
  OutputOptions output = request;
  output.stores = run.stores;
  auto done = call.told(run_operation(call, run, output));
  if (!done && !request.json) {
    std::string& message = done.error().message;
    message = error_in_cli_words(*run.operation, std::move(message));
    message = with_stores(std::move(message), stores_named(run.params, output));
  }
  return done;
}

}  // namespace holdfast::inline v1
