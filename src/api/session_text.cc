#include "api/session_text.h"

#include "model/when.h"
#include "text/clean.h"
#include "transfer/record_label.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kLongestName = 200;

std::string one_line(std::string_view text) { return clean_for_terminal(text, {.one_line = true}); }

void row(std::string& out, std::string_view name, std::string_view value) {
  if (!value.empty()) out.append("- ").append(name).append(": ").append(one_line(value)).append("\n");
}

// A fence that the text cannot close.
std::string fence_for(std::string_view text) {
  std::size_t longest = 0;
  std::size_t run = 0;
  for (const char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return std::string(std::max<std::size_t>(3, longest + 1), '`');
}

void fenced(std::string& out, std::string_view kind, std::string_view text) {
  const std::string fence = fence_for(text);
  out.append(fence).append(kind).append("\n").append(text);
  if (!text.ends_with('\n')) out += '\n';
  out.append(fence).append("\n");
}

// What an agent wrote for itself is as large as its system prompt: named, and whole in the JSON formats only.
void named(std::string& out, const Block& record) {
  out.append("*").append(one_line(record_label(record.json))).append("*, ");
  out.append(std::to_string(record.json.size())).append(" bytes\n");
}

void block(std::string& out, const Message& message, const Block& block) {
  out += '\n';
  switch (block.kind) {
    case BlockKind::text: out.append(block.text).append("\n"); break;
    case BlockKind::thinking:
      out += "*thinking*\n\n";
      fenced(out, "", block.text);
      break;
    case BlockKind::tool_call:
      out.append("*calls* `").append(block.name).append("`\n\n");
      fenced(out, "json", block.json);
      break;
    case BlockKind::tool_result:
      out += block.is_error ? "*result, an error*\n\n" : "*result*\n\n";
      fenced(out, "", block.text);
      break;
    case BlockKind::image: out.append("*an image* (").append(block.media_type).append(")\n"); break;
    case BlockKind::other:
      if (message.role == Role::system) return named(out, block);
      fenced(out, "json", block.json);
      break;
  }
}

}  // namespace

std::string session_markdown(const Transcript& transcript) {
  const Session& session = transcript.session;
  const std::string& name = !session.title.empty()          ? session.title
                            : !session.first_prompt.empty() ? session.first_prompt
                                                            : session.id;
  std::string out = "# " + clean_for_terminal(name, {.one_line = true, .max_bytes = kLongestName}) + "\n\n";
  row(out, "id", session.id);
  row(out, "store", session.store);
  row(out, "project", session.project);
  row(out, "status", status_name(session.status));
  row(out, "created", session.created_at);
  row(out, "updated", session.updated_at);
  std::string models;
  for (const std::string& model : session.models) models += (models.empty() ? "" : ", ") + model;
  row(out, "models", models);
  row(out, "summary", session.summary);
  if (session.damage > 0) row(out, "damaged places", std::to_string(session.damage));
  for (const Message& message : transcript.messages) {
    out.append("\n## ").append(role_name(message.role));
    if (const std::string time = iso_when(message.timestamp); !time.empty()) out.append(" · ").append(time);
    if (!message.model.empty()) out.append(" · ").append(message.model);
    out += '\n';
    for (const Block& one : message.blocks) block(out, message, one);
  }
  return out;
}

}  // namespace holdfast::inline v1
