#include "transfer/markdown_html.h"

#include <md4c.h>

#include <limits>

namespace holdfast::inline v1 {
namespace {

constexpr unsigned kFlags = MD_FLAG_TABLES | MD_FLAG_STRIKETHROUGH | MD_FLAG_TASKLISTS | MD_FLAG_NOHTML;

struct Page {
  std::string out;
  int images = 0;  // > 0 inside the alt text of a picture, where nothing is marked up
};

std::string_view view(const MD_ATTRIBUTE& attribute) { return {attribute.text, attribute.size}; }

bool leads_out(std::string_view address) { return address.starts_with("https://") || address.starts_with("http://"); }

std::string cell(MD_BLOCKTYPE type) { return type == MD_BLOCK_TH ? "th" : "td"; }

int enter_block(MD_BLOCKTYPE type, void* detail, void* user) {
  std::string& out = static_cast<Page*>(user)->out;
  switch (type) {
    case MD_BLOCK_DOC:
    case MD_BLOCK_HTML: break;
    case MD_BLOCK_QUOTE: out += "<blockquote>"; break;
    case MD_BLOCK_UL: out += "<ul>"; break;
    case MD_BLOCK_OL:
      out += "<ol start=\"" + std::to_string(static_cast<MD_BLOCK_OL_DETAIL*>(detail)->start) + "\">";
      break;
    case MD_BLOCK_LI: {
      const auto* const item = static_cast<MD_BLOCK_LI_DETAIL*>(detail);
      out += "<li>";
      if (item->is_task != 0) out += item->task_mark == ' ' ? "☐ " : "☑ ";
      break;
    }
    case MD_BLOCK_HR: out += "<hr>"; break;
    case MD_BLOCK_H: out += "<p class=\"h\">"; break;  // the page has headings of its own
    case MD_BLOCK_CODE: out += "<pre><code>"; break;
    case MD_BLOCK_P: out += "<p>"; break;
    case MD_BLOCK_TABLE: out += "<table>"; break;
    case MD_BLOCK_THEAD: out += "<thead>"; break;
    case MD_BLOCK_TBODY: out += "<tbody>"; break;
    case MD_BLOCK_TR: out += "<tr>"; break;
    case MD_BLOCK_TH:
    case MD_BLOCK_TD: out += "<" + cell(type) + ">"; break;
  }
  return 0;
}

int leave_block(MD_BLOCKTYPE type, void* /*detail*/, void* user) {
  std::string& out = static_cast<Page*>(user)->out;
  switch (type) {
    case MD_BLOCK_DOC:
    case MD_BLOCK_HTML:
    case MD_BLOCK_HR: break;
    case MD_BLOCK_QUOTE: out += "</blockquote>"; break;
    case MD_BLOCK_UL: out += "</ul>"; break;
    case MD_BLOCK_OL: out += "</ol>"; break;
    case MD_BLOCK_LI: out += "</li>"; break;
    case MD_BLOCK_H:
    case MD_BLOCK_P: out += "</p>\n"; break;
    case MD_BLOCK_CODE: out += "</code></pre>\n"; break;
    case MD_BLOCK_TABLE: out += "</table>\n"; break;
    case MD_BLOCK_THEAD: out += "</thead>"; break;
    case MD_BLOCK_TBODY: out += "</tbody>"; break;
    case MD_BLOCK_TR: out += "</tr>"; break;
    case MD_BLOCK_TH:
    case MD_BLOCK_TD: out += "</" + cell(type) + ">"; break;
  }
  return 0;
}

std::string_view plain_span(MD_SPANTYPE type) {
  switch (type) {
    case MD_SPAN_EM: return "em";
    case MD_SPAN_STRONG: return "strong";
    case MD_SPAN_CODE: return "code";
    case MD_SPAN_DEL: return "del";
    default: return {};
  }
}

int enter_span(MD_SPANTYPE type, void* detail, void* user) {
  auto& page = *static_cast<Page*>(user);
  if (type == MD_SPAN_IMG) ++page.images;
  if (page.images > 0) return 0;
  if (type == MD_SPAN_A) {
    const std::string_view address = view(static_cast<MD_SPAN_A_DETAIL*>(detail)->href);
    page.out += leads_out(address) ? "<a rel=\"noreferrer noopener\" href=\"" + html_escaped(address) + "\">" : "<a>";
  }
  if (const auto name = plain_span(type); !name.empty()) page.out += "<" + std::string(name) + ">";
  return 0;
}

int leave_span(MD_SPANTYPE type, void* /*detail*/, void* user) {
  auto& page = *static_cast<Page*>(user);
  if (type == MD_SPAN_IMG) --page.images;
  if (page.images > 0 || type == MD_SPAN_IMG) return 0;
  if (type == MD_SPAN_A) page.out += "</a>";
  if (const auto name = plain_span(type); !name.empty()) page.out += "</" + std::string(name) + ">";
  return 0;
}

int take_text(MD_TEXTTYPE type, const MD_CHAR* text, MD_SIZE size, void* user) {
  std::string& out = static_cast<Page*>(user)->out;
  const std::string_view words(text, size);
  switch (type) {
    case MD_TEXT_NULLCHAR: out += "\uFFFD"; break;
    case MD_TEXT_BR: out += "<br>"; break;
    case MD_TEXT_SOFTBR: out += '\n'; break;
    default: out += html_escaped(words); break;  // entities too: shown as written
  }
  return 0;
}

}  // namespace

std::string html_escaped(std::string_view text) {
  std::string out;
  out.reserve(text.size() + text.size() / 16);
  for (const char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&#39;"; break;
      default: out += c;
    }
  }
  return out;
}

std::string markdown_html(std::string_view text) {
  Page page;
  const MD_PARSER parser{0, kFlags, enter_block, leave_block, enter_span, leave_span, take_text, nullptr, nullptr};
  const bool fits = text.size() < std::numeric_limits<MD_SIZE>::max();
  if (!fits || md_parse(text.data(), static_cast<MD_SIZE>(text.size()), &parser, &page) != 0)
    return "<pre>" + html_escaped(text) + "</pre>";
  return std::move(page.out);
}

}  // namespace holdfast::inline v1
