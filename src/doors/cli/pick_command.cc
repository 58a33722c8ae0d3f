#include "doors/cli/pick_command.h"

#include <unistd.h>

#include <map>
#include <optional>
#include <utility>

#include "api/dispatch.h"
#include "doors/cli/columns.h"
#include "doors/cli/content_search.h"
#include "doors/cli/hints.h"
#include "doors/cli/pager.h"
#include "doors/cli/pick_agent.h"
#include "doors/cli/picker.h"
#include "doors/cli/process_environment.h"
#include "doors/cli/raw_terminal.h"
#include "doors/cli/render_sessions.h"
#include "doors/cli/resume_command.h"
#include "doors/cli/terminal.h"
#include "text/clean.h"
#include "text/json_write.h"
#include "text/shell_word.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::int64_t kTooLarge = 16 << 20;  // to be read between two keys
constexpr int kPause = 60;                    // milliseconds without a key before a preview is made
constexpr std::size_t kMaxHits = 20;          // per session

std::string clean(std::string_view text, std::size_t most = 400) {
  return clean_for_terminal(text, {.one_line = true, .max_bytes = most});
}

class Pick {
 public:
  Pick(Stores& stores, std::string answer) : stores_(stores), answer_(std::move(answer)) {
    for (const JsonItem& item : JsonView(answer_).find("sessions").elements()) {
      rows_.emplace(name_of(item.value.find("layout"), item.value.find("id")), sessions_.size());
      sessions_.push_back(item.value);
    }
  }

  std::vector<PickRow> rows() const {
    std::vector<PickRow> all;
    for (const JsonView& session : sessions_) {
      const auto text = [&](std::string_view key) { return clean(session.find(key).as_string().value_or("")); };
      PickRow row{short_age(session.find("updated_at").as_string().value_or(""), std::chrono::system_clock::now()),
                  text("layout"),
                  session_title(session),
                  {}};
      row.search = row.title + " " + text("project") + " " + row.agent;
      row.id = text("id");
      all.push_back(std::move(row));
    }
    return all;
  }

  // Takes the answer of session.search. Returns the rows with hits, newest first. An empty answer clears them.
  std::vector<std::size_t> take_hits(const std::string& answer) {
    hits_.clear();
    std::vector<std::size_t> rows;
    for (const JsonItem& item : JsonView(answer).find("hits").elements()) {
      const JsonView hit = item.value;
      const auto row = rows_.find(name_of(hit.find("layout"), hit.find("session")));
      if (row == rows_.end()) continue;
      auto& lines = hits_[row->second];
      if (lines.empty()) rows.push_back(row->second);
      if (lines.size() < kMaxHits)
        lines.push_back("[" + clean(hit.find("ordinal").raw()) + "] " +
                        clean(hit.find("role").as_string().value_or("")) + ": " +
                        clean(hit.find("snippet").as_string().value_or("")));
    }
    return rows;
  }

  bool empty() const { return sessions_.empty(); }
  JsonView session(std::size_t at) const { return sessions_[at]; }

  // The hits come first. `quick`: only what is known without reading the session.
  std::vector<std::string> preview(std::size_t at, std::size_t columns, bool quick) {
    std::vector<std::string> lines;
    if (const auto hits = hits_.find(at); hits != hits_.end()) {
      for (const std::string& hit : hits->second) lines.push_back(fit_columns(hit, columns));
      lines.emplace_back();
    }
    const auto& text = text_of(at, columns, quick);
    lines.insert(lines.end(), text.begin(), text.end());
    return lines;
  }

  Result<std::string> transcript(std::size_t at, std::size_t columns, bool colour) {
    const JsonView session = sessions_[at];
    JsonWriter params;
    params.begin_object().key("id").raw(session.find("id").raw()).key("store").raw(session.find("store").raw());
    params.key("format").string("text").key("width").uint64(std::max<std::size_t>(columns, 20));
    params.key("colour").boolean(colour);
    HOLDFAST_LET(answer, dispatch({}, stores_, "session.show", params.end_object().take()));
    return JsonView(answer).find("text").as_string().value_or("");
  }

 private:
  static std::string name_of(JsonView layout, JsonView id) {
    return layout.as_string().value_or("") + "/" + id.as_string().value_or("");
  }

