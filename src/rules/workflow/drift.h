// Specification drift (L22): what changed in a module's specification since a session
// was last saved. The hashes of its sections are kept in the side folder, so the
// session's own files stay as its program expects them; without that folder, the next
// save starts over. Thread-safety: as Store.
#pragma once

#include <holdfast/store.h>

#include <string>
#include <string_view>
#include <vector>

namespace holdfast::inline v1 {

struct DriftedSection {
  std::string header;
  std::string previous_hash;  // empty: the section is new
  std::string current_hash;   // empty: the section was removed

  bool is_new() const { return previous_hash.empty(); }
  bool is_removed() const { return current_hash.empty(); }
};

struct DriftReport {
  bool known = false;                    // there was a previous save to compare with
  std::string specification;             // path in the project
  std::vector<DriftedSection> sections;  // changed and new ones in document order, then removed ones
};

// Call after each save of a session that works on `module`. Reads the specification
// only if its file has changed; if the hashes changed, they are durable (power) on
// return. A module without a specification has no sections.
Result<void> record_section_hashes(const Context& context, Store& store, std::string_view project,
                                   std::string_view session, std::string_view module);

// Call on resume, before the next save. Changes nothing.
Result<DriftReport> find_drift(const Context& context, Store& store, std::string_view project, std::string_view session,
                               std::string_view module);

// Call when the session is removed.
Result<void> remove_section_hashes(const Context& context, Store& store, std::string_view session);

// {"known","specification","sections":[{"header","previous_hash","current_hash","is_new","is_removed"}]}
std::string drift_json(const DriftReport& report);

}  // namespace holdfast::inline v1
