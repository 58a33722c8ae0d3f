#include "handoff/brief.h"

#include <algorithm>
#include <functional>
#include <vector>

#include "base/utf8.h"
#include "handoff/tool_table.h"
#include "text/clean.h"
#include "text/json_text.h"
#include "text/json_value.h"
#include "text/sizes.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kGoal = 2000, kSummary = 3000, kPrompt = 600, kAnswer = 3000, kName = 300, kTodo = 200,
                      kInput = 200;
constexpr std::size_t kPrompts = 5, kFiles = 25, kTodos = 20;

std::string clipped(std::string_view text, std::size_t most) {
  if (text.size() <= most) return std::string(text);
  while (most > 0 && is_utf8_tail(text[most])) --most;
  return std::string(text.substr(0, most)) + " […]";
}

// Quotes the text, so that its lines cannot be taken for our headings.
std::string quoted(std::string_view text) {
  std::string out = "> ";
  for (const char letter : text) letter == '\n' ? out += "\n> " : out += letter;
  return out + "\n";
}

std::string on_one_line(std::string_view text, std::size_t most) {
  std::string line = clipped(text, most);
  for (char& letter : line) letter = static_cast<unsigned char>(letter) < ' ' || letter == '`' ? ' ' : letter;
  return line;
}

// A code span. What would act on a terminal or end the span is shown escaped; all else is as it was.
std::string as_code(std::string_view text, std::size_t most) {
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string shown;
  std::size_t ticks = 0, longest = 0;
  for (const char letter : clipped(text, most)) {
    ticks = letter == '`' ? ticks + 1 : 0;
    longest = std::max(longest, ticks);
    const auto code = static_cast<unsigned char>(letter);
    if (letter == '\n')
      shown += "\\n";
    else if (letter == '\t')
      shown += "\\t";
    else if (letter == '\r')
      shown += "\\r";
    else if (code < ' ')
      ((shown += "\\u00") += kHex[code >> 4U]) += kHex[code & 0xFU];
    else
      shown += letter;
  }
  shown = escape_controls_in_json(shown);
  const std::string fence(longest + 1, '`');
  const std::string_view gap = longest > 0 ? " " : "";
  return fence + std::string(gap) + shown + std::string(gap) + fence;
}

// What a call was about, shortly.
std::string input_of(const std::optional<CommonCall>& common, const Block& call) {
  const JsonView input(common ? common->json : call.json);
  for (const std::string_view name : {"command", "path", "pattern", "url", "prompt"})
    if (std::string text = json_text(input, name); !text.empty()) return text;
  return common || call.json == "{}" ? std::string() : call.json;
}

// Whether the result arrived, with this agent or an earlier one (kNoResult).
bool has_result(const Turn& turn, std::size_t call) {
  return turn.answered[call] && !turn.results[call].text.ends_with(kNoResult);
}

std::string words_of(const Turn& turn) {
  std::string text;
  for (const Block& block : turn.blocks)
    if (block.kind == BlockKind::text && (turn.role == Role::user || !thought_in(block.text)))
      (text += text.empty() ? "" : "\n\n") += block.text;
  return text;
}

// Lists the most recently touched files first.
void list_files(std::string& out, std::string_view heading, const std::map<std::string, std::uint64_t>& touched,
                const std::set<std::string>& unsure) {
  if (touched.empty()) return;
  std::vector<std::pair<std::uint64_t, std::string>> files;
  for (const auto& [path, when] : touched) files.emplace_back(when, path);
  std::ranges::sort(files, std::greater());
  (out += "\n## ") += heading;
  out += "\n";
  const std::size_t shown = std::min(files.size(), kFiles);
  for (std::size_t n = 0; n < shown; ++n)
    out += "- " + as_code(files[n].second, kName) +
           (unsure.contains(files[n].second) ? " (its last write has no result: not known whether it was done)" : "") +
           "\n";
  if (shown < files.size()) out += "- and " + std::to_string(files.size() - shown) + " more\n";
}

void list_todos(std::string& out, JsonView items) {
  std::string lines;
  std::size_t open = 0;
  for (const JsonItem& item : items.elements()) {
    const std::string status = json_text(item.value, "status");
    if (status == "completed" || status == "done" || status == "cancelled") continue;
    if (++open > kTodos) continue;
    lines += "- [ ] " + on_one_line(json_text(item.value, "content"), kTodo) +
             (status == "in_progress" ? " (in progress)" : "") + "\n";
  }
  if (!lines.empty()) out += "\n## Left to do\n" + lines;
  if (open > kTodos) out += "- and " + std::to_string(open - kTodos) + " more\n";
}

}  // namespace

