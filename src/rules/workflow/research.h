// Research notes of a project's modules: docs/requirements/{module}/RESEARCH-{topic}.md
// and their index RESEARCH.md. They are sources of the project: they keep their mode,
// and what people wrote in them stays. A note and its index change in one commit,
// durable (power) on return. Thread-safety: as Store.
#pragma once

#include <holdfast/store.h>

#include <string>
#include <string_view>
#include <vector>

#include "rules/workflow/research_text.h"

namespace holdfast::inline v1 {

struct ResearchRequest {
  std::string module;
  std::string topic;  // converted to a slug
  ResearchParts parts;
  std::optional<std::string> body;  // the whole text instead of its parts
  bool replace = false;             // set these parts of an existing note; else already_exists
};

struct ResearchFile {
  std::string module;
  std::string path;  // in the project
  ResearchNote note;
  std::string text;                        // only if a single note was requested
  std::vector<std::string> warnings = {};  // from adding the note
};

Result<ResearchFile> add_research(const Context& context, Store& store, std::string_view project,
                                  const ResearchRequest& request);
Result<ResearchFile> get_research(const Context& context, Store& store, std::string_view project,
                                  std::string_view module, std::string_view topic);
// Notes of one module, or of all; by module and topic.
struct ResearchList {
  std::vector<ResearchFile> notes;
  std::vector<Finding> findings;
};
Result<ResearchList> list_research(const Context& context, Store& store, std::string_view project,
                                   std::string_view module);

// {"module","topic","path","title","spec_section","missing":[...]} and "text" when there is one
std::string research_json(const ResearchFile& file);

}  // namespace holdfast::inline v1
