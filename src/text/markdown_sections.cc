#include "text/markdown_sections.h"

#include <algorithm>

#include "text/markdown_lines.h"
#include "text/trim.h"

namespace holdfast::inline v1 {
namespace {

// Returns 1 to 6 for a line "## x" or "##"; 0 for others.
int atx_level(std::string_view text) {
  const std::size_t level = std::min(text.find_first_not_of('#'), text.size());
  const bool ends = level == text.size() || text[level] == ' ' || text[level] == '\t';
  return level >= 1 && level <= 6 && ends ? static_cast<int>(level) : 0;
}

// Returns the text of an ATX heading: closing marks count only after a space.
std::string_view atx_text(std::string_view text, int level) {
  text = trim(text.substr(static_cast<std::size_t>(level)));
  const std::size_t kept = text.find_last_not_of('#') + 1;
  if (kept == 0) return {};
  return kept < text.size() && (text[kept - 1] == ' ' || text[kept - 1] == '\t') ? trim(text.substr(0, kept)) : text;
}

// Returns 1 for "===", 2 for "---"; 0 for others.
int setext_level(std::string_view text) {
  text = trim(text);
  if (text.empty() || (text[0] != '=' && text[0] != '-')) return 0;
  return text.find_first_not_of(text[0]) != std::string_view::npos ? 0 : text[0] == '=' ? 1 : 2;
}

// "***", "- - -": a horizontal rule, which ends a paragraph.
bool is_thematic_break(std::string_view text) {
  if (text.empty() || std::string_view("*-_").find(text[0]) == std::string_view::npos) return false;
  const char blanks[] = {text[0], ' ', '\t'};
  return text.find_first_not_of(std::string_view(blanks, 3)) == std::string_view::npos &&
         std::count(text.begin(), text.end(), text[0]) >= 3;
}

// Collects the paragraph that an underline would turn into a heading.
class HeadingFinder {
 public:
  explicit HeadingFinder(std::string_view doc) : doc_(doc) {}

  void take(const MarkdownLine& line) {
    const std::string_view text = line.text.substr(line.indent_chars);
    if (line.code || line.blank) return reset();
    const bool flat = line.indent < 4;
    if (const int level = flat ? atx_level(text) : 0; level != 0) {
      add(level, atx_text(text, level), line.at, line.next);
    } else if (const int under = flat && paragraph_ ? setext_level(text) : 0; under != 0) {
      add(under, trim(doc_.substr(*paragraph_, line.at - *paragraph_)), *paragraph_, line.next);
    } else if (is_thematic_break(text) || text[0] == '>' || text[0] == '<' || line.item != 0) {
      reset();
      in_block_ = !is_thematic_break(text);
    } else if (!paragraph_ && !in_block_ && flat) {
      paragraph_ = line.at;
    }
  }

  std::vector<MarkdownHeading> finish() {
    for (std::size_t at = 0; at < found_.size(); ++at) {
      found_[at].end = at + 1 < found_.size() ? found_[at + 1].at : doc_.size();
      std::size_t next = at + 1;
      while (next < found_.size() && found_[next].level > found_[at].level) ++next;
      found_[at].tree_end = next < found_.size() ? found_[next].at : doc_.size();
    }
    return std::move(found_);
  }

 private:
  void reset() {
    paragraph_.reset();
    in_block_ = false;
  }
  void add(int level, std::string_view text, std::size_t at, std::size_t body_at) {
    found_.push_back({.level = level, .text = text, .at = at, .body_at = body_at});
    reset();
  }

  std::string_view doc_;
  std::optional<std::size_t> paragraph_;
  bool in_block_ = false;  // inside a list item, quote or HTML, which continues until a blank line
  std::vector<MarkdownHeading> found_;
};

}  // namespace

std::vector<MarkdownHeading> markdown_headings(std::string_view doc) {
  HeadingFinder finder(doc);
  for (const MarkdownLine& line : markdown_lines(doc)) finder.take(line);
  return finder.finish();
}

}  // namespace holdfast::inline v1