void Brief::take(const Turn& turn) {
  if (turn.summary) {
    summary_ = clipped(words_of(turn), kSummary);
    return;
  }
  if (turn.role == Role::user) {
    if (has_only_outputs(turn)) return;
    if (prompts_++ == 0 && summary_.empty()) {
      goal_ = clipped(words_of(turn), kGoal);
    } else {
      last_.push_back(clipped(words_of(turn), kPrompt));
      if (last_.size() > kPrompts) last_.pop_front();
    }
    return;
  }
  if (std::string words = words_of(turn); !words.empty()) answer_ = clipped(words, kAnswer);
  stopped_at_.clear();
  std::size_t number = 0;
  for (const Block& block : turn.blocks) {
    if (block.kind != BlockKind::tool_call) continue;
    const std::size_t call = number++;
    take_call(block, !has_result(turn, call)       ? Outcome::unknown
                     : turn.results[call].is_error ? Outcome::failed
                                                   : Outcome::done);
  }
  if (number == 0 || has_result(turn, number - 1)) return;
  const auto last = std::ranges::find_if(turn.blocks.rbegin(), turn.blocks.rend(),
                                         [](const Block& block) { return block.kind == BlockKind::tool_call; });
  const std::string input = input_of(to_common_of_any(names_, last->name, last->json), *last);
  stopped_at_ = as_code(last->name, kName) + (input.empty() ? "" : " (" + as_code(input, kInput) + ")");
}

void Brief::take_call(const Block& call, Outcome outcome) {
  const auto change = [&](const std::string& path) {
    if (outcome == Outcome::failed) return;
    changed_[path] = ++touched_;
    if (outcome == Outcome::unknown)
      unsure_.insert(path);
    else
      unsure_.erase(path);
  };
  for (const std::string& path : patched_files(call.json)) change(path);
  const auto common = to_common_of_any(names_, call.name, call.json);
  if (!common) return;
  const JsonView input(common->json);
  if (const std::string path = json_text(input, "path"); !path.empty()) {
    if (common->tool == Tool::write || common->tool == Tool::edit) change(path);
    if (common->tool == Tool::read) read_[path] = ++touched_;
  }
  if (common->tool == Tool::todo && outcome != Outcome::failed) todos_ = input.find("items").raw();
}

std::string Brief::text(const Session& session, const CarriedHead& head) const {
  std::string out = "# " + on_one_line(session.title.empty() ? session.first_prompt : session.title, kName) + "\n\n";
  out += "A session of " + on_one_line(session.layout, kName) + ", " + on_one_line(session.id, kName);
  if (!head.project.empty()) out += ", in " + as_code(head.project, kName);
  if (!session.git_branch.empty()) out += ", on " + as_code(session.git_branch, kName);
  out += ": " + counted(prompts_, "prompt");
  if (!summary_.empty() && goal_.empty()) out += " since its agent summarized it";
  if (!session.updated_at.empty()) out += ", last used " + on_one_line(session.updated_at, kName);
  out += ".\n";
  // What a summary replaces begins with the goal.
  const std::string goal = goal_.empty() ? clipped(session.first_prompt, kGoal) : goal_;
  if (!goal.empty()) out += "\n## Goal\n" + quoted(goal);
  if (!summary_.empty()) out += "\n## Summary of what came before\n" + quoted(summary_);
  if (!last_.empty()) out += "\n## Asked last\n";
  for (const std::string& prompt : last_) out += quoted(prompt) + "\n";
  if (!answer_.empty()) out += "\n## Answered last\n" + quoted(answer_);
  list_todos(out, JsonView(todos_));
  list_files(out, "Files changed", changed_, unsure_);
  Files only_read = read_;
  for (const auto& [path, when] : changed_) only_read.erase(path);
  list_files(out, "Files read", only_read, {});
  if (!stopped_at_.empty())
    out += "\nThe last call has no result: the session was interrupted while " + stopped_at_ +
           " was running, or it still runs.\n";
  return out;
}

}  // namespace holdfast::inline v1
