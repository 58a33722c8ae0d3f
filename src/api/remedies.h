// Advice against damage, for people. Names only commands that work on a session of that layout.
// Thread-safety: free functions.
#pragma once

#include <holdfast/store.h>

#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "api/session_name.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {

// A set of sentences, whose commands name the first session that each applies to.
class Remedies {
 public:
  void add(const SessionName& session, const Finding& finding);
  // Writes "remedies" if there are any.
  void write(JsonWriter& json) const;

 private:
  std::map<std::string_view, std::set<std::string>> all_;  // literals, and the words of the sessions
};

void write_remedies(JsonWriter& json, const SessionName& session, std::span<const Finding> findings);

}  // namespace holdfast::inline v1
