// What helps against damage, in words for people. Only commands that work on a session of that layout are named.
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

// Sentences, each once. ID stands for the session that the finding is about, unless that is named.
class Remedies {
 public:
  void add(std::string_view layout, const Finding& finding, const std::string& session = {});
  // As "remedies", if there are any.
  void write(JsonWriter& json) const;

 private:
  std::map<std::string_view, std::set<std::string>> all_;  // literals, and the sessions that each is for
};

// The id of the session that was found where the caller named none but meant the newest; empty otherwise.
std::string_view latest_meant(const Call& call, std::string_view found);

// `latest`: the id of the session where the caller named none but meant the newest, which may be another one by the
// time that the command is run; empty otherwise.
void write_remedies(JsonWriter& json, std::string_view layout, std::span<const Finding> findings,
                    std::string_view latest = {});

}  // namespace holdfast::inline v1