  const std::vector<std::string>& text_of(std::size_t at, std::size_t columns, bool quick) {
    if (columns != columns_) previews_.clear();
    columns_ = columns;
    if (const auto known = previews_.find(at); known != previews_.end()) return known->second;
    shown_ = head_of(at, columns);
    if (quick || sessions_[at].find("bytes").as_int64().value_or(0) > kTooLarge) return shown_;
    const auto text = transcript(at, columns, false);
    if (!text) {
      shown_.push_back(fit_columns(clean(text.error().message), columns));
      return shown_;
    }
    auto& lines = previews_[at];
    std::string_view rest = *text;
    while (!rest.empty() && lines.size() < 500) {
      const std::string_view line = rest.substr(0, rest.find('\n'));
      rest.remove_prefix(std::min(rest.size(), line.size() + 1));
      lines.push_back(fit_columns(clean(line, 4000), columns));
    }
    return lines;
  }

  std::vector<std::string> head_of(std::size_t at, std::size_t columns) const {
    std::vector<std::string> lines;
    for (const std::string_view key : {"id", "project", "git_branch", "updated_at", "first_prompt"}) {
      const std::string text = clean(sessions_[at].find(key).as_string().value_or(""));
      if (!text.empty()) lines.push_back(fit_columns(text, columns));
    }
    return lines;
  }

  Stores& stores_;
  std::string answer_;
  std::vector<JsonView> sessions_;
  std::map<std::string, std::size_t> rows_;  // by LAYOUT/ID
  std::map<std::size_t, std::vector<std::string>> hits_;
  std::size_t columns_ = 0;
  std::map<std::size_t, std::vector<std::string>> previews_;
  std::vector<std::string> shown_;
};

struct Choice {
  Picker::Outcome outcome = Picker::Outcome::leave;
  std::size_t at = Picker::npos;
};

Choice choose(RawTerminal& terminal, Pick& pick, Picker& picker, ContentSearch& search, bool colour) {
  std::string bytes, looked_for = picker.query();
  const auto fit = [&] { picker.resize(terminal.size().columns, terminal.size().lines); };
  const auto draw = [&](bool quick) {
    std::vector<std::string> preview;
    if (picker.chosen() != Picker::npos && picker.preview_columns() > 0)
      preview = pick.preview(picker.chosen(), picker.preview_columns(), quick);
    terminal.draw(picker.picture(preview, colour));
  };
  fit();
  draw(true);
  bool settled = false, searched = false;
  for (;;) {
    const auto event = terminal.wait(bytes, settled && !search.busy() ? -1 : kPause);
    if (event == RawTerminal::Event::stopped) return {Picker::Outcome::interrupted, Picker::npos};
    if (event == RawTerminal::Event::resized) fit();
    // A lone ESC is a key if nothing follows it for a moment.
    const bool complete = event == RawTerminal::Event::quiet;
    for (std::size_t before = 0; !bytes.empty() && bytes.size() != before;) {
      before = bytes.size();
      const auto outcome = picker.press(take_key(bytes, complete));
      if (outcome != Picker::Outcome::stay) return {outcome, picker.chosen()};
    }
    if (picker.query() != looked_for) {
      looked_for = picker.query();
      (void)pick.take_hits("");
      search.want(looked_for);
    } else if (complete) {
      if (const auto answer = search.poll()) picker.set_content_matches(pick.take_hits(*answer));
    }
    const bool was_settled = std::exchange(settled, complete && bytes.empty());
    const bool was_searching = std::exchange(searched, search.busy());
    picker.searching(searched);
    if (!was_settled || !settled || was_searching != searched) draw(!settled);
  }
}

// Keeps a text that fits on the screen until a key is pressed; a pager does that itself. Returns false if interrupted.
bool wait_for_key() {
  auto terminal = RawTerminal::open(RawTerminal::Screen::shared);
  if (!terminal) return true;
  terminal->draw("\r\n(q, esc or enter: back to the list)");
  for (std::string bytes;;) {
    const auto event = terminal->wait(bytes, bytes.empty() ? -1 : kPause);
    if (event == RawTerminal::Event::stopped) return false;
    for (std::size_t before = 0; !bytes.empty() && bytes.size() != before;) {
      before = bytes.size();
      const PickInput input = take_key(bytes, event == RawTerminal::Event::quiet);
      if (input.key == PickKey::interrupt) return false;
      if (input.key != PickKey::enter && input.key != PickKey::leave && input.text != "q") continue;
      terminal->draw("\r\n");
      return true;
    }
  }
}

