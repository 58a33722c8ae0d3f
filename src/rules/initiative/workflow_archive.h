// The end of an initiative (W13): a summary of at most 79 lines, then its folder
// and initiative.json go, all in one commit. Thread-safety: as Store.
#pragma once

#include <holdfast/store.h>

#include <string>
#include <string_view>

#include "rules/initiative/initiative.h"
#include "rules/initiative/milestones.h"

namespace holdfast::inline v1 {

struct ArchiveRequest {
  std::string outcome;                  // for MEMORY.md; "done" when nobody says
  std::string workflow = "INITIATIVE";  // the type in MEMORY.md's line
  std::string summary;                  // Markdown in place of the one that is made; too_large over 79 lines
};
struct ArchivedInitiative {
  std::string name;
  std::string summary;  // the text that was written
  std::string path;     // where
  std::string line;     // in MEMORY.md
  LayerOutcome outcome;
};
// Only a completed initiative is archived. already_exists when there is a summary of that name.
Result<ArchivedInitiative> archive_initiative(const Context& context, Store& store, const ArchiveRequest& request,
                                              const InitiativeEvent& event = {});

// The summary as it is made; `folder` may be nullptr.
std::string spell_archive(const Initiative& initiative, const MilestoneFolder* folder, std::string_view outcome,
                          std::string_view now);

}  // namespace holdfast::inline v1
