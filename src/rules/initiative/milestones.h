// The files that people keep for an initiative: one folder per initiative below
// documentation/milestones/_active, with README.md and one file per milestone, whose
// checkboxes are the ground truth. Thread-safety: as the Feed.
#pragma once

#include <holdfast/error.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "layout/feed.h"

namespace holdfast::inline v1 {

struct MilestoneFile {
  std::string key;  // "M1"
  std::string path;
  std::size_t done = 0, boxes = 0;

  // pending | in_progress | completed, by the boxes alone; empty for a file without boxes.
  std::string_view state() const;
};

struct MilestoneFolder {
  std::string name;                       // of the initiative
  std::string title, summary;             // first heading and first paragraph of README.md
  std::vector<MilestoneFile> milestones;  // by number
};

// Returns the number in "M1", "M1-skills", "milestone-1"; nullopt for other words.
std::optional<int> milestone_number(std::string_view word);

// Returns nullopt if there is no such folder, or no file in it.
Result<std::optional<MilestoneFolder>> read_milestones(Feed& feed, const Place& folder);
// Returns every initiative in the folder `_active`, by name.
Result<std::vector<MilestoneFolder>> scan_milestones(Feed& feed, const Place& active);

}  // namespace holdfast::inline v1
