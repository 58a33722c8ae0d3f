#include "transfer/html_export.h"

#include <algorithm>
#include <map>

#include "base/hash.h"
#include "model/when.h"
#include "text/base64.h"
#include "text/clean.h"
#include "transfer/html_style.h"
#include "transfer/markdown_html.h"
#include "transfer/record_label.h"
#include "transfer/tool_line.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kTitle = 120;  // bytes of a prompt in the table

// Controls and bidi marks would still turn a page around.
std::string safe(std::string_view text) { return html_escaped(clean_for_terminal(text)); }
std::string safe_line(std::string_view text, std::size_t most = 400) {
  return html_escaped(clean_for_terminal(text, {.one_line = true, .max_bytes = most}));
}

std::string sha256_base64(std::string_view text) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const std::string hex = sha256_hex(text);
  std::string out;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : hex) {
    bits = bits << 4 | static_cast<std::uint32_t>(c <= '9' ? c - '0' : c - 'a' + 10);
    count += 4;
    if (count < 6) continue;
    count -= 6;
    out += kDigits[bits >> count & 63];
  }
  if (count > 0) out += kDigits[bits << (6 - count) & 63];
  while (out.size() % 4 != 0) out += '=';
  return out;
}

// Pictures that every browser draws and that hold nothing but pixels: SVG can hold scripts.
bool is_picture(const Block& block) {
  constexpr std::string_view kTypes[] = {"image/png", "image/jpeg", "image/gif", "image/webp"};
  return block.kind == BlockKind::image && !block.data.empty() &&
         std::ranges::find(kTypes, block.media_type) != std::end(kTypes);
}

bool is_prompt(const Message& message) { return message.role == Role::user && message.origin == Origin::typed; }

class PageWriter {
 public:
  explicit PageWriter(const Transcript& transcript) : transcript_(transcript) {
    for (const Message& message : transcript.messages) {
      for (const Block& block : message.blocks) {
        if (block.kind == BlockKind::tool_result) results_.emplace(block.id, &block);
        if (block.kind == BlockKind::tool_call) calls_.emplace(block.id, &block);
      }
    }
  }

  std::string write() {
    head();
    prompts();
    out_ += "<main>\n";
    for (const Message& message : transcript_.messages) tell(message);
    out_ += "</main>\n";
    damage();
    out_ += "</body></html>\n";
    return std::move(out_);
  }

 private:
  void head() {
    const Session& session = transcript_.session;
    const std::string name = !session.title.empty()          ? session.title
                             : !session.first_prompt.empty() ? session.first_prompt
                                                             : session.id;
    out_ +=
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n<meta "
        "http-equiv=\"Content-Security-Policy\" content=\"";
    out_ += "default-src 'none'; style-src 'sha256-" + sha256_base64(kHtmlStyle) +
            "'; img-src data:; base-uri 'none'; form-action 'none'\">\n";
    out_ +=
        "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<meta name=\"color-scheme\" "
        "content=\"light dark\">\n";
    out_ +=
        "<title>" + safe_line(name, 200) + "</title>\n<style>" + std::string(kHtmlStyle) + "</style></head><body>\n";
    out_ += "<header><h1>" + safe_line(name, 200) + "</h1><dl>";
    row("id", session.id);
    row("agent", session.layout);
    row("project", session.project);
    row("branch", session.git_branch);
    row("status", status_name(session.status));
    row("from", session.created_at);
    row("to", session.updated_at);
    std::string models;
    for (const std::string& model : session.models) models += (models.empty() ? "" : ", ") + model;
    row("models", models);
    if (session.counted) {
      row("said", std::to_string(session.counts.user) + " prompts, " + std::to_string(session.counts.assistant) +
                      " answers, " + std::to_string(session.counts.tool_calls) + " tool calls");
      row("tokens", std::to_string(session.usage.input + session.usage.cache_read + session.usage.cache_write) +
                        " in, " + std::to_string(session.usage.output) + " out");
    }
    if (session.parent) row(parent_kind_name(session.parent->kind), session.parent->id);
    out_ += "</dl></header>\n";
  }

  void row(std::string_view name, std::string_view value) {
    if (!value.empty()) out_ += "<dt>" + html_escaped(name) + "</dt><dd>" + safe_line(value) + "</dd>";
  }

  void prompts() {
    out_ += "<nav><h2>Prompts</h2><ol>";
    for (const Message& message : transcript_.messages) {
      if (!is_prompt(message)) continue;
      out_ += "<li><a href=\"#m" + std::to_string(message.ordinal) + "\">" + safe_line(message.text(), kTitle) +
              "</a></li>";
    }
    out_ += "</ol></nav>\n";
  }