// Shows the session like `show`, in a pager if it is longer than the screen. Returns false if interrupted.
Result<bool> open_session(Pick& pick, std::size_t at, bool colour, bool pager) {
  HOLDFAST_LET(text, pick.transcript(at, terminal_width(), colour));
  HOLDFAST_TRY(print_paged(text, OutputKind::text, pager));
  if (!pager || pager_command().empty() || screen_lines(text, terminal_width()) < terminal_lines())
    return wait_for_key();
  return true;
}

// The request of `resume ID --in AGENT`.
ResumeSession hand_off_to(const std::string& agent, JsonView session, JsonView asked_for) {
  std::string machine = asked_for.find("machine").as_string().value_or("");
  if (machine == "all") machine = session.find("machine").as_string().value_or("");
  JsonWriter params;
  const auto text_in = [&](std::string_view key) { return session.find(key).as_string().value_or(""); };
  params.begin_object().key("id").string(text_in("layout") + "/" + text_in("id")).key("to").string(agent);
  if (machine.empty())
    params.key("store").raw(session.find("store").raw());
  else
    params.key("machine").string(machine);
  return {.id = {}, .store = {}, .handoff = params.end_object().take(), .ask = machine};
}

}  // namespace

Result<int> run_pick(const PickSession& request, bool json, ColourChoice colour, bool pager) {
  const Environment env = process_environment();
  HOLDFAST_LET(settings, default_stores(env));
  Stores stores(std::move(settings));
  HOLDFAST_LET(answer, dispatch({}, stores, "session.list", request.params));
  const bool colours = colour == ColourChoice::always || (colour == ColourChoice::automatic && terminal_has_colour());
  Pick pick(stores, std::move(answer));
  if (pick.empty()) {
    print_error("holdfast: " + no_sessions(JsonView(request.params)));
    return 1;
  }
  ContentSearch search(stores, request.params);
  Picker picker(pick.rows());
  const bool screen = ::isatty(STDOUT_FILENO) == 1 && !json;
  Choice choice;
  std::string next;  // the agent in which it continues
  for (;;) {
    {
      auto terminal = RawTerminal::open();
      if (!terminal) return fail(Code::invalid_argument, "pick needs a terminal; use holdfast ls instead");
      choice = choose(*terminal, pick, picker, search, colours);
    }
    if (choice.outcome == Picker::Outcome::hand_off && screen) {
      const std::string layout = pick.session(choice.at).find("layout").as_string().value_or("");
      const std::string name = session_word(layout, pick.session(choice.at).find("id").as_string().value_or(""));
      HOLDFAST_LET(chosen, pick_agent(next_agents(stores, layout), name, colours));
      if (chosen.layout.empty() && !chosen.interrupted) continue;
      if (chosen.interrupted) choice.outcome = Picker::Outcome::interrupted;
      next = std::move(chosen.layout);
      break;
    }
    if (choice.outcome != Picker::Outcome::show || !screen) break;
    HOLDFAST_LET(back, open_session(pick, choice.at, screen_for(colour, false).colour, pager));
    if (back) continue;
    choice.outcome = Picker::Outcome::interrupted;
    break;
  }
  search.stop();
  if (choice.outcome == Picker::Outcome::interrupted) return 130;
  if (choice.outcome == Picker::Outcome::leave || choice.at == Picker::npos) return 1;
  const JsonView session = pick.session(choice.at);
  if (json) {
    const std::string document = "{\"schema_version\":1,\"session\":" + std::string(session.raw()) + "}\n";
    HOLDFAST_TRY(print_out(document, OutputKind::json));
    return 0;
  }
  if (choice.outcome == Picker::Outcome::resume && screen) return run_resume(session, env);
  if (!next.empty()) return run_resume(hand_off_to(next, session, JsonView(request.params)), false);
  // If standard output is not a terminal, a program reads it, perhaps a shell: it gets the
  // name of the session and never text from it.
  const std::string id = session.find("id").as_string().value_or("");
  if (!is_plain_word(id))
    return fail(Code::unsupported, "the id of this session is not a plain word; holdfast ls --json shows it");
  // With its layout, because a bare id may also be that of another agent's session.
  const std::string layout = session.find("layout").as_string().value_or("");
  HOLDFAST_TRY(print_out(layout + "/" + id + "\n", OutputKind::text));
  return 0;
}

}  // namespace holdfast::inline v1
