// Messages whose rows are lost, made anew for the parts of them that are not: opencode
// takes in no part without its message. Thread-safety: one thread an object.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "layout/opencode/import_document.h"

namespace holdfast::inline v1::opencode {

// Whether a part with that `data` is the model's, and no prompt's.
bool is_of_answer(std::string_view data);

class LostMessages {
 public:
  // A part that can be read; false: its `data` is no JSON object.
  bool add(const std::string& message, const std::string& part, std::int64_t time, std::string_view data);

  // Puts the messages and their parts in; how many messages.
  std::uint64_t restore(SavedSession& saved, const std::string& session) const;

 private:
  struct Part {
    std::string id, data;
    std::int64_t time = 0;
  };
  std::map<std::string, std::vector<Part>> messages_;
};

}  // namespace holdfast::inline v1::opencode
