#include "text/markdown_quote.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "base/ascii.h"
#include "text/clean.h"

namespace holdfast::inline v1 {
namespace {

std::size_t run_of(std::string_view line, std::size_t at) {
  std::size_t end = at;
  while (end < line.size() && line[end] == line[at]) ++end;
  return end - at;
}

struct Fence {
  char mark = '`';
  std::size_t length = 0;
};

// A fence at the very beginning of a line is always one; an indented fence may belong
// to a list and end with it.
std::optional<Fence> opening_fence(std::string_view line) {
  if (line.empty() || (line[0] != '`' && line[0] != '~')) return std::nullopt;
  const std::size_t length = run_of(line, 0);
  if (length < 3 || (line[0] == '`' && line.find('`', length) != std::string_view::npos)) return std::nullopt;
  return Fence{line[0], length};
}

bool closes(const Fence& fence, std::string_view line) {
  const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
  if (indent > 3 || indent == line.size() || line[indent] != fence.mark) return false;
  const std::size_t length = run_of(line, indent);
  return length >= fence.length && line.find_first_not_of(" \t", indent + length) == std::string_view::npos;
}

// Returns the content after indentation and the marks of quotes and lists.
std::string_view content_of(std::string_view line) {
  const std::size_t at = line.find_first_not_of(" \t>-*+0123456789.)");
  return at == std::string_view::npos ? std::string_view() : line.substr(at);
}

bool may_be_fence(std::string_view line) {
  const std::string_view content = content_of(line);
  return content.starts_with("```") || content.starts_with("~~~");
}

// Returns the code spans of a line; nullopt if a mark is left over, which a later line
// may close, or if a table cell may end inside a span.
struct Span {
  std::size_t from, to;
};
std::optional<std::vector<Span>> code_spans(std::string_view line) {
  std::vector<Span> spans;
  for (std::size_t at = line.find('`'); at != std::string_view::npos;) {
    if (at > 0 && line[at - 1] == '\\') return std::nullopt;
    const std::size_t length = run_of(line, at);
    std::size_t end = line.find('`', at + length);
    while (end != std::string_view::npos && run_of(line, end) != length) end = line.find('`', end + run_of(line, end));
    if (end == std::string_view::npos) return std::nullopt;
    if (line.substr(at, end - at).find('|') != std::string_view::npos) return std::nullopt;
    spans.push_back({at, end + length});
    at = line.find('`', end + length);
  }
  return spans;
}

bool opens_html(std::string_view line, std::size_t at) {
  if (line[at] != '<' || at + 1 == line.size()) return false;
  const char next = line[at + 1];
  return next == '!' || next == '/' || next == '?' || is_ascii_letter(next);
}

// "[label]: place" takes effect in the whole document; the label may span several lines.
bool may_define_link(std::string_view line) {
  const std::string_view content = content_of(line);
  if (!content.starts_with('[')) return false;
  const std::size_t close = content.find(']');
  return close == std::string_view::npos || content.find("]:") != std::string_view::npos;
}

void append_line(std::string& out, std::string_view line, const std::vector<Span>& code) {
  const std::size_t label =
      may_define_link(line) ? static_cast<std::size_t>(content_of(line).data() - line.data()) : line.size();
  auto span = code.begin();
  for (std::size_t at = 0; at < line.size(); ++at) {
    while (span != code.end() && span->to <= at) ++span;
    const bool in_code = span != code.end() && span->from <= at;
    // After a backslash, ours would be the escaped one.
    const bool escaped = at > 0 && line[at - 1] == '\\';
    if (!in_code && !escaped && (opens_html(line, at) || at == label)) out.push_back('\\');
    if (!in_code && escaped && opens_html(line, at))
      out.append("&lt;");
    else
      out.push_back(line[at]);
  }
}

class Quote {
 public:
  void take(std::string_view line) {
    if (fence_) {
      emit(line);
      if (closes(*fence_, line)) fence_.reset();
      return;
    }
    if (const auto fence = opening_fence(line); fence && certain_) {
      flush();
      fence_ = fence;
      return emit(line);
    }
    if (may_be_fence(line)) certain_ = false;
    if (line.find_first_not_of(" \t") == std::string_view::npos) {
      flush();
      return emit(line);
    }
    chunk_.push_back(line);
  }

  std::string end() {
    flush();
    return std::move(out_);
  }

 private:
  void emit(std::string_view line) { out_.append(line.empty() ? ">" : "> ").append(line).append("\n"); }

  // Writes lines that may share a paragraph: code spans are certain only if no line leaves one open.
  void flush() {
    std::vector<std::vector<Span>> spans;
    bool known = certain_;
    for (const std::string_view line : chunk_) {
      const auto found = code_spans(line);
      known = known && found.has_value();
      spans.push_back(found.value_or(std::vector<Span>()));
    }
    for (std::size_t i = 0; i < chunk_.size(); ++i) {
      out_.append("> ");
      append_line(out_, chunk_[i], known ? spans[i] : std::vector<Span>());
      out_.push_back('\n');
    }
    chunk_.clear();
  }

  std::string out_;
  std::vector<std::string_view> chunk_;
  std::optional<Fence> fence_;
  bool certain_ = true;  // no line so far that only some readers take for a fence
};

}  // namespace

std::string quoted_markdown(std::string_view text) {
  Quote quote;
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.remove_suffix(1);
  for (bool more = true; more;) {
    const std::size_t end = text.find_first_of("\r\n");  // a lone CR ends a line too
    more = end != std::string_view::npos;
    quote.take(text.substr(0, end));
    if (more) text.remove_prefix(end + (text.substr(end).starts_with("\r\n") ? 2 : 1));
  }
  return quote.end();
}

std::string escaped_markdown_line(std::string_view text) {
  std::string out;
  for (const char c : clean_for_terminal(text, {.one_line = true})) {
    if (std::string_view("\\`<[]").find(c) != std::string_view::npos) out.push_back('\\');
    out.push_back(c);
  }
  return out;
}

std::string fenced_markdown(std::string_view kind, std::string_view text) {
  std::size_t longest = 2;
  for (std::size_t at = text.find('`'); at != std::string_view::npos; at = text.find('`', at + run_of(text, at)))
    longest = std::max(longest, run_of(text, at));
  const std::string fence(longest + 1, '`');
  std::string out = fence + std::string(kind) + "\n";
  out.append(text);
  if (!text.ends_with('\n')) out.push_back('\n');
  return out + fence + "\n";
}

}  // namespace holdfast::inline v1
