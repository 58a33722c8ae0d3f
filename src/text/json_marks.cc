#include "text/json_marks.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "text/json_blocks.h"
#include "text/json_skip.h"
#include "text/utf8.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kBlock = 64;
constexpr std::size_t kLongest = std::size_t{256} << 10;

// Records marks block by block without branches: masks take long to compute, and a
// branch on one would be predicted by luck. The marks are evaluated afterwards.
class MarkWalk {
 public:
  [[gnu::always_inline]] JsonMarks::Block take(const JsonBlock& block) {
    block.widen_up(range_);
    block.widen_down(range_);
    return note(block.equal('"'), block.equal('\\'), block.brackets());
  }
  // For a block without bytes below 0x20.
  [[gnu::always_inline]] JsonMarks::Block take_printable(const JsonBlock& block) {
    block.widen_up(range_);
    return note(block.equal('"'), block.equal('\\'), block.brackets());
  }
  // Takes the first `count` bytes of a block, fewer than all, as the end of the line.
  JsonMarks::Block take_front(const JsonBlock& block, unsigned count) {
    const std::uint64_t front = (std::uint64_t{1} << count) - 1;
    block.widen_up(range_);
    return note(block.equal('"') & front, block.equal('\\') & front, block.brackets() & front);
  }
  // Takes a block that ends with the line and overlaps the block before it by `known` bytes.
  JsonMarks::Block take_end(const JsonBlock& block, unsigned known) {
    block.widen_up(range_);
    block.widen_down(range_);
    return note(block.equal('"') >> known, block.equal('\\') >> known, block.brackets() >> known);
  }

  bool inside() const { return inside_ != 0; }
  const JsonBlock::Range& range() const { return range_; }

 private:
  [[gnu::always_inline]] JsonMarks::Block note(std::uint64_t quotes, std::uint64_t slashes, std::uint64_t brackets) {
    quotes &= ~escapes_.next(slashes);
    const std::uint64_t inside = json_prefix_parity(quotes) ^ inside_;
    inside_ = static_cast<std::uint64_t>(static_cast<std::int64_t>(inside) >> 63);
    return {quotes, brackets & ~inside};
  }

  std::uint64_t inside_ = 0;  // all ones while inside a string at the end of the last block
  EscapedBytes escapes_;
  JsonBlock::Range range_;
};

// The numbers of the blocks with brackets, collected without branches.
class BlockList {
 public:
  void note(const JsonMarks::Block& block) {
    numbers_[count_] = number_++;
    count_ += block.brackets != 0 ? 1 : 0;
  }
  // Whether the first bracket closes with the last byte and not before.
  bool closes_at_end(std::string_view line, const JsonMarks::Block* blocks) const {
    std::ptrdiff_t depth = 0;
    for (std::size_t i = 0; i < count_; ++i) {
      const std::size_t begin = numbers_[i] * kBlock;
      std::uint64_t left = blocks[numbers_[i]].brackets;
      do {
        const std::size_t at = begin + static_cast<std::size_t>(std::countr_zero(left));
        depth += json_depth_step(line[at]);
        if (depth == 0) return at + 1 == line.size();
        left &= left - 1;
      } while (left != 0);
    }
    return false;
  }

 private:
  std::uint16_t number_ = 0;
  std::size_t count_ = 0;
  std::uint16_t numbers_[kLongest / kBlock + 1];
};

}  // namespace

bool JsonMarks::look(std::string_view line) {
  line_ = {};
  if (line.size() > kLongest) return is_framed_object(line);
  if (line.size() < 2 || line.front() != '{' || line.back() != '}') return false;
  const std::size_t count = (line.size() + kBlock - 1) / kBlock;
  if (blocks_.size() < count + 2) blocks_.resize(count + 2);
  MarkWalk walk;
  BlockList brackets;
  Block* next = blocks_.data();
  const char* at = line.data();
  const char* const end = at + line.size();
  for (; end - at >= static_cast<std::ptrdiff_t>(kBlock); at += kBlock) {
    *next = walk.take(JsonBlock(at));
    brackets.note(*next++);
  }
  if (const auto rest = static_cast<std::size_t>(end - at); rest > 0) {
    char copy[kBlock];
    const bool whole = line.size() >= kBlock;
    if (!whole) {
      std::memset(copy, ' ', kBlock);
      std::memcpy(copy + kBlock - rest, at, rest);
    }
    *next++ = walk.take_end(JsonBlock(whole ? end - kBlock : copy), static_cast<unsigned>(kBlock - rest));
    brackets.note(next[-1]);
  }
  if (walk.inside() || walk.range().low() || !brackets.closes_at_end(line, blocks_.data())) return false;
  if (walk.range().high() && utf8_fault(line) != std::string_view::npos) return false;
  next[0] = next[1] = {~std::uint64_t{0}, 0};
  line_ = line;
  return true;
}

std::size_t JsonMarks::look_to_newline(std::string_view bytes) {
  line_ = {};
  if (bytes.empty() || bytes.front() != '{') return 0;
  MarkWalk walk;
  BlockList brackets;
  const std::size_t most = std::min(bytes.size(), kLongest) / kBlock;
  for (std::size_t count = 0; count < most; ++count) {
    if (blocks_.size() < count + 3) blocks_.resize(2 * count + 64);
    const JsonBlock block(bytes.data() + count * kBlock);
    if (!block.has_low()) {
      blocks_[count] = walk.take_printable(block);
      brackets.note(blocks_[count]);
      continue;
    }
    const auto in_block = static_cast<unsigned>(std::countr_zero(block.lows()));
    const std::string_view line = bytes.substr(0, count * kBlock + in_block);
    if (bytes[line.size()] != '\n' || line.back() != '}') return 0;
    if (in_block > 0) {
      blocks_[count] = walk.take_front(block, in_block);
      brackets.note(blocks_[count++]);
    }
    if (!brackets.closes_at_end(line, blocks_.data())) return 0;
    if (walk.range().high() && utf8_fault(line) != std::string_view::npos) return 0;
    blocks_[count] = blocks_[count + 1] = {~std::uint64_t{0}, 0};
    line_ = line;
    return line.size();
  }
  return 0;
}

}  // namespace holdfast::inline v1
