// The end of an initiative (W13): writes a summary of at most 79 lines and removes its
// folder and initiative.json, all in one commit. Thread-safety: as Store.
#pragma once

#include <holdfast/store.h>

#include <string>
#include <string_view>

#include "rules/initiative/initiative.h"
#include "rules/initiative/milestones.h"

namespace holdfast::inline v1 {

struct ArchiveRequest {
  std::string outcome;                  // for MEMORY.md; "done" if empty
  std::string workflow = "INITIATIVE";  // the type in MEMORY.md's line
  std::string summary;                  // Markdown to use instead of the generated one; too_large over 79 lines
};
struct ArchivedInitiative {
  std::string name;
  std::string summary;  // the text as written
  std::string path;     // where the summary was written
  std::string line;     // in MEMORY.md
  LayerOutcome outcome;
};
// Archives a completed initiative; any other is refused. If a summary of that name exists, adds a number to the name.
Result<ArchivedInitiative> archive_initiative(const Context& context, Store& store, const ArchiveRequest& request,
                                              const InitiativeEvent& event = {});

// Returns the generated summary; `folder` may be nullptr.
std::string format_archive_summary(const Initiative& initiative, const MilestoneFolder* folder,
                                   std::string_view outcome, std::string_view now);

}  // namespace holdfast::inline v1
