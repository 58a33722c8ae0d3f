// An agent's assessment of a part of a project, cached until a file there is changed,
// added or removed (L11). Thread-safety: as Store.
#pragma once

#include <holdfast/store.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::inline v1 {

struct AssessmentScope {
  std::string key;                 // chosen by the caller
  std::vector<std::string> paths;  // files and directories of the project; empty: the whole project
};

struct CachedAssessment {
  std::optional<std::string> content;  // nullopt if not cached
  std::string cached_at;               // ISO-8601
  // The current state of the scope: pass it to store_assessment after the assessment, so
  // that changes made meanwhile are noticed.
  std::string state;
  std::vector<Finding> findings;
};

Result<CachedAssessment> find_assessment(const Context& context, Store& store, std::string_view project,
                                         const AssessmentScope& scope);

// Stores `content` for the scope as it was at `state` (empty: now). Fails with conflict
// and stores nothing if the scope has changed.
Result<CachedAssessment> store_assessment(const Context& context, Store& store, std::string_view project,
                                          const AssessmentScope& scope, std::string_view content,
                                          std::string_view state);

}  // namespace holdfast::inline v1
