// Finds the id of a request that cannot be parsed because it is too long or nested too deeply: its sender
// waits for an answer with that id. Thread-safety: one thread per object.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace holdfast::inline v1 {

class RequestId {
 public:
  // The bytes of the request, in any pieces. Keeps only a few of them.
  void feed(std::string_view bytes);

  // As written; empty if there was none, or it is neither a string nor a number.
  const std::string& found() const { return id_; }

 private:
  void add(char c);
  void end_member();

  std::size_t depth_ = 0;
  bool in_string_ = false, escaped_ = false, is_object_ = true;
  std::string key_, value_;  // of the current member of the request, with quotes
  std::string id_;
};

}  // namespace holdfast::inline v1
