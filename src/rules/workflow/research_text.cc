#include "rules/workflow/research_text.h"

#include <algorithm>
#include <array>
#include <set>
#include <vector>

#include "base/ascii.h"
#include "text/front_matter.h"
#include "text/json_value.h"
#include "text/json_write.h"
#include "text/markdown_sections.h"
#include "text/trim.h"
#include "text/yaml_edit.h"
#include "text/yaml_value.h"
#include "text/yaml_write.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::string_view kSectionKey = "spec_section";

struct Part {
  std::string_view heading;
  std::optional<std::string> ResearchParts::* text;
};
constexpr std::array<Part, 4> kParts = {{{"Summary", &ResearchParts::summary},
                                         {"Findings", &ResearchParts::findings},
                                         {"Sources", &ResearchParts::sources},
                                         {"Relevance", &ResearchParts::relevance}}};

bool before(std::string_view a, std::string_view b) {
  const std::string x = in_lower_case(a);
  const std::string y = in_lower_case(b);
  return x != y ? x < y : a < b;
}

std::string one_line(std::string_view text) {
  std::string out(trim(text));
  for (char& c : out) c = c == '\n' || c == '\r' || c == '\t' ? ' ' : c;
  return out;
}

void add_part(std::string& out, std::string_view heading, std::string_view body) {
  out.append("\n## ").append(heading).append("\n");
  if (body = trim(body); !body.empty()) out.append("\n").append(body).append("\n");
}

// Returns the H2 headings of that name; their subtrees are the part. More than one only if people wrote them.
std::vector<MarkdownHeading> headings_of(std::string_view text, std::string_view name) {
  std::vector<MarkdownHeading> headings = markdown_headings(text);
  std::erase_if(headings, [&](const MarkdownHeading& heading) {
    return heading.level != 2 || in_lower_case(heading.text) != in_lower_case(name);
  });
  return headings;
}

// A heading of this level inside a part would begin another part.
Result<void> check_parts(const ResearchParts& parts) {
  for (const Part& part : kParts) {
    const std::string& text = (parts.*part.text).value_or("");
    for (const MarkdownHeading& heading : markdown_headings(text)) {
      if (heading.level > 2) continue;
      return fail(Code::invalid_argument, "the " + in_lower_case(part.heading) + " has the heading \"" +
                                              std::string(heading.text.substr(0, 60)) +
                                              "\", which would begin another part of the note: use ### or deeper");
    }
  }
  return {};
}

// Returns the slug that an index line `- [title](RESEARCH-slug.md)` links to, or "".
std::string_view linked_slug(std::string_view line) {
  line = trim(line);
  const std::size_t at = line.find("](RESEARCH-");
  if (!line.starts_with("- [") || at == std::string_view::npos || !line.ends_with(".md)")) return {};
  const std::size_t from = at + 11;
  const std::string_view slug = line.substr(from, line.size() - 4 - from);
  return slug.find_first_of("()[]/") == std::string_view::npos ? slug : std::string_view();
}

// Returns the slugs that a line links to in any form: with another title, in a sentence, as ./RESEARCH-x.md#part.
std::vector<std::string> slugs_linked_in(std::string_view line) {
  std::vector<std::string> slugs;
  constexpr std::string_view kName = "RESEARCH-", kEnd = ".md";
  for (std::size_t at = line.find("]("); at != std::string_view::npos; at = line.find("](", at + 2)) {
    std::string_view target = line.substr(at + 2);
    target = trim(target.substr(0, target.find_first_of(")# ")));
    while (target.starts_with("./")) target.remove_prefix(2);
    if (!target.starts_with(kName) || !target.ends_with(kEnd)) continue;
    slugs.emplace_back(target.substr(kName.size(), target.size() - kName.size() - kEnd.size()));
  }
  return slugs;
}

std::string link_to(const std::string& slug) { return "- [" + slug + "](RESEARCH-" + slug + ".md)\n"; }

}  // namespace

std::string research_slug(std::string_view topic) {
  std::string slug;
  for (const char c : trim(topic)) {
    if (is_ascii_alnum(c) || c == '_')
      slug += c;
    else if (!slug.ends_with('-'))
      slug += '-';
  }
  const std::size_t begin = std::min(slug.find_first_not_of('-'), slug.size());
  return slug.substr(begin, slug.find_last_not_of('-') + 1 - begin);
}

