#include "transfer/transcript_printer.h"

#include <algorithm>

#include "base/time.h"
#include "base/utf8.h"
#include "model/text_document.h"
#include "model/time_formats.h"
#include "text/clean.h"
#include "text/sizes.h"
#include "transfer/terminal_markdown.h"
#include "transfer/tool_line.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kMaxEditLines = 12;  // of a folded edit
constexpr std::int64_t kNeighbours = 3;
constexpr std::string_view kIndent = "    ";
constexpr std::size_t kMaxWaiting = 64;                    // messages, before foresight is requested
constexpr std::size_t kMaxResults = std::size_t{4} << 20;  // bytes of results kept, before foresight is requested
constexpr std::size_t kPiece = std::size_t{32} << 10;      // bytes worth a write

std::string clean_line(std::string_view text, std::size_t width) {
  return clean_for_terminal(text, {.one_line = true, .max_bytes = std::max<std::size_t>(width, 20)});
}

// ISO-8601 without the zone, in the reader's local time. Empty if it is not a time.
std::string shown_time(const std::string& when, const TextStyle& style) {
  std::string iso = to_iso_time(when);
  const auto moment = style.utc_offset ? parse_iso8601(iso) : std::nullopt;
  return moment ? iso8601(*moment + style.utc_offset(*moment)) : iso;
}

// "01:06", or "11-15 01:06" if the day is new.
std::string clock_of(const std::string& when, std::string& day, const TextStyle& style) {
  const std::string iso = shown_time(when, style);
  if (iso.size() < 16) return {};
  const bool new_day = iso.substr(0, 10) != day;
  day = iso.substr(0, 10);
  return (new_day ? day + " " : std::string()) + iso.substr(11, 5);
}