  void tell(const Message& message) {
    const bool only_results = !message.blocks.empty() && std::ranges::all_of(message.blocks, [&](const Block& block) {
      return block.kind == BlockKind::tool_result && calls_.contains(block.id);
    });
    if (only_results) return;
    const bool aside = !is_prompt(message) && message.origin != Origin::model && message.origin != Origin::tool;
    const std::string number = std::to_string(message.ordinal);
    const std::string_view kind = is_prompt(message) ? "prompt" : aside ? "aside" : role_name(message.role);
    out_ += "<article id=\"m" + number + "\" class=\"" + std::string(kind) + "\"><h3><a href=\"#m" + number + "\">" +
            number + "</a> ";
    const bool answer = message.role == Role::assistant && !message.model.empty();  // prompts name who was asked
    out_ += safe_line(answer ? std::string_view(message.model) : role_name(message.role), 80);
    if (const std::string time = iso_when(message.timestamp); !time.empty())
      out_ += " <time>" + html_escaped(time) + "</time>";
    if (message.usage && message.usage->output > 0)
      out_ += " <small>" + std::to_string(message.usage->output) + " tokens</small>";
    if (message.failed) out_ += " <b>failed</b>";
    out_ += "</h3>\n";
    if (aside) out_ += "<details><summary>" + html_escaped(role_name(message.role)) + "</summary>";
    for (const Block& block : message.blocks) tell_block(message, block);
    if (aside) out_ += "</details>";
    out_ += "</article>\n";
  }

  void tell_block(const Message& message, const Block& block) {
    switch (block.kind) {
      case BlockKind::text:
        if (message.role == Role::assistant)
          out_ += markdown_html(clean_for_terminal(block.text));
        else
          out_ += "<pre class=\"said\">" + safe(block.text) + "</pre>\n";
        break;
      case BlockKind::thinking:
        folded("thinks", output_line(block.text).text, "<pre>" + safe(block.text) + "</pre>");
        break;
      case BlockKind::tool_call: call(block); break;
      case BlockKind::tool_result:
        folded("result", output_line(block.text).text, "<pre>" + safe(block.text) + "</pre>");
        break;
      case BlockKind::image:
      case BlockKind::document:
      case BlockKind::audio: media(block); break;
      case BlockKind::other: folded("record", record_label(block.json), "<pre>" + safe(block.json) + "</pre>"); break;
    }
  }

  void media(const Block& block) {
    const std::string words = safe_line(media_words(block));
    if (is_picture(block))
      out_ += "<p><img alt=\"" + words + "\" src=\"data:" + block.media_type + ";base64," + base64(block.data) +
              "\"></p>\n";
    else
      out_ += "<p>(" + words + ")</p>";
  }

  void folded(std::string_view name, std::string_view subject, const std::string& inside) {
    out_ += "<details><summary><b>" + safe_line(name, 60) + "</b> " + safe_line(subject, 160) + "</summary>" + inside +
            "</details>\n";
  }

  void call(const Block& block) {
    std::string inside;
    if (const auto edit = edit_of(block); !edit.empty()) {
      inside += "<pre class=\"diff\">";
      for (const DiffLine& line : edit) {
        const std::string_view kind = line.mark == '+' ? "ins" : line.mark == '-' ? "del" : "span";
        inside += "<" + std::string(kind) + ">" + line.mark + " " + safe(line.text) + "</" + std::string(kind) + ">\n";
      }
      inside += "</pre>";
    } else {
      inside += "<pre>" + safe(block.json) + "</pre>";
    }
    const auto found = results_.find(block.id);
    if (found == results_.end())
      inside += "<p class=\"bad\">no result</p>";
    else
      inside +=
          std::string(found->second->is_error ? "<pre class=\"bad\">" : "<pre>") + safe(found->second->text) + "</pre>";
    folded(block.name, tool_subject(block), inside);
  }

  void damage() {
    if (transcript_.findings.empty()) return;
    out_ += "<footer><h2>Damaged places</h2><ul>";
    for (const Finding& finding : transcript_.findings)
      out_ += "<li>" + safe_line(finding.file) + " at byte " + std::to_string(finding.offset) + ": " +
              safe_line(finding.kind) + " " + safe_line(finding.consequence) + "</li>";
    out_ += "</ul></footer>\n";
  }

  const Transcript& transcript_;
  std::map<std::string_view, const Block*> results_, calls_;
  std::string out_;
};

}  // namespace

std::string session_html(const Transcript& transcript) { return PageWriter(transcript).write(); }

}  // namespace holdfast::inline v1
