// Advice against damage, for people. Names only commands that work on a session of that layout.
// Thread-safety: free functions.
#pragma once

#include <holdfast/store.h>

#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "text/json_write.h"

namespace holdfast::inline v1 {

struct Call;

// A set of sentences. They contain the placeholder ID unless the session of the finding is given.
class Remedies {
 public:
  void add(std::string_view layout, const Finding& finding, const std::string& session = {});
  // Writes "remedies" if there are any.
  void write(JsonWriter& json) const;

 private:
  std::map<std::string_view, std::set<std::string>> all_;  // literals, and the sessions that each applies to
};

// Returns `found` if the caller named no session and got the newest one; otherwise empty.
std::string_view implied_latest_id(const Call& call, std::string_view found);

// `latest` is the result of implied_latest_id: the advice must name that session, because another one may be the newest
// when the person runs the command.
void write_remedies(JsonWriter& json, std::string_view layout, std::span<const Finding> findings,
                    std::string_view latest = {});

}  // namespace holdfast::inline v1