Result<std::string> new_research(std::string_view topic, const ResearchParts& parts) {
  HOLDFAST_TRY(check_parts(parts));
  std::string out = "---\ntopic: " + yaml_scalar(one_line(topic)) + "\n";
  if (parts.section) out.append(kSectionKey).append(": ").append(yaml_scalar(one_line(*parts.section))).append("\n");
  out.append("---\n\n# Research: ").append(one_line(topic)).append("\n");
  for (const Part& part : kParts) add_part(out, part.heading, (parts.*part.text).value_or(""));
  return out;
}

Result<std::string> change_research(std::string_view text, const ResearchParts& parts) {
  HOLDFAST_TRY(check_parts(parts));
  std::string out(text);
  for (const Part& part : kParts) {
    const auto& body = parts.*part.text;
    if (!body) continue;
    const auto found = headings_of(out, part.heading);
    if (found.size() > 1)
      return fail(Code::invalid_argument, "the note has " + std::to_string(found.size()) + " parts \"" +
                                              std::string(part.heading) + "\": give the whole text as body");
    if (!found.empty()) {
      const MarkdownHeading& heading = found.front();
      const std::string_view there = heading.subtree(out);
      if (trim(there) == trim(*body)) continue;
      const bool last = heading.tree_end == out.size();
      out.replace(heading.body_at, there.size(), "\n" + std::string(trim(*body)) + (last ? "\n" : "\n\n"));
    } else {
      if (!out.empty() && !out.ends_with('\n')) out += '\n';
      add_part(out, part.heading, *body);
    }
  }
  if (!parts.section) return out;
  const FrontMatter front = split_front_matter(out);
  HOLDFAST_LET(yaml, yaml_set(front.found ? front.yaml : std::string_view(), kSectionKey,
                              JsonWriter().string(one_line(*parts.section)).take()));
  return replace_front_matter(out, yaml);
}

ResearchNote read_research(std::string_view slug, std::string_view text) {
  ResearchNote note;
  note.topic = slug;
  if (const FrontMatter front = split_front_matter(text); front.found) {
    if (const auto json = yaml_to_json(front.yaml))
      note.section = JsonView(*json).find(kSectionKey).as_string().value_or("");
  }
  const std::vector<MarkdownHeading> headings = markdown_headings(text);
  const auto title = std::ranges::find(headings, 1, &MarkdownHeading::level);
  if (title != headings.end()) note.title = title->text;
  for (const Part& part : kParts) {
    if (headings_of(text, part.heading).empty()) note.missing.emplace_back(part.heading);
  }
  return note;
}

std::string research_index(std::string_view present, std::vector<std::string> slugs) {
  std::ranges::sort(slugs, before);
  if (trim(present).empty()) {
    std::string out = "# Research Index\n\n";
    for (const std::string& slug : slugs) out += link_to(slug);
    return out;
  }
  std::set<std::string, std::less<>> missing(slugs.begin(), slugs.end());
  struct Line {
    std::string text;
    std::string slug;
  };
  std::vector<Line> lines;
  for (std::size_t at = 0; at < present.size();) {
    const std::size_t end = std::min(present.find('\n', at), present.size() - 1) + 1;
    const std::string_view line = present.substr(at, end - at);
    at = end;
    const std::string slug(linked_slug(line));
    if (!slug.empty() && !std::ranges::binary_search(slugs, slug, before)) continue;  // the note no longer exists
    for (const std::string& linked : slugs_linked_in(line)) missing.erase(linked);
    lines.push_back({std::string(line), slug});
  }
  if (!missing.empty() && !lines.empty() && !lines.back().text.ends_with('\n')) lines.back().text += '\n';
  for (const std::string& slug : slugs) {
    if (!missing.contains(slug)) continue;
    // Before the first link that sorts after it, else after the last one, else at the end.
    auto place =
        std::ranges::find_if(lines, [&](const Line& line) { return !line.slug.empty() && before(slug, line.slug); });
    if (place == lines.end()) {
      const auto last = std::find_if(lines.rbegin(), lines.rend(), [](const Line& line) { return !line.slug.empty(); });
      place = last == lines.rend() ? lines.end() : last.base();
    }
    lines.insert(place, {link_to(slug), slug});
  }
  std::string out;
  for (const Line& line : lines) out += line.text;
  return out;
}

}  // namespace holdfast::inline v1
