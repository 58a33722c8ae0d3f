#include "handoff/brief.h"

#include <algorithm>
#include <vector>

#include "base/utf8.h"
#include "handoff/tool_table.h"
#include "text/json_text.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kGoal = 2000, kPrompt = 600, kAnswer = 3000, kName = 300, kTodo = 200;
constexpr std::size_t kPrompts = 5, kFiles = 25, kTodos = 20;

std::string clipped(std::string_view text, std::size_t most) {
  if (text.size() <= most) return std::string(text);
  while (most > 0 && is_utf8_tail(text[most])) --most;
  return std::string(text.substr(0, most)) + " […]";
}

// Lines that cannot be taken for headings of ours.
std::string quoted(std::string_view text, std::size_t most) {
  const std::string clip = clipped(text, most);
  std::string out = "> ";
  for (const char letter : clip) letter == '\n' ? out += "\n> " : out += letter;
  return out + "\n";
}

std::string on_one_line(std::string_view text, std::size_t most) {
  std::string line = clipped(text, most);
  for (char& letter : line) letter = static_cast<unsigned char>(letter) < ' ' || letter == '`' ? ' ' : letter;
  return line;
}

std::string words_of(const Turn& turn) {
  std::string text;
  for (const Block& block : turn.blocks)
    if (block.kind == BlockKind::text) (text += text.empty() ? "" : "\n\n") += block.text;
  return text;
}

struct Work {
  std::vector<std::string> changed, read;  // the last touched last
  std::string todos;                       // JSON of the last list
};

void touch(std::vector<std::string>& files, std::string path) {
  if (path.empty()) return;
  std::erase(files, path);
  files.push_back(std::move(path));
}

Work work_of(const Conversation& conversation, std::span<const ToolName> names) {
  Work work;
  for (const Turn& turn : conversation.turns) {
    for (const Block& block : turn.blocks) {
      if (block.kind != BlockKind::tool_call) continue;
      const auto call = to_common(names, block.name, block.json);
      if (!call) continue;
      const JsonView input(call->json);
      if (call->tool == Tool::write || call->tool == Tool::edit) touch(work.changed, json_text(input, "path"));
      if (call->tool == Tool::read) touch(work.read, json_text(input, "path"));
      if (call->tool == Tool::todo) work.todos = input.find("items").raw();
    }
  }
  for (const std::string& path : work.changed) std::erase(work.read, path);
  return work;
}

void list_files(std::string& out, std::string_view heading, const std::vector<std::string>& files) {
  if (files.empty()) return;
  (out += "\n## ") += heading;
  out += "\n";
  const std::size_t shown = std::min(files.size(), kFiles);
  for (std::size_t n = 0; n < shown; ++n) out += "- `" + on_one_line(files[files.size() - 1 - n], kName) + "`\n";
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

std::string brief_of(const Session& session, const Conversation& conversation, std::span<const ToolName> names) {
  const std::vector<Turn>& turns = conversation.turns;
  std::vector<const Turn*> prompts;
  std::string answer;
  for (const Turn& turn : turns) {
    if (turn.role == Role::user) prompts.push_back(&turn);
    if (turn.role == Role::assistant && !words_of(turn).empty()) answer = words_of(turn);
  }
  std::string out = "# " + on_one_line(session.title.empty() ? session.first_prompt : session.title, kName) + "\n\n";
  out += "A session of " + on_one_line(session.layout, kName) + ", " + on_one_line(session.id, kName);
  if (!conversation.head.project.empty()) out += ", in `" + on_one_line(conversation.head.project, kName) + "`";
  if (!session.git_branch.empty()) out += ", on `" + on_one_line(session.git_branch, kName) + "`";
  out += ": " + std::to_string(prompts.size()) + " prompts";
  if (!session.updated_at.empty()) out += ", last used " + on_one_line(session.updated_at, kName);
  out += ".\n";
  if (!prompts.empty()) out += "\n## Goal\n" + quoted(words_of(*prompts.front()), kGoal);
  if (prompts.size() > 1) {
    out += "\n## Asked last\n";
    const std::size_t first = std::max<std::size_t>(1, prompts.size() > kPrompts ? prompts.size() - kPrompts : 1);
    for (std::size_t n = first; n < prompts.size(); ++n) out += quoted(words_of(*prompts[n]), kPrompt) + "\n";
  }
  if (!answer.empty()) out += "\n## Answered last\n" + quoted(answer, kAnswer);
  const Work work = work_of(conversation, names);
  list_todos(out, JsonView(work.todos));
  list_files(out, "Files changed", work.changed);
  list_files(out, "Files read", work.read);
  return out;
}

}  // namespace holdfast::inline v1
