// What the operations behind a tool warn of: data that is damaged or cannot be read, and so is not in the answer.
// Thread-safety: one thread at a time.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "text/json_value.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {

class ToolWarnings {
 public:
  // `room`: about how many bytes the warnings may take. The first is shown in any case, if only in part.
  explicit ToolWarnings(std::size_t room) : room_(room) {}

  // Adds the warnings and findings of the answer of an operation, each once. `skips`: findings about that file are
  // left out.
  void collect(JsonView answer, const std::function<bool(std::string_view file)>& skips);
  void add(std::string warning);

  bool empty() const { return all_.empty(); }
  // At most five, and how many more there are.
  std::vector<std::string> strings() const;
  // The first one, for people; empty if there are none.
  std::string line() const;
  // How many bytes they take in an answer, as strings and as the line.
  std::size_t size() const;

 private:
  std::size_t share() const;  // the most that one may take, as a JSON string

  std::size_t room_;
  std::vector<std::string> all_;
};

// The answer, a JSON object, with its warnings if there are any.
std::string with_warnings(std::string answer, const ToolWarnings& warnings);

}  // namespace holdfast::inline v1
