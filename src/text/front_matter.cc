#include "text/front_matter.h"

#include "text/json_scan.h"
#include "text/yaml_lines.h"

namespace holdfast::inline v1 {
namespace {

bool is_mark(std::string_view line, std::string_view mark) {
  return line.starts_with(mark) && is_blank_line(line.substr(mark.size()));
}

// Returns the offset of the first line in text[at...] that closes front matter; npos if there is none.
std::size_t find_closing(std::string_view text, std::size_t at) {
  for (; at < text.size(); at = next_line(text, at)) {
    const std::string_view line = text.substr(at, line_end(text, at) - at);
    if (is_mark(line, "---") || is_mark(line, "...")) return at;
  }
  return std::string_view::npos;
}

}  // namespace

FrontMatter split_front_matter(std::string_view doc) {
  const std::size_t start = doc.size() - without_bom(doc).size();
  const std::size_t yaml_at = next_line(doc, start);
  const bool opened = is_mark(doc.substr(start, line_end(doc, start) - start), "---");
  const std::size_t closing = opened ? find_closing(doc, yaml_at) : std::string_view::npos;
  if (closing == std::string_view::npos) return {.body = doc.substr(start), .yaml_at = start, .body_at = start};
  const std::size_t body_at = next_line(doc, closing);
  return {.found = true,
          .yaml = doc.substr(yaml_at, closing - yaml_at),
          .body = doc.substr(body_at),
          .yaml_at = yaml_at,
          .body_at = body_at};
}

Result<std::string> replace_front_matter(std::string_view doc, std::string_view yaml) {
  if (find_closing(yaml, 0) != std::string_view::npos) {
    return fail(Code::invalid_argument, "front matter with a line `---` or `...` would end there");
  }
  const FrontMatter old = split_front_matter(doc);
  const std::string_view eol = line_break_of(doc);
  std::string out(doc.substr(0, old.yaml_at));
  if (!old.found) out.append("---").append(eol);
  out.append(yaml);
  if (!yaml.empty() && !yaml.ends_with('\n')) out.append(eol);
  if (!old.found) out.append("---").append(eol);
  return out.append(doc.substr(old.yaml_at + old.yaml.size()));
}

}  // namespace holdfast::inline v1
