// Content of a shape that a layout does not know. It never vanishes: it is a text where it plainly is one, else a
// block of the kind `other` with the JSON as it was written, whose `text` is what a search finds in it.
// Thread-safety: pure functions. The JSON must be valid: bytes of it are kept as they are.
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

// What people would read in a value: its strings, a line each, but for ids, types and the like, and bytes in base64.
std::string words_in(JsonView value);

// One value. `as`: what a text there is (text or thinking).
Block odd_block(JsonView value, BlockKind as = BlockKind::text);

// The same for any content: nothing for null, none and "", a block for each element of a list.
void keep_odd(JsonView content, std::vector<Block>& blocks, BlockKind as = BlockKind::text);

// For a member that should be a list, and whose elements the layout reads itself.
void keep_unless_list(JsonView list, std::vector<Block>& blocks, BlockKind as = BlockKind::text);

// The output of a tool in words: a text, the texts of a list of parts, else the JSON; empty for null and none.
std::string output_words(JsonView output);

// Names of members; for the length of a call.
class MemberNames {
 public:
  MemberNames(std::initializer_list<std::string_view> names) : names_(names.begin(), names.size()) {}
  template <std::size_t N>
  MemberNames(const std::array<std::string_view, N>& names) : names_(names) {}
  bool contains(std::string_view name) const;

 private:
  std::span<const std::string_view> names_;
};

// For a message in which the member that holds its content is missing: a newer version may call it otherwise. Where
// members that are not `known` hold words, the object is kept as it is; else the message is as empty as it looks.
void keep_renamed(JsonView object, const MemberNames& known, std::vector<Block>& blocks);

// The same for the output of a tool, of which `output` is what the known members say: all of the object where that is
// nothing, and members that are not `known` hold words.
std::string or_renamed(std::string output, JsonView object, const MemberNames& known);

// The message that one follows: empty for null and none. What is there and is no string names no message that exists,
// so it is kept as it is written, and reported as a missing one.
std::string named_parent(JsonView parent);

// A picture that is only named, by the member `name` of its block: that stays in `extra`, its address in `text`.
Block named_picture(std::string_view name, JsonView value);

}  // namespace holdfast::inline v1
