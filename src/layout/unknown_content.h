// Content of a shape that a layout does not know. It is never dropped: it becomes a text if it plainly is one,
// else a block of kind `other` with the JSON as written, whose `text` is what a search finds.
// Thread-safety: pure functions. The JSON must be valid, because its bytes are kept unchanged.
#pragma once

#include <holdfast/message.h>

#include <array>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/json_value.h"

namespace holdfast::inline v1 {

// What people would read in a value: its strings, one per line, except ids, types and the like, and base64 data.
std::string words_in(JsonView value);

// The block of one value. `as` is the kind of a text (text or thinking).
Block unknown_block(JsonView value, BlockKind as = BlockKind::text);

// The same for any content: appends nothing for null, none and "", and one block for each element of a list.
void append_unknown(JsonView content, std::vector<Block>& blocks, BlockKind as = BlockKind::text);

// The block of a record of an unknown type, which is kept as it is even if it plainly is a text.
Block unknown_record(JsonView record);

// Keeps the value of a member that should be a list, unless it is one: the layout reads the elements itself.
void append_unless_list(JsonView list, std::vector<Block>& blocks, BlockKind as = BlockKind::text);

// The output of a tool as text: the text itself, the texts of a list of parts, else the JSON; empty for null and none.
std::string tool_output_text(JsonView output);

// A set of member names; valid only during a call.
class MemberNames {
 public:
  MemberNames(std::initializer_list<std::string_view> names) : names_(names.begin(), names.size()) {}
  template <std::size_t N>
  MemberNames(const std::array<std::string_view, N>& names) : names_(names) {}
  bool contains(std::string_view name) const;

 private:
  std::span<const std::string_view> names_;
};

// For a message without the member that holds its content: a newer version may have renamed the member. Keeps the
// object as it is if members that are not `known` contain words; else the message is empty.
void append_renamed(JsonView object, const MemberNames& known, std::vector<Block>& blocks);

// The same for the output of a tool. Returns `output`, which the known members yield, unless it is empty and members
// that are not `known` contain words; then returns the whole object.
std::string output_or_object(std::string output, JsonView object, const MemberNames& known);

// The input of a tool call: the JSON of `input`, or if the call has no such member, an object of the members that are
// not `known`, except ids, types and the like; `otherwise` if there is none.
std::string input_or_others(JsonView input, JsonView call, const MemberNames& known, std::string_view otherwise);

// The id of the parent message; empty for null and none. Any other value that is not a string names no existing
// message: it is returned as written and reported as a missing parent.
std::string named_parent(JsonView parent);

// A picture that the member `name` of its block only refers to: the member goes to `extra`, its address to `text`.
Block referenced_image(std::string_view name, JsonView value);

}  // namespace holdfast::inline v1
