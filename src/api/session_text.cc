#include "api/session_text.h"

#include "model/text_document.h"
#include "model/time_formats.h"
#include "text/clean.h"
#include "text/markdown_quote.h"
#include "transfer/record_label.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kLongestName = 200;

void row(std::string& out, std::string_view name, std::string_view value) {
  if (!value.empty()) out.append("- ").append(name).append(": ").append(escaped_markdown_line(value)).append("\n");
}

void fenced(std::string& out, std::string_view kind, std::string_view text) { out += fenced_markdown(kind, text); }

// Only names an internal record of the agent, which can be as large as its system prompt; JSON formats have all of it.
void named(std::string& out, const Block& record) {
  out.append("*").append(escaped_markdown_line(record_label(record.json))).append("*, ");
  out.append(std::to_string(record.json.size())).append(" bytes\n");
}

void block(std::string& out, const Message& message, const Block& block) {
  out += '\n';
  switch (block.kind) {
    case BlockKind::text: out += quoted_markdown(block.text); break;
    case BlockKind::thinking:
      out += "*thinking*\n\n";
      fenced(out, "", block.text);
      break;
    case BlockKind::tool_call:
      out.append("*calls* ").append(escaped_markdown_line(block.name)).append("\n\n");
      fenced(out, "json", block.json);
      break;
    case BlockKind::tool_result:
      out += block.is_error ? "*result, an error*\n\n" : "*result*\n\n";
      fenced(out, "", block.text);
      break;
    case BlockKind::image:
    case BlockKind::document:
    case BlockKind::audio:
      out.append("*").append(escaped_markdown_line(media_words(block))).append("*\n");
      if (const std::string text = document_text(block); !text.empty()) fenced(out += '\n', "", text);
      break;
    case BlockKind::other:
      if (message.role == Role::system) return named(out, block);
      fenced(out, "json", block.json);
      break;
  }
}

}  // namespace

std::string session_markdown(const Transcript& transcript, const std::string& marks) {
  const Session& session = transcript.session;
  const std::string& name = !session.title.empty()          ? session.title
                            : !session.first_prompt.empty() ? session.first_prompt
                                                            : session.id;
  std::string out =
      "# " + escaped_markdown_line(clean_for_terminal(name, {.one_line = true, .max_bytes = kLongestName})) + "\n\n";
  row(out, "id", session.id);
  row(out, "store", session.store);
  row(out, "project", session.project);
  row(out, "status", status_name(session.status));
  row(out, "created", session.created_at);
  row(out, "updated", session.updated_at);
  std::string models;
  for (const std::string& model : session.models) models += (models.empty() ? "" : ", ") + model;
  row(out, "models", models);
  row(out, "marks", marks);
  row(out, "summary", session.summary);
  if (session.damage > 0) row(out, "damaged places", std::to_string(session.damage));
  for (const Message& message : transcript.messages) {
    out.append("\n## ").append(role_name(message.role));
    if (const std::string time = to_iso_time(message.timestamp); !time.empty())
      out.append(" · ").append(escaped_markdown_line(time));
    if (!message.model.empty()) out.append(" · ").append(escaped_markdown_line(message.model));
    out += '\n';
    for (const Block& one : message.blocks) block(out, message, one);
  }
  return out;
}

}  // namespace holdfast::inline v1
