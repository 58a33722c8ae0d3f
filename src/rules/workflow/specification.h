// Specifications of a project's modules: Markdown with front matter, read and split
// into sections, never rewritten. Thread-safety: pure functions, or as Store.
#pragma once

#include <holdfast/store.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::inline v1 {

struct ProjectSources;

struct SpecSection {
  std::string header;
  int level = 1;         // 1 to 6
  std::size_t at = 0;    // offset of the heading
  std::size_t size = 0;  // bytes of its text, without surrounding spaces
  std::string hash;      // XXH3-128 of that text, 32 upper-case hex digits
};

struct Specification {
  std::string module;
  std::string path;  // path in the project
  std::string name;
  std::string description;
  std::string title;  // the first H1
  std::vector<SpecSection> sections;
  std::int64_t criteria = 0;  // number of checkboxes
  std::int64_t ticked = 0;    // number of ticked checkboxes
  // Any of "front matter", "name", "description", "H1 title", "H2 sections". A short
  // specification needs no H3.
  std::vector<std::string> missing;
};

Specification read_specification(std::string_view text);

struct ExtractedSection {
  std::string header;  // as the document spells it
  int level = 1;
  std::string content;  // without surrounding spaces and line ends
};

// Returns the text below a heading up to the next heading of any level or, with
// `subtree`, of the same or a higher level. Headers are compared without ASCII case and
// surrounding spaces; the first match counts.
std::optional<ExtractedSection> extract_section(std::string_view text, std::string_view header, bool subtree);

std::string specification_path_of(std::string_view module);
// A module must be a directory under docs/requirements. Fails with unsafe_path.
Result<void> check_module(std::string_view module);
// Returns the module as its directory is spelled: in lower case, unless a directory with its capitals exists.
std::string module_directory(const ProjectSources& sources, std::string_view module);

Result<Specification> get_specification(const Context& context, Store& store, std::string_view project,
                                        std::string_view module);

struct SpecificationList {
  std::vector<Specification> specifications;  // by module
  std::vector<Finding> findings;              // unreadable specifications, or with missing parts
};
Result<SpecificationList> list_specifications(const Context& context, Store& store, std::string_view project);

// {"module","path","name","description","title","sections":[...],"criteria","ticked","missing":[...]}
std::string specification_json(const Specification& specification);

}  // namespace holdfast::inline v1
