#include "transfer/transcript_text.h"

#include <algorithm>
#include <map>

#include "model/when.h"
#include "text/clean.h"
#include "transfer/terminal_markdown.h"
#include "transfer/tool_line.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kMostEditLines = 12;  // of an edit that is folded
constexpr std::int64_t kNeighbours = 3;
constexpr std::string_view kIndent = "    ";

std::string clean_line(std::string_view text, std::size_t width) {
  return clean_for_terminal(text, {.one_line = true, .max_bytes = std::max<std::size_t>(width, 20)});
}

// "01:06" of a time of the day that is known, "11-15 01:06" when the day is new.
std::string clock_of(const std::string& when, std::string& day) {
  const std::string iso = iso_when(when);
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

class Teller {
 public:
  Teller(const Transcript& transcript, const TextStyle& style)
      : transcript_(transcript), style_(style), paint_{style.colour} {
    for (const Message& message : transcript.messages) {
      for (const Block& block : message.blocks) {
        if (block.kind == BlockKind::tool_result) results_.emplace(block.id, &block);
        if (block.kind == BlockKind::tool_call) calls_.emplace(block.id, &block);
      }
    }
  }

  std::string tell() {
    if (style_.head) head();
    for (const Message& message : transcript_.messages) {
      if (style_.at && (message.ordinal < *style_.at - kNeighbours || message.ordinal > *style_.at + kNeighbours))
        continue;
      tell_message(message);
    }
    damage();
    return std::move(out_);
  }

 private:
  void head() {
    const Session& session = transcript_.session;
    const std::string name = !session.title.empty() ? session.title : session.first_prompt;
    out_ += paint_.bold(clean_line(name.empty() ? session.id : name, style_.width)) + "\n";
    std::string facts = session.layout + " · " + std::string(status_name(session.status));
    const auto add = [&](std::string_view text) {
      if (!text.empty()) facts += " · " + std::string(text);
    };
    add(session.project);
    add(session.git_branch);
    if (session.created_at.size() >= 16) add(session.created_at.substr(0, 10) + " " + session.created_at.substr(11, 5));
    for (const std::string& model : session.models) add(model);
    if (session.counted) {
      add(std::to_string(session.counts.user) + " prompts, " + std::to_string(session.counts.assistant) + " answers");
      add(short_number(session.usage.output) + " tokens out");
    }
    out_ += paint_.dim(clean_for_terminal(facts, {.one_line = true})) + "\n";
    out_ += paint_.dim(clean_line(session.id, 200)) + "\n";
    if (session.parent)
      out_ += paint_.dim(std::string(parent_kind_name(session.parent->kind)) + " of " +
                         clean_line(session.parent->id, 200)) +
              "\n";
  }

  bool hidden(const Message& message) const {
    if (style_.system || message.origin == Origin::typed || message.origin == Origin::model ||
        message.origin == Origin::tool || message.origin == Origin::summary || message.failed)
      return false;
    return !(message.origin == Origin::notice && message.role != Role::system);
  }

  void tell_message(const Message& message) {
    // A result stands beside its call.
    const bool only_results = !message.blocks.empty() && std::ranges::all_of(message.blocks, [&](const Block& block) {
      return block.kind == BlockKind::tool_result && calls_.contains(block.id);
    });
    if (hidden(message) || only_results) return;
    const std::size_t before = out_.size();
    title(message);
    const std::size_t begun = out_.size();
    for (const Block& block : message.blocks) tell_block(message, block);
    if (out_.size() == begun) out_.resize(before);
  }

  void title(const Message& message) {
    const bool prompt = message.role == Role::user && message.origin == Origin::typed;
    std::string who = prompt                            ? "you"
                      : message.role == Role::assistant ? message.model
                                                        : std::string(role_name(message.role));
    if (who.empty()) who = role_name(message.role);
    if (message.origin == Origin::summary) who = "summary";
    std::string margin = "[" + std::to_string(message.ordinal) + "]";
    if (const std::string time = clock_of(message.timestamp, day_); !time.empty()) margin += " " + time;
    if (message.usage && message.usage->output > 0) margin += " · " + short_number(message.usage->output) + " out";
    if (message.failed) margin += " · failed";
    out_ += "\n" + (prompt ? paint_.prompt("> " + clean_line(who, 60)) : paint_.name(clean_line(who, 60))) + "  " +
            paint_.dim(margin) + "\n";
  }

  void indented(std::string_view text, std::string_view mark = {}) {
    const std::string clean = clean_for_terminal(text);
    std::string_view rest = clean;
    while (!rest.empty() && rest.back() == '\n') rest.remove_suffix(1);
    while (true) {
      const std::size_t end = rest.find('\n');
      out_.append(kIndent).append(mark).append(rest.substr(0, end)).append("\n");
      if (end == std::string_view::npos) return;
      rest.remove_prefix(end + 1);
    }
  }

  void tell_block(const Message& message, const Block& block) {
    switch (block.kind) {
      case BlockKind::text:
        if (block.text.empty()) return;
        if (message.role == Role::assistant)
          out_ += terminal_markdown(clean_for_terminal(block.text), paint_, style_.width, kIndent);
        else
          indented(block.text);
        break;
      case BlockKind::thinking: thought(block); break;
      case BlockKind::tool_call: call(block); break;
      case BlockKind::tool_result: result(block); break;
      case BlockKind::image: indented("(an image, " + block.media_type + ")"); break;
      case BlockKind::other:
        if (style_.system) indented(block.json);
        break;
    }
  }

  void thought(const Block& block) {
    if (style_.thinking) return indented(block.text, "| ");
    const OutputLine line = output_line(block.text);
    if (line.text.empty()) return;
    out_.append(kIndent).append(paint_.dim("(thinks) " + clean_line(line.text, style_.width - 16))).append("\n");
  }

  void call(const Block& block) {
    const std::string subject = tool_subject(block);
    out_.append(kIndent).append(paint_.tool(clean_line(block.name, 40)));
    if (!subject.empty())
      out_ += " " + clean_line(subject, style_.width > 50 ? style_.width - 10 - block.name.size() % 40 : 40);
    out_ += "\n";
    const auto edit = edit_of(block);
    const std::size_t shown = style_.tools ? edit.size() : std::min(edit.size(), kMostEditLines);
    for (std::size_t i = 0; i < shown; ++i) {
      const std::string text =
          std::string(1, edit[i].mark) + " " + clean_for_terminal(edit[i].text, {.one_line = true});
      out_.append(kIndent).append("  ").append(paint_.diff(edit[i].mark, text)).append("\n");
    }
    if (shown < edit.size())
      out_.append(kIndent)
          .append(paint_.dim("  (" + std::to_string(edit.size() - shown) + " lines more)"))
          .append("\n");
    if (style_.tools && edit.empty()) indented(block.json, "  ");
    const auto found = results_.find(block.id);
    if (found == results_.end())
      out_.append(kIndent).append(paint_.dim("  (no result)")).append("\n");
    else
      result(*found->second);
  }

  void result(const Block& block) {
    if (style_.tools) return indented(block.text, block.is_error ? "! " : "  ");
    const OutputLine line = output_line(block.text);
    std::string text = clean_line(line.text.empty() ? "(nothing)" : line.text, style_.width - 16);
    if (line.more > 0) text += " (+" + std::to_string(line.more) + " lines)";
    out_.append(kIndent)
        .append("  ")
        .append(block.is_error ? paint_.bad("! " + text) : paint_.dim("= " + text))
        .append("\n");
  }

  void damage() {
    if (transcript_.findings.empty()) return;
    out_ += "\n" + paint_.bad("damaged places: " + std::to_string(transcript_.findings.size())) + "\n";
    for (const StoreFinding& finding : transcript_.findings) {
      indented(finding.file + " at byte " + std::to_string(finding.offset) + ": " + finding.kind +
               (finding.consequence.empty() ? "" : ": " + finding.consequence));
    }
  }

  const Transcript& transcript_;
  const TextStyle& style_;
  Paint paint_;
  std::map<std::string_view, const Block*> results_, calls_;
  std::string day_;
  std::string out_;
};

}  // namespace

std::string transcript_text(const Transcript& transcript, const TextStyle& style) {
  return Teller(transcript, style).tell();
}

}  // namespace holdfast::inline v1
