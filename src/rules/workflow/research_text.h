// Research notes as text: what a new one looks like, how one that is there is
// changed with all other bytes kept, and the index of them. Format:
// docs/formats/lopen.md. Thread-safety: pure functions.
#pragma once

#include <holdfast/error.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::inline v1 {

struct ResearchParts {
  std::optional<std::string> summary, findings, sources, relevance;  // Markdown
  std::optional<std::string> section;  // header of the specification's section that it belongs to
};

struct ResearchNote {
  std::string topic;                 // the slug: the file is RESEARCH-{topic}.md
  std::string title;                 // of its H1
  std::string section;               // front matter `spec_section`
  std::vector<std::string> missing;  // of Summary, Findings, Sources, Relevance
};

// Trimmed; what is no ASCII letter, digit, '-' or '_' becomes '-', runs of '-'
// one, none at the ends. Empty when nothing is left.
std::string research_slug(std::string_view topic);

// invalid_argument for a part with a heading of its level or above, which would begin another part.
Result<std::string> new_research(std::string_view topic, const ResearchParts& parts);
// Sets the given parts; parts without a heading are added at the end. invalid_argument also for a part that the text
// has more than once.
Result<std::string> change_research(std::string_view text, const ResearchParts& parts);
ResearchNote read_research(std::string_view slug, std::string_view text);

// RESEARCH.md with one line `- [slug](RESEARCH-slug.md)` for each slug, sorted
// without regard to case. Lines that people wrote stay, links to notes that are
// gone go, and titles that people gave to links stay.
std::string research_index(std::string_view present, std::vector<std::string> slugs);

}  // namespace holdfast::inline v1
