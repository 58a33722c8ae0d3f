#include "transfer/share_page.h"

#include <map>
#include <utility>
#include <vector>

#include "layout/layout.h"
#include "model/time_formats.h"
#include "text/sizes.h"
#include "transfer/html_parts.h"
#include "transfer/html_style.h"
#include "transfer/markdown_html.h"
#include "transfer/share_script.h"

namespace holdfast::inline v1 {
namespace {

bool is_said(const Block& block) {
  return block.kind == BlockKind::text || block.kind == BlockKind::image || block.kind == BlockKind::document ||
         block.kind == BlockKind::audio;
}

class SharePage {
 public:
  SharePage(const Transcript& transcript, const ShareOptions& options)
      : transcript_(transcript), options_(options), tools_(transcript) {}

  std::string write() {
    const std::string style = std::string(kHtmlStyle) + std::string(kShareStyle);
    for (const Message& message : transcript_.messages) tell(message);
    end_article();
    end_work();
    const std::string told = std::exchange(out_, {});
    out_ += html_opening(session_name(transcript_.session), style, kShareScript);
    head(options_.note ? options_.note(told) : std::string());
    bar();
    out_ += html_prompts(transcript_.messages);
    out_ += "<main>\n";
    out_ += told;
    out_ += "</main>\n" + html_damage(transcript_, false) + "<script>" + std::string(kShareScript) +
            "</script></body></html>\n";
    return std::move(out_);
  }

 private:
  // Shows no paths of the user's machine, only the name of the project.
  void head(const std::string& note) {
    const Session& session = transcript_.session;
    const Layout* const layout = find_layout(session.layout);
    out_ += "<header><h1>" + html_line(session_name(session), 200) + "</h1><dl>";
    out_ += html_row("agent", layout == nullptr ? session.layout : layout->agent());
    out_ += html_row("project", session.project.substr(session.project.rfind('/') + 1));
    std::string models;
    for (const std::string& model : session.models) models += (models.empty() ? "" : ", ") + model;
    out_ += html_row("model", models);
    out_ += time_row("from", session.created_at) + time_row("to", session.updated_at);
    out_ += "</dl>";
    if (!note.empty()) out_ += "<p class=\"note\">" + html_line(note) + "</p>";
    out_ += "</header>\n";
  }

  static std::string time_of(const std::string& when) {
    const std::string iso = to_iso_time(when);
    if (iso.size() < 16) return {};
    return "<time datetime=\"" + html_escaped(iso) + "\">" + html_escaped(iso.substr(0, 10)) + " " +
           html_escaped(iso.substr(11, 5)) + " UTC</time>";
  }
  static std::string time_row(std::string_view name, const std::string& when) {
    const std::string time = time_of(when);
    return time.empty() ? time : "<dt>" + std::string(name) + "</dt><dd>" + time + "</dd>";
  }

  // Hidden until the script that it needs shows it.
  void bar() {
    out_ +=
        "<div id=\"bar\" role=\"search\" hidden><input id=\"find\" type=\"search\" placeholder=\"Find (press /)\" "
        "aria-label=\"Find in this session\"><span id=\"hits\" role=\"status\"></span>";
    if (!options_.prompts) out_ += "<label><input id=\"prompts\" type=\"checkbox\"> only prompts</label>";
    if (!options_.prompts && options_.tools)
      out_ +=
          "<label><input id=\"tools\" type=\"checkbox\" checked> tools</label><button id=\"open\" "
          "type=\"button\">Open all</button>";
    out_ += "</div>\n";
  }

  void tell(const Message& message) {
    const bool prompt = is_prompt(message);
    const bool aside = !prompt && message.origin != Origin::model && message.origin != Origin::tool;
    if ((options_.prompts && !prompt) || (aside && !options_.system)) return;
    end_article();
    const bool tool = message.role == Role::tool || message.origin == Origin::tool;
    for (const Block& block : message.blocks) {
      if (block.kind == BlockKind::tool_result && tools_.answers(block)) continue;  // shown with its call
      if (block.kind == BlockKind::other && !options_.system) continue;
      if (aside || tool || !is_said(block)) {
        work(message, block, aside);
      } else {
        begin_article(message, prompt);
        out_ += html_block(message, block, tools_);
      }
    }
  }

  void begin_article(const Message& message, bool prompt) {
    end_work();
    if (in_article_) return;
    in_article_ = true;
    const std::string number = std::to_string(message.ordinal);
    const bool again = message.ordinal == last_;  // the rest of a message after its tools
    last_ = message.ordinal;
    out_ += "<article class=\"" + std::string(prompt ? "prompt" : "answer") + "\"" +
            (again ? "" : " id=\"m" + number + "\"") + "><h3><a href=\"#m" + number + "\">" + number + "</a> ";
    out_ += prompt ? "You" : html_line(message.model.empty() ? role_name(message.role) : message.model, 80);
    if (const std::string time = time_of(message.timestamp); !time.empty()) out_ += " " + time;
    if (message.failed) out_ += " <b>failed</b>";
    out_ += "</h3>\n";
  }
  void end_article() {
    if (in_article_) out_ += "</article>\n";
    in_article_ = false;
  }

  void work(const Message& message, const Block& block, bool aside) {
    if (!options_.tools && !aside && block.kind != BlockKind::other) return;
    end_article();
    work_ += html_block(message, block, tools_);
    if (block.kind == BlockKind::tool_call) {
      ++calls_;
      ++names_[block.name];
    } else if (block.kind == BlockKind::thinking) {
      ++thoughts_;
    } else {
      ++others_;
    }
  }

  // Puts everything done between two texts into one fold.
  void end_work() {
    if (work_.empty()) return;
    std::vector<std::string> parts;
    if (calls_ > 0) parts.push_back(counted(calls_, "tool call"));
    if (thoughts_ > 0) parts.push_back(counted(thoughts_, "thought"));
    if (others_ > 0) parts.push_back(counted(others_, "record"));
    std::string line, names;
    for (const std::string& part : parts) line += (line.empty() ? "" : ", ") + part;
    for (const auto& [name, times] : names_)
      names += (names.empty() ? ": " : ", ") + name + (times == 1 ? "" : " ×" + std::to_string(times));
    out_ +=
        "<details class=\"work\"><summary>" + html_line(line + names, 300) + "</summary>\n" + work_ + "</details>\n";
    work_.clear();
    names_.clear();
    calls_ = thoughts_ = others_ = 0;
  }

  const Transcript& transcript_;
  const ShareOptions& options_;
  ToolBlocks tools_;
  std::string out_, work_;
  std::map<std::string, std::size_t> names_;
  std::size_t calls_ = 0, thoughts_ = 0, others_ = 0;
  bool in_article_ = false;
  std::int64_t last_ = -1;
};

}  // namespace

std::string share_page(const Transcript& transcript, const ShareOptions& options) {
  return SharePage(transcript, options).write();
}

}  // namespace holdfast::inline v1
