// What helps against damage, in words for people. Only commands that work on a session of that layout are named.
// Thread-safety: free functions.
#pragma once

#include <holdfast/store.h>

#include <set>
#include <span>
#include <string_view>

#include "text/json_write.h"

namespace holdfast::inline v1 {

// Sentences, each once. ID stands for the session that the finding is about.
class Remedies {
 public:
  void add(std::string_view layout, const Finding& finding);
  // As "remedies", if there are any.
  void write(JsonWriter& json) const;

 private:
  std::set<std::string_view> all_;  // literals
};

void write_remedies(JsonWriter& json, std::string_view layout, std::span<const Finding> findings);

}  // namespace holdfast::inline v1
