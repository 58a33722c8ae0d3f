// Research notes as text: the form of a new one, changes to an existing one that keep
// all other bytes, and their index. Format: docs/formats/lopen.md. Thread-safety: pure
// functions.
#pragma once

#include <holdfast/error.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::inline v1 {

struct ResearchParts {
  std::optional<std::string> summary, findings, sources, relevance;  // Markdown
  std::optional<std::string> section;  // header of the related section of the specification
};

struct ResearchNote {
  std::string topic;                 // the slug: the file is RESEARCH-{topic}.md
  std::string title;                 // its H1
  std::string section;               // front matter `spec_section`
  std::vector<std::string> missing;  // of Summary, Findings, Sources, Relevance
};

// Trims the topic; every character except ASCII letters, digits, '-' and '_' becomes
// '-'; runs of '-' become one, and none remain at the ends. Empty if nothing is left.
std::string research_slug(std::string_view topic);

// Fails with invalid_argument if a part has a heading of its own level or above, which would begin another part.
Result<std::string> new_research(std::string_view topic, const ResearchParts& parts);
// Sets the given parts; adds parts without a heading at the end. Also fails with invalid_argument if the text has a
// given part more than once.
Result<std::string> change_research(std::string_view text, const ResearchParts& parts);
ResearchNote read_research(std::string_view slug, std::string_view text);

// Returns RESEARCH.md with one line `- [slug](RESEARCH-slug.md)` for each slug, sorted
// case-insensitively. Keeps lines and link titles that people wrote; removes links to
// notes that no longer exist.
std::string research_index(std::string_view present, std::vector<std::string> slugs);

}  // namespace holdfast::inline v1
