#include "transfer/html_parts.h"

#include <algorithm>

#include "base/hash.h"
#include "model/open_calls.h"
#include "model/text_document.h"
#include "text/base64.h"
#include "text/clean.h"
#include "transfer/markdown_html.h"
#include "transfer/record_label.h"
#include "transfer/tool_line.h"

namespace holdfast::inline v1 {
namespace {

// Formats that every browser shows and that hold only pixels: SVG can contain scripts.
bool is_picture(const Block& block) {
  constexpr std::string_view kTypes[] = {"image/png", "image/jpeg", "image/gif", "image/webp"};
  return block.kind == BlockKind::image && !block.data.empty() &&
         std::ranges::find(kTypes, block.media_type) != std::end(kTypes);
}

std::string folded(std::string_view name, std::string_view subject, const std::string& inside) {
  return "<details><summary><b>" + html_line(name, 60) + "</b> " + html_line(subject, 160) + "</summary>" + inside +
         "</details>\n";
}

std::string preformatted(std::string_view text) { return "<pre>" + html_text(text) + "</pre>"; }

std::string media(const Block& block) {
  const std::string words = html_line(media_words(block));
  if (const std::string text = document_text(block); !text.empty())
    return "<p>(" + words + ")</p>\n<pre class=\"said\">" + html_text(text) + "</pre>\n";
  if (!is_picture(block)) return "<p>(" + words + ")</p>";
  return "<p><img alt=\"" + words + "\" src=\"data:" + block.media_type + ";base64," + base64(block.data) + "\"></p>\n";
}

std::string call(const Block& block, const ToolBlocks& tools) {
  std::string inside;
  if (const auto edit = edit_of(block); !edit.empty()) {
    inside += "<pre class=\"diff\">";
    for (const DiffLine& line : edit) {
      const std::string_view kind = line.mark == '+' ? "ins" : line.mark == '-' ? "del" : "span";
      inside.append("<").append(kind).append(">").append(1, line.mark).append(" ").append(html_text(line.text));
      inside.append("</").append(kind).append(">\n");
    }
    inside += "</pre>";
  } else {
    inside += preformatted(block.json);
  }
  const Block* const result = tools.result_of(block);
  if (result == nullptr)
    inside += "<p class=\"bad\">no result</p>";
  else
    inside += std::string(result->is_error ? "<pre class=\"bad\">" : "<pre>") + html_text(result->text) + "</pre>";
  return folded(block.name, tool_subject(block), inside);
}

}  // namespace

std::string html_text(std::string_view text) { return html_escaped(clean_for_terminal(text)); }

std::string html_line(std::string_view text, std::size_t most) {
  return html_escaped(clean_for_terminal(text, {.one_line = true, .max_bytes = most}));
}

std::string policy_hash(std::string_view text) {
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
  return "'sha256-" + out + "'";
}

std::string html_opening(std::string_view title, std::string_view style, std::string_view script) {
  std::string out =
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n<meta "
      "http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src " +
      policy_hash(style);
  if (!script.empty()) out += "; script-src " + policy_hash(script);
  out +=
      "; img-src data:; base-uri 'none'; form-action 'none'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<meta name=\"color-scheme\" "
      "content=\"light dark\">\n<title>" +
      html_line(title, 200) + "</title>\n<style>" + std::string(style) + "</style></head><body>\n";
  return out;
}

std::string session_name(const Session& session) {
  if (!session.title.empty()) return session.title;
  return session.first_prompt.empty() ? session.id : session.first_prompt;
}

bool is_prompt(const Message& message) { return message.role == Role::user && message.origin == Origin::typed; }

std::string html_prompts(const std::vector<Message>& messages) {
  constexpr std::size_t kMost = 120;  // bytes per prompt
  std::string out = "<nav><h2>Prompts</h2><ol>";
  for (const Message& message : messages) {
    if (!is_prompt(message)) continue;
    std::string text = html_line(message.text(), kMost);
    if (text.empty() && !message.blocks.empty())  // only an attachment
      text = html_line(block_kind_name(message.blocks.front().kind), kMost);
    out += "<li><a href=\"#m" + std::to_string(message.ordinal) + "\">" + text + "</a></li>";
  }
  return out + "</ol></nav>\n";
}

std::string html_row(std::string_view name, std::string_view value) {
  return value.empty() ? std::string() : "<dt>" + html_escaped(name) + "</dt><dd>" + html_line(value) + "</dd>";
}

ToolBlocks::ToolBlocks(const Transcript& transcript) {
  OpenCalls<const Block*> calls;
  for (const Message& message : transcript.messages) {
    calls.begin(message);
    for (const Block& block : message.blocks) {
      if (block.kind == BlockKind::tool_call) calls.call(block.id, &block);
      if (block.kind != BlockKind::tool_result) continue;
      const auto call = calls.result(block.id);
      if (!call) continue;
      results_.emplace(*call, &block);
      answers_.insert(&block);
    }
  }
}

const Block* ToolBlocks::result_of(const Block& call) const {
  const auto found = results_.find(&call);
  return found == results_.end() ? nullptr : found->second;
}

std::string html_block(const Message& message, const Block& block, const ToolBlocks& tools) {
  switch (block.kind) {
    case BlockKind::text:
      return message.role == Role::assistant ? markdown_html(clean_for_terminal(block.text))
                                             : "<pre class=\"said\">" + html_text(block.text) + "</pre>\n";
    case BlockKind::thinking: return folded("thinks", output_line(block.text).text, preformatted(block.text));
    case BlockKind::tool_call: return call(block, tools);
    case BlockKind::tool_result: return folded("result", output_line(block.text).text, preformatted(block.text));
    case BlockKind::image:
    case BlockKind::document:
    case BlockKind::audio: return media(block);
    case BlockKind::other: return folded("record", record_label(block.json), preformatted(block.json));
  }
  return {};
}

std::string html_damage(const Transcript& transcript, bool paths) {
  if (transcript.findings.empty()) return {};
  std::string out = "<footer><h2>Damaged places</h2><ul>";
  for (const Finding& finding : transcript.findings)
    out += "<li>" + html_line(paths ? finding.file : finding.file.substr(finding.file.rfind('/') + 1)) + " at byte " +
           std::to_string(finding.offset) + ": " + html_line(finding.kind) + " " + html_line(finding.consequence) +
           "</li>";
  return out + "</ul></footer>\n";
}

}  // namespace holdfast::inline v1
