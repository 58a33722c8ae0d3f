// Where the quotes and brackets of a line are, found once for everybody who reads it.
// Thread-safety: one owner; constant calls from any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace holdfast::inline v1 {

class JsonMarks {
 public:
  // 64 bytes, bit n for byte n.
  struct Block {
    std::uint64_t quotes = 0;    // that no backslash escapes
    std::uint64_t brackets = 0;  // outside strings
  };

  // frames_one_object, and notes the marks of a line that is one. Not of a very
  // long line: marks take a quarter of its size.
  bool look(std::string_view line);

  // The same for the line at the front of `bytes`, whose newline is looked for on the way:
  // its length. 0 when look() has to be asked: it is no such line, or is not whole in there.
  std::size_t look_to_newline(std::string_view bytes);

  // The blocks of `text` when it is the line that was looked at last and its marks were
  // noted, else nullptr. Behind its end come two blocks of nothing but quotes.
  const Block* of(std::string_view text) const {
    return text.data() == line_.data() && text.size() == line_.size() ? blocks_.data() : nullptr;
  }

 private:
  std::string_view line_;
  std::vector<Block> blocks_;
};

}  // namespace holdfast::inline v1
