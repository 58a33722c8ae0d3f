// What a layout has no field for: ids, models, token counts, … It goes into one more member at the end of a
// record, "holdfast", which the layout's own program ignores. Written only if there is something to say.
// Thread-safety: pure functions.
#pragma once

#include <holdfast/message.h>

#include <optional>
#include <string>
#include <vector>

#include "text/json_value.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {

inline constexpr std::string_view kRest = "holdfast";

struct ExtensionData {
  // Fields that the layout writes itself are empty here.
  const Message* message = nullptr;
  // Of the records of one message. The others repeat only what makes each of them what it is: role, origin, side,
  // failed, and the response that they are part of.
  bool first = true;
  const Block* block = nullptr;  // of the record; its id and output are empty if the layout writes them itself
  bool kind = false;             // the record alone would be read as a block of another kind
  bool role = false;             // the record alone would be read with another role
  bool output = false;           // the record alone would be read with another output
  bool tool = false;             // the layout does not record which tool a result is from
  bool no_id = false;            // the record alone would be read with an id that nobody gave
  const std::vector<std::string>* texts = nullptr;  // several texts that the record joins into one
};
void write_extension(JsonWriter& record, const ExtensionData& what);
// For programs that know one text per record: the texts, separated by newlines.
std::string joined_texts(const std::vector<std::string>& texts);

struct BlockExtension {
  std::optional<std::string> call;  // the id of a call, or of the call that a result belongs to
  std::string tool;                 // that produced a result
  bool is_error = false;
  std::optional<BlockKind> kind;
  JsonView output;
  std::string extra;
  std::vector<std::size_t> texts;  // length of each text in bytes
};
// Splits a joined text into its blocks; returns one block if somebody has changed the text since.
std::vector<Block> split_texts(Block joined, const std::vector<std::size_t>& sizes);
BlockExtension read_extension(JsonView rest, Message& message);

}  // namespace holdfast::inline v1
