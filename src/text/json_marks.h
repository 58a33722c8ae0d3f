// Where the quotes and brackets of a line are, found once for all readers of the line.
// Thread-safety: one owner; constant calls from any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace holdfast::inline v1 {

class JsonMarks {
 public:
  // 64 bytes; bit n is for byte n.
  struct Block {
    std::uint64_t quotes = 0;    // not escaped
    std::uint64_t brackets = 0;  // outside strings
  };

  // Returns what is_framed_object does, and keeps the marks of a line for which that
  // is true, unless the line is very long: marks take a quarter of its size.
  bool look(std::string_view line);

  // The same for the line at the front of `bytes`, whose newline is found on the way. Returns its
  // length, or 0 if look() must decide: the line is not framed, or `bytes` does not hold all of it.
  std::size_t look_to_newline(std::string_view bytes);

  // Returns the blocks of `text` if it is the last line looked at and its marks were
  // kept, else nullptr. Two blocks with every quote bit set follow the last one.
  const Block* of(std::string_view text) const {
    return text.data() == line_.data() && text.size() == line_.size() ? blocks_.data() : nullptr;
  }

 private:
  std::string_view line_;
  std::vector<Block> blocks_;
};

}  // namespace holdfast::inline v1
