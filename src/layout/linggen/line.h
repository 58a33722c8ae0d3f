// Reads and writes the lines of messages.jsonl. Format: docs/formats/linggen.md.
#pragma once

#include <holdfast/error.h>
#include <holdfast/message.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "layout/record_extension.h"
#include "text/json_value.h"

namespace holdfast::inline v1::linggen {

inline constexpr std::string_view kDefaultAgent = "ling";

// Turns lines into messages, in order. Linggen's lines have no ids: a call is named by
// the offset of its line, and the next observation of that tool is its result.
class LineReader {
 public:
  // Never fails: unknown content becomes an `other` block.
  Message read(JsonView line, std::uint64_t offset);

 private:
  struct OpenCall {
    std::string id, tool;
  };
  void read_content(Message& message, std::string_view content, bool observation, const BlockExtension& rest);
  std::vector<OpenCall> open_;
};

// The lines of a message, each with the six fields of the seed and what rest.h adds:
// one for its text and one for each call or result. Several lines of a prompt or an answer
// name one response, so that they count as one: that of the message, else `response`.
// Fails with unsupported, naming what a line cannot hold.
Result<std::vector<std::string>> spell_lines(const Message& message, std::string_view agent, std::int64_t second,
                                             std::string_view response);

// A value for `response`, and whether a response is such a value.
std::string made_up_response(std::uint64_t random);
bool is_made_up_response(std::string_view response);

}  // namespace holdfast::inline v1::linggen
