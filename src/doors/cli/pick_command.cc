#include "doors/cli/pick_command.h"

#include <unistd.h>

#include <map>
#include <optional>

#include "api/dispatch.h"
#include "doors/cli/columns.h"
#include "doors/cli/pager.h"
#include "doors/cli/picker.h"
#include "doors/cli/process_environment.h"
#include "doors/cli/raw_terminal.h"
#include "doors/cli/render_sessions.h"
#include "doors/cli/resume_command.h"
#include "doors/cli/terminal.h"
#include "text/clean.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::int64_t kTooLarge = 16 << 20;  // to be read between two keys
constexpr int kPause = 60;                    // milliseconds without a key before a preview is made

std::string clean(std::string_view text, std::size_t most = 400) {
  return clean_for_terminal(text, {.one_line = true, .max_bytes = most});
}

class Pick {
 public:
  Pick(Stores& stores, std::string answer) : stores_(stores), answer_(std::move(answer)) {
    for (const JsonItem& item : JsonView(answer_).find("sessions").elements()) sessions_.push_back(item.value);
  }

  std::vector<PickRow> rows() const {
    std::vector<PickRow> all;
    for (const JsonView& session : sessions_) {
      const auto text = [&](std::string_view key) { return clean(session.find(key).as_string().value_or("")); };
      PickRow row{short_age(session.find("updated_at").as_string().value_or(""), std::chrono::system_clock::now()),
                  text("layout"),
                  session_title(session),
                  {}};
      row.search = row.title + " " + text("project") + " " + row.agent + " " + text("id");
      all.push_back(std::move(row));
    }
    return all;
  }

  bool empty() const { return sessions_.empty(); }
  JsonView session(std::size_t at) const { return sessions_[at]; }

  // `quick`: only what is known without reading the session.
  const std::vector<std::string>& preview(std::size_t at, std::size_t columns, bool quick) {
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
  std::size_t columns_ = 0;
  std::map<std::size_t, std::vector<std::string>> previews_;
  std::vector<std::string> shown_;
};

struct Choice {
  Picker::Outcome outcome = Picker::Outcome::leave;
  std::size_t at = Picker::npos;
};

Choice choose(RawTerminal& terminal, Pick& pick, bool colour) {
  Picker picker(pick.rows());
  const std::vector<std::string> none;
  std::string bytes;
  const auto fit = [&] { picker.resize(terminal.size().columns, terminal.size().lines); };
  const auto draw = [&](bool quick) {
    const bool room = picker.chosen() != Picker::npos && picker.preview_columns() > 0;
    terminal.draw(picker.picture(room ? pick.preview(picker.chosen(), picker.preview_columns(), quick) : none, colour));
  };
  fit();
  draw(true);
  bool settled = false;
  for (;;) {
    const auto event = terminal.wait(bytes, settled ? -1 : kPause);
    if (event == RawTerminal::Event::stopped) return {Picker::Outcome::interrupted, Picker::npos};
    if (event == RawTerminal::Event::resized) fit();
    // A lone ESC is a key when nothing follows it for a moment.
    const bool complete = event == RawTerminal::Event::quiet;
    for (std::size_t before = 0; !bytes.empty() && bytes.size() != before;) {
      before = bytes.size();
      const auto outcome = picker.press(take_key(bytes, complete));
      if (outcome != Picker::Outcome::stay) return {outcome, picker.chosen()};
    }
    settled = complete && bytes.empty();
    draw(!settled);
  }
}

}  // namespace

Result<int> run_pick(const PickSession& request, ColourChoice colour, bool pager) {
  HOLDFAST_LET(settings, default_stores(process_environment()));
  Stores stores(std::move(settings));
  HOLDFAST_LET(answer, dispatch({}, stores, "session.list", request.params));
  const bool colours = colour == ColourChoice::always || (colour == ColourChoice::automatic && terminal_has_colour());
  Pick pick(stores, std::move(answer));
  if (pick.empty()) {
    print_error("holdfast: there is no session to pick\n");
    return 1;
  }
  Choice choice;
  {
    auto terminal = RawTerminal::open();
    if (!terminal) return fail(Code::invalid_argument, "holdfast pick needs a terminal; holdfast ls does not");
    choice = choose(*terminal, pick, colours);
  }
  if (choice.outcome == Picker::Outcome::interrupted) return 130;
  if (choice.outcome == Picker::Outcome::leave || choice.at == Picker::npos) return 1;
  // Where standard output is no terminal a program reads it, perhaps a shell: it gets an id
  // and never a word that somebody has said in a session.
  const JsonView session = pick.session(choice.at);
  std::string text;
  if (choice.outcome == Picker::Outcome::print || ::isatty(STDOUT_FILENO) != 1) {
    text = session.find("id").as_string().value_or("");
    if (!is_plain_word(text))
      return fail(Code::unsupported, "the id of this session is not a plain word; holdfast ls --json shows it");
    text += "\n";
  } else if (choice.outcome == Picker::Outcome::resume) {
    text = resume_command(session);
    if (text.empty())
      return fail(Code::unsupported, "no resume command can be given for this session of " +
                                         session.find("layout").as_string().value_or(""));
    text += "\n";
  } else {
    HOLDFAST_LET(transcript, pick.transcript(choice.at, terminal_width(), screen_for(colour, false).colour));
    text = std::move(transcript);
  }
  HOLDFAST_TRY(print_paged(text, Printed::text, pager));
  return 0;
}

}  // namespace holdfast::inline v1
