// Converts a row of the table `message` and its parts into messages: what was said,
// followed by the outputs of tools as a message of their own.
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

// What the agent was doing at the end of the row, for the last row of a session.
enum class RowEnd { done, wants_answer, answering, running_tool };

struct Told {
  std::vector<Message> messages;
  RowEnd end = RowEnd::done;
};

Told convert_row(const MessageRow& row, bool raw);

}  // namespace holdfast::inline v1::opencode
