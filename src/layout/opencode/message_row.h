// A row of the table `message` with its parts, as messages: what was said, and
// after it, as a message of its own, what the tools gave back.
#pragma once

#include <holdfast/message.h>

#include <string>
#include <string_view>
#include <vector>

namespace holdfast::inline v1::opencode {

struct MessageRow {
  std::string id, time, data;
  struct Part {
    std::string id, data;
  };
  std::vector<Part> parts;
};

// Where the row leaves its writer, for the last one of a session.
enum class RowEnd { done, wants_answer, answering, running_tool };

struct Told {
  std::vector<Message> messages;
  RowEnd end = RowEnd::done;
};

Told tell_row(const MessageRow& row, bool raw);

}  // namespace holdfast::inline v1::opencode
