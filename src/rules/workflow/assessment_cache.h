// What an agent found out about a part of a project, kept while no file there is
// changed, added or removed (L11). Thread-safety: as Store.
#pragma once

#include <holdfast/store.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::inline v1 {

struct AssessmentScope {
  std::string key;                 // whatever the caller calls it
  std::vector<std::string> paths;  // files and directories of the project; none: the whole project
};

struct CachedAssessment {
  std::optional<std::string> content;  // nullopt: a miss
  std::string cached_at;               // ISO-8601
  // The scope as it is now: who assesses it hands this to keep_assessment, so
  // that what changes meanwhile is noticed.
  std::string state;
  std::vector<Finding> findings;
};

Result<CachedAssessment> find_assessment(const Context& context, Store& store, std::string_view project,
                                         const AssessmentScope& scope);

// Keeps `content` for the scope as it was at `state` (empty: as it is now).
// conflict: it is not like that any more, and nothing is kept.
Result<CachedAssessment> keep_assessment(const Context& context, Store& store, std::string_view project,
                                         const AssessmentScope& scope, std::string_view content,
                                         std::string_view state);

}  // namespace holdfast::inline v1
