// What the fields of a layout have no place for: ids, models, token counts, … It stands in one member more at the
// end of a record, "holdfast", which the program passes over, and only when there is something to say.
// Thread-safety: pure functions.
#pragma once

#include <holdfast/message.h>

#include <string>
#include <vector>

#include "text/json_value.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {

inline constexpr std::string_view kRest = "holdfast";

struct RestOf {
  // What belongs to the whole message stands in the first of its records. What the layout says itself is empty here.
  const Message* message = nullptr;
  const Block* block = nullptr;  // of the record; its id and output where the layout does not say them itself
  bool kind = false;             // the record would be taken for a block of another kind
  bool output = false;           // or its text for another one
  bool tool = false;             // the layout does not say which tool a result is of
  const std::vector<std::string>* texts = nullptr;  // several that are one text there, a line each or more
};
void write_rest(JsonWriter& record, const RestOf& what);
// As programs show it that know one text a record.
std::string joined_texts(const std::vector<std::string>& texts);

struct BlockRest {
  std::string call;  // the id of a call, or of the call that a result answers
  std::string tool;  // that a result is of
  bool is_error = false;
  std::optional<BlockKind> kind;
  JsonView output;
  std::string extra;
  std::vector<std::size_t> texts;  // bytes of each
};
// Blocks for the texts that are one in the record; one block when somebody has changed it since.
std::vector<Block> split_texts(Block joined, const std::vector<std::size_t>& sizes);
BlockRest read_rest(JsonView rest, Message& message);

}  // namespace holdfast::inline v1
