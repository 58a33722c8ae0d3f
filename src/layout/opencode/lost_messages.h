// Rebuilds messages whose rows are lost but whose parts are not: opencode imports no
// part without its message. Thread-safety: one thread per object.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "layout/opencode/import_document.h"

namespace holdfast::inline v1::opencode {

// Whether a part with this `data` belongs to an answer, not to a prompt.
bool is_of_answer(std::string_view data);

class LostMessages {
 public:
  // Adds a readable part; returns false if its `data` is not a JSON object.
  bool add(const std::string& message, const std::string& part, std::int64_t time, std::string_view data);

  // Adds the messages and their parts to `saved`; returns the number of messages.
  std::uint64_t restore(SavedSession& saved, const std::string& session) const;

 private:
  struct Part {
    std::string id, data;
    std::int64_t time = 0;
  };
  std::map<std::string, std::vector<Part>> messages_;
};

}  // namespace holdfast::inline v1::opencode