std::string short_number(std::int64_t number) {
  if (number < 10'000) return std::to_string(number);
  if (number < 1'000'000) return std::to_string(number / 1000) + "k";
  return std::to_string(number / 1'000'000) + "." + std::to_string(number / 100'000 % 10) + "M";
}

void append_indented(std::string& out, std::string_view text, std::string_view mark = {}) {
  const std::string clean = clean_for_terminal(text);
  std::string_view rest = clean;
  while (!rest.empty() && rest.back() == '\n') rest.remove_suffix(1);
  while (true) {
    const std::size_t end = rest.find('\n');
    out.append(kIndent).append(mark).append(rest.substr(0, end)).append("\n");
    if (end == std::string_view::npos) return;
    rest.remove_prefix(end + 1);
  }
}

}  // namespace

TranscriptPrinter::TranscriptPrinter(const TextStyle& style, Sink sink, Ask ask)
    : style_(style), sink_(std::move(sink)), ask_(std::move(ask)), paint_{style.colour} {}

bool TranscriptPrinter::flush(std::size_t from) {
  if (out_.empty() || out_.size() < from) return wanted_;
  if (wanted_) wanted_ = sink_(out_);
  out_.clear();
  return wanted_;
}

// Facts about a large session that are known only after reading it come at its end.
void TranscriptPrinter::facts(const Session& session, bool opening) {
  const bool early = opening || !style_.totals_last, late = !opening || !style_.totals_last;
  std::string line = opening ? session.layout : std::string();
  const auto add = [&](std::string_view text) {
    const std::string fact = clean_for_terminal(text, {.one_line = true});
    if (fact.empty()) return;
    // Characters that take two columns are rare in facts.
    if (!line.empty() && utf8_characters(line) + 3 + utf8_characters(fact) > style_.width) {
      out_ += paint_.dim(line) + "\n";
      line.clear();
    }
    line.append(line.empty() ? "" : " · ").append(fact);
  };
  if (late) add(status_name(session.status));
  if (!project_told_) add(session.project);
  project_told_ = project_told_ || !session.project.empty();
  if (late) add(session.git_branch);
  if (const std::string begun = shown_time(session.created_at, style_); early && begun.size() >= 16)
    add(begun.substr(0, 10) + " " + begun.substr(11, 5));
  if (late) {
    for (const std::string& model : session.models) add(model);
  }
  if (late && session.counted) {
    add(counted(session.counts.user, "prompt") + ", " + counted(session.counts.assistant, "answer"));
    add(short_number(session.usage.output) + " tokens out");
    add(style_.cost);
  }
  out_ += paint_.dim(line) + "\n";
}

void TranscriptPrinter::parent_line(const Session& session) {
  if (!session.parent) return;
  out_ +=
      paint_.dim(std::string(parent_kind_name(session.parent->kind)) + " of " + clean_line(session.parent->id, 200)) +
      "\n";
}

void TranscriptPrinter::head(const Session& session) {
  const std::string& name = !style_.title.empty()    ? style_.title
                            : !session.title.empty() ? session.title
                                                     : session.first_prompt;
  out_ += paint_.bold(clean_line(name.empty() ? session.id : name, style_.width)) + "\n";
  facts(session, true);
  if (!style_.marks.empty()) out_ += paint_.dim(clean_line(style_.marks, 1000)) + "\n";
  out_ += paint_.dim(clean_line(session.id, 200)) + "\n";
  if (!style_.totals_last) parent_line(session);
}

// Whether the style shows the message.
bool TranscriptPrinter::is_shown(const Message& message) const {
  if (style_.at && (message.ordinal < *style_.at - kNeighbours || message.ordinal > *style_.at + kNeighbours))
    return false;
  if (style_.system || is_asked_for(message) || message.origin == Origin::typed || message.origin == Origin::model ||
      message.origin == Origin::tool || message.origin == Origin::summary || message.failed)
    return true;
  if (message.origin != Origin::notice) return false;
  // What an agent says about itself is not shown, but a notice of unknown form may come from a person or a model.
  return message.role != Role::system || std::ranges::any_of(message.blocks, [](const Block& block) {
           return block.kind == BlockKind::other && !block.text.empty();
         });
}

// Whether it depends on a message that has not arrived yet.
bool TranscriptPrinter::waits(const Waiting& one) const {
  if (ended_) return false;
  std::size_t number = one.first_call;
  return std::ranges::any_of(one.message->blocks, [&](const Block& block) {
    if (block.kind != BlockKind::tool_call) return false;
    const auto before = calls_.open_before(block.id, number++);
    if (!before || lookahead_ == nullptr) return before.has_value();
    const std::size_t all = lookahead_->results(block.id), came = calls_.results(block.id);
    return all > came && all - came > *before;  // open calls get the results that follow in turn
  });
}

TranscriptPrinter::Waiting TranscriptPrinter::note(const Message& message) {
  Waiting one{.message = &message, .first_call = calls_taken_};
  calls_.begin(message);
  for (std::size_t at = 0; at < message.blocks.size(); ++at) {
    const Block& block = message.blocks[at];
    if (block.kind == BlockKind::tool_call) calls_.call(block.id, calls_taken_++);
    if (block.kind != BlockKind::tool_result) continue;
    const auto call = calls_.result(block.id);
    if (!call) continue;
    one.answers.resize(message.blocks.size());
    one.answers[at] = true;
    if (*call >= calls_passed_) results_bytes_ += results_.emplace(*call, result_text(block)).first->second.size();
  }
  return one;
}

bool TranscriptPrinter::drain() {
  while (wanted_ && !waiting_.empty()) {
    const Waiting& one = waiting_.front();
    const Message& message = *one.message;
    const bool told = is_shown(message);
    if (told && waits(one)) {
      const bool much = waiting_.size() > kMaxWaiting || results_bytes_ > kMaxResults;
      if (asked_ || !much) break;
      flush(0);
      asked_ = true;
      lookahead_ = ask_();
      continue;
    }
    if (told) tell_message(one);
    pass(one);
    if (!owned_.empty() && &owned_.front() == &message) owned_.pop_front();
    waiting_.pop_front();
  }
  // The beginning is printed at once.
  const std::size_t worth = printed_ ? kPiece : 1;
  printed_ = printed_ || begun_;
  return flush(worth);
}

// The results of its calls are not needed again.
void TranscriptPrinter::pass(const Waiting& one) {
  for (const Block& block : one.message->blocks) {
    if (block.kind != BlockKind::tool_call) continue;
    const auto found = results_.find(calls_passed_++);
    if (found == results_.end()) continue;
    results_bytes_ -= found->second.size();
    results_.erase(found);
  }
}

bool TranscriptPrinter::take(const Message& message) {
  waiting_.push_back(note(message));
  return drain();
}

bool TranscriptPrinter::take(Message&& message) {
  owned_.push_back(std::move(message));
  return take(std::as_const(owned_.back()));
}

bool TranscriptPrinter::end(const Session& session) {
  ended_ = true;
  drain();
  if (style_.head && style_.totals_last) {
    out_ += "\n";
    facts(session, false);
    parent_line(session);
  }
  return flush(0);
}

void TranscriptPrinter::tell_message(const Waiting& one) {
  const Message& message = *one.message;
  // Its results that are printed beside their calls.
  const std::vector<bool>& beside = one.answers;
  if (!beside.empty() && std::ranges::all_of(beside, [](bool is) { return is; })) return;
  const bool all = style_.live || is_asked_for(message);
  const std::size_t before = out_.size();
  title(message);
  const std::size_t begun = out_.size();
  std::size_t number = one.first_call;
  for (std::size_t at = 0; at < message.blocks.size(); ++at) {
    const Block& block = message.blocks[at];
    if (all || beside.empty() || !beside[at]) tell_block(message, block, number);
    if (block.kind == BlockKind::tool_call) ++number;
  }
  if (out_.size() == begun) out_.resize(before);
  begun_ = begun_ || out_.size() > before;
}

void TranscriptPrinter::title(const Message& message) {
  if (style_.under == message.ordinal) return;
  const bool prompt = message.role == Role::user && message.origin == Origin::typed;
  std::string who = prompt                            ? "you"
                    : message.role == Role::assistant ? message.model
                                                      : std::string(role_name(message.role));
  if (who.empty()) who = role_name(message.role);
  if (message.origin == Origin::summary) who = "summary";
  if (message.role == Role::user && message.origin == Origin::tool) who = role_name(Role::tool);
  std::string margin = "[" + std::to_string(message.ordinal) + "]";
  if (const std::string time = clock_of(message.timestamp, day_, style_); !time.empty()) margin += " " + time;
  const bool counted = !message.response.empty() && message.response == response_;
  if (!message.response.empty()) response_ = message.response;
  if (message.usage && message.usage->output > 0 && !counted)
    margin += " · " + short_number(message.usage->output) + " out";
  if (message.failed) margin += " · failed";
  out_ += "\n" + (prompt ? paint_.prompt("> " + clean_line(who, 60)) : paint_.name(clean_line(who, 60))) + "  " +
          paint_.dim(margin) + "\n";
}

// `number` is that of the call, if it is one.
void TranscriptPrinter::tell_block(const Message& message, const Block& block, std::size_t number) {
  switch (block.kind) {
    case BlockKind::text:
      if (block.text.empty()) return;
      if (message.role == Role::assistant)
        out_ += terminal_markdown(clean_for_terminal(block.text), paint_, style_.width, kIndent);
      else
        append_indented(out_, block.text);
      break;
    case BlockKind::thinking: thought(block); break;
    case BlockKind::tool_call: call(block, number); break;
    case BlockKind::tool_result:
      // Its call was printed earlier, not directly above.
      if (style_.live && !block.name.empty())
        out_.append(kIndent).append(paint_.dim(clean_line(block.name, style_.width - 8))).append("\n");
      out_ += result_text(block);
      break;
    case BlockKind::image:
    case BlockKind::document:
    case BlockKind::audio:
      append_indented(out_, "(" + media_words(block) + ")");
      if (const std::string text = document_text(block); !text.empty()) append_indented(out_, text, "  ");
      break;
    case BlockKind::other:
      if (style_.system || is_asked_for(message))
        append_indented(out_, block.json);
      else if (!block.text.empty())  // said in an unknown form
        append_indented(out_, block.text);
      break;
  }
}

void TranscriptPrinter::thought(const Block& block) {
  if (style_.thinking) return append_indented(out_, block.text, "| ");
  const OutputLine line = output_line(block.text);
  if (line.text.empty()) return;
  out_.append(kIndent).append(paint_.dim("(thinks) " + clean_line(line.text, style_.width - 16))).append("\n");
}

void TranscriptPrinter::call(const Block& block, std::size_t number) {
  const std::string subject = tool_subject(block);
  out_.append(kIndent).append(paint_.tool(clean_line(block.name, 40)));
  if (!subject.empty())
    out_ += " " + clean_line(subject, style_.width > 50 ? style_.width - 10 - block.name.size() % 40 : 40);
  out_ += "\n";
  const auto edit = edit_of(block);
  const std::size_t shown = style_.tools ? edit.size() : std::min(edit.size(), kMaxEditLines);
  for (std::size_t i = 0; i < shown; ++i) {
    const std::string text = std::string(1, edit[i].mark) + " " + clean_for_terminal(edit[i].text, {.one_line = true});
    out_.append(kIndent).append("  ").append(paint_.diff(edit[i].mark, text)).append("\n");
  }
  if (shown < edit.size())
    out_.append(kIndent).append(paint_.dim("  (" + std::to_string(edit.size() - shown) + " more lines)")).append("\n");
  if (style_.tools && edit.empty()) append_indented(out_, block.json, "  ");
  const auto found = results_.find(number);
  if (found != results_.end())
    out_ += found->second;
  else if (!style_.live)
    out_.append(kIndent).append(paint_.dim("  (no result)")).append("\n");
}

std::string TranscriptPrinter::result_text(const Block& block) const {
  std::string out;
  if (style_.tools) {
    append_indented(out, block.text, block.is_error ? "! " : "  ");
    return out;
  }
  const OutputLine line = output_line(block.text);
  std::string text = clean_line(line.text.empty() ? "(nothing)" : line.text, style_.width - 16);
  if (line.more > 0) text += " (+" + std::to_string(line.more) + " lines)";
  return out.append(kIndent)
      .append("  ")
      .append(block.is_error ? paint_.bad("! " + text) : paint_.dim("= " + text))
      .append("\n");
}

}  // namespace holdfast::inline v1
