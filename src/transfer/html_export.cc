#include "transfer/html_export.h"

#include <algorithm>

#include "model/time_formats.h"
#include "text/sizes.h"
#include "transfer/html_parts.h"
#include "transfer/html_style.h"
#include "transfer/markdown_html.h"

namespace holdfast::inline v1 {
namespace {

class PageWriter {
 public:
  explicit PageWriter(const Transcript& transcript) : transcript_(transcript), tools_(transcript) {}

  std::string write() {
    head();
    out_ += html_prompts(transcript_.messages);
    out_ += "<main>\n";
    for (const Message& message : transcript_.messages) tell(message);
    out_ += "</main>\n" + html_damage(transcript_, true) + "</body></html>\n";
    return std::move(out_);
  }

 private:
  void head() {
    const Session& session = transcript_.session;
    const std::string name = session_name(session);
    out_ += html_opening(name, kHtmlStyle, {}) + "<header><h1>" + html_line(name, 200) + "</h1><dl>";
    out_ += html_row("id", session.id) + html_row("agent", session.layout) + html_row("project", session.project);
    out_ += html_row("branch", session.git_branch) + html_row("status", status_name(session.status));
    out_ += html_row("from", session.created_at) + html_row("to", session.updated_at);
    std::string models;
    for (const std::string& model : session.models) models += (models.empty() ? "" : ", ") + model;
    out_ += html_row("models", models);
    if (session.counted) {
      out_ +=
          html_row("said", counted(session.counts.user, "prompt") + ", " + counted(session.counts.assistant, "answer") +
                               ", " + counted(session.counts.tool_calls, "tool call"));
      out_ +=
          html_row("tokens", std::to_string(session.usage.input) + " in, " + std::to_string(session.usage.cache_write) +
                                 " cache write, " + std::to_string(session.usage.cache_read) + " cache read, " +
                                 std::to_string(session.usage.output) + " out");
    }
    if (session.parent) out_ += html_row(parent_kind_name(session.parent->kind), session.parent->id);
    out_ += "</dl></header>\n";
  }

  void tell(const Message& message) {
    const bool only_results = !message.blocks.empty() && std::ranges::all_of(message.blocks, [&](const Block& block) {
      return block.kind == BlockKind::tool_result && tools_.answers(block);
    });
    if (only_results) return;
    const bool aside = !is_prompt(message) && message.origin != Origin::model && message.origin != Origin::tool;
    const std::string number = std::to_string(message.ordinal);
    const std::string_view kind = is_prompt(message) ? "prompt" : aside ? "aside" : role_name(message.role);
    out_ += "<article id=\"m" + number + "\" class=\"" + std::string(kind) + "\"><h3><a href=\"#m" + number + "\">" +
            number + "</a> ";
    const bool answer = message.role == Role::assistant && !message.model.empty();  // prompts have a model too
    out_ += html_line(answer ? std::string_view(message.model) : role_name(message.role), 80);
    if (const std::string time = to_iso_time(message.timestamp); !time.empty())
      out_ += " <time>" + html_escaped(time) + "</time>";
    if (message.usage && message.usage->output > 0)
      out_ += " <small>" + counted(message.usage->output, "token") + "</small>";
    if (message.failed) out_ += " <b>failed</b>";
    out_ += "</h3>\n";
    if (aside) out_ += "<details><summary>" + html_escaped(role_name(message.role)) + "</summary>";
    for (const Block& block : message.blocks) out_ += html_block(message, block, tools_);
    if (aside) out_ += "</details>";
    out_ += "</article>\n";
  }

  const Transcript& transcript_;
  ToolBlocks tools_;
  std::string out_;
};

}  // namespace

std::string session_html(const Transcript& transcript) { return PageWriter(transcript).write(); }

}  // namespace holdfast::inline v1
