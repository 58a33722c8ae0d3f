#include "text/json_skip.h"

#include <bit>
#include <cstdint>
#include <cstring>

#include "text/json_blocks.h"
#include "text/json_plain.h"
#include "text/utf8.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kBlock = 64;

// Walks from the bracket at the front of a text to the one that closes it, a block at a time.
class BracketWalk {
 public:
  // Returns true if the first bracket closes in this block; end() returns where.
  [[gnu::always_inline]] bool take(const JsonBlock& block) {
    // The middle of a long string: the case for most blocks.
    if (!block.has('"') && block.last() != '\\' && inside_ != 0) {
      escapes_ = {};
      at_ += kBlock;
      return false;
    }
    const std::uint64_t quotes = block.equal('"') & ~escapes_.next(block.equal('\\'));
    const std::uint64_t inside = json_prefix_parity(quotes) ^ inside_;
    inside_ = static_cast<std::uint64_t>(static_cast<std::int64_t>(inside) >> 63);
    const std::uint64_t opens = block.opens() & ~inside;
    const std::uint64_t closes = block.closes() & ~inside;
    const auto down = static_cast<std::size_t>(std::popcount(closes));
    if (down >= depth_) return step_through(opens, closes);
    depth_ += static_cast<std::size_t>(std::popcount(opens)) - down;
    at_ += kBlock;
    return false;
  }

  std::size_t end() const { return at_; }

 private:
  bool step_through(std::uint64_t opens, std::uint64_t closes) {
    for (std::uint64_t left = opens | closes; left != 0; left &= left - 1) {
      const std::uint64_t bit = left & (~left + 1);
      if ((opens & bit) != 0) {
        ++depth_;
      } else if (--depth_ == 0) {
        at_ += static_cast<std::size_t>(std::countr_zero(bit)) + 1;
        return true;
      }
    }
    at_ += kBlock;
    return false;
  }

  std::uint64_t inside_ = 0;  // all ones while inside a string at the end of the last block
  EscapedBytes escapes_;
  std::size_t depth_ = 0;  // 0 only before the first byte, which is the first bracket
  std::size_t at_ = 0;
};

struct Ignore {
  void operator()(const JsonBlock& /*block*/) const {}
};

// Returns where the bracket at the front closes; npos if it does not. Passes every block to `see`.
template <typename See>
[[gnu::always_inline]] inline std::size_t closing_end(std::string_view text, See see) {
  BracketWalk walk;
  std::size_t at = 0;
  for (; text.size() - at >= kBlock; at += kBlock) {
    const JsonBlock block(text.data() + at);
    see(block);
    if (walk.take(block)) return walk.end();
  }
  if (at == text.size()) return std::string_view::npos;
  char rest[kBlock];
  std::memset(rest, ' ', kBlock);
  std::memcpy(rest, text.data() + at, text.size() - at);
  const JsonBlock block(rest);
  see(block);
  return walk.take(block) ? walk.end() : std::string_view::npos;
}

// Finds the first quote that follows an even number of backslashes.
std::size_t string_end(std::string_view text, std::size_t from) {
  const char* const begin = text.data() + from + 1;
  const char* const end = text.data() + text.size();
  // Most strings are short and have no escapes.
  const char* const near = end - begin > 48 ? begin + 48 : end;
  const char* at = skip_json_plain(begin, near);
  while (at < end) {
    if (*at != '"') at = static_cast<const char*>(std::memchr(at, '"', static_cast<std::size_t>(end - at)));
    if (at == nullptr) break;
    const char* slash = at;
    while (slash > begin && slash[-1] == '\\') --slash;
    ++at;
    if ((at - slash) % 2 == 1) return static_cast<std::size_t>(at - text.data());
  }
  return std::string_view::npos;
}

}  // namespace

bool is_framed_object(std::string_view line) {
  if (line.size() < 2 || line.front() != '{' || line.back() != '}') return false;
  JsonBlock::Range range;
  const std::size_t end = closing_end(line, [&](const JsonBlock& block) {
    block.widen_down(range);
    block.widen_up(range);
  });
  if (end != line.size() || range.low()) return false;
  return !range.high() || utf8_fault(line) == std::string_view::npos;
}

std::size_t json_quick_end(std::string_view text, std::size_t from) {
  if (from >= text.size()) return std::string_view::npos;
  if (text[from] == '"') return string_end(text, from);
  if (text[from] != '{' && text[from] != '[') return std::string_view::npos;
  const std::size_t length = closing_end(text.substr(from), Ignore());
  return length == std::string_view::npos ? length : from + length;
}

}  // namespace holdfast::inline v1
