// The files that people keep of an initiative: a folder each below
// documentation/milestones/_active with README.md and a file a milestone, whose
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

  // pending | in_progress | completed, by the boxes alone; a file without any says nothing.
  std::string_view state() const;
};

struct MilestoneFolder {
  std::string name;                       // of the initiative
  std::string title, summary;             // README's first heading, and its first paragraph
  std::vector<MilestoneFile> milestones;  // by number
};

// The number in "M1", "M1-skills", "milestone-1"; nullopt for other words.
std::optional<int> milestone_number(std::string_view word);

// nullopt when there is no folder with a file in it.
Result<std::optional<MilestoneFolder>> read_milestones(Feed& feed, const Place& folder);
// Every initiative of the folder `_active`, by name.
Result<std::vector<MilestoneFolder>> scan_milestones(Feed& feed, const Place& active);

}  // namespace holdfast::inline v1
