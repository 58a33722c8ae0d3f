#include "text/json_scan.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "text/json_blocks.h"
#include "text/json_deep.h"
#include "text/json_plain.h"
#include "text/utf8.h"

namespace holdfast::inline v1 {
namespace {

constexpr bool is_digit(char byte) { return byte >= '0' && byte <= '9'; }

constexpr bool is_hex(char byte) {
  return is_digit(byte) || (byte >= 'a' && byte <= 'f') || (byte >= 'A' && byte <= 'F');
}

constexpr bool is_space(char byte) { return byte == ' ' || byte == '\n' || byte == '\r' || byte == '\t'; }

constexpr auto kSimpleEscape = [] {
  std::array<bool, 256> table{};
  for (const char byte : std::string_view("\"\\/bfnrt")) table[static_cast<unsigned char>(byte)] = true;
  return table;
}();

// The open containers, one bit each: fixed memory, whatever the input.
class OpenStack {
 public:
  explicit OpenStack(std::size_t limit) : limit_(limit) {}
  bool push(bool object) {
    if (depth_ >= limit_) return false;
    const std::uint64_t bit = std::uint64_t{1} << (depth_ % 64);
    std::uint64_t& word = words_[depth_ / 64];
    word = object ? word | bit : word & ~bit;
    ++depth_;
    return true;
  }
  void pop() { --depth_; }
  bool none() const { return depth_ == 0; }
  bool in_object() const { return ((words_[(depth_ - 1) / 64] >> ((depth_ - 1) % 64)) & 1) != 0; }

 private:
  std::size_t limit_;
  std::size_t depth_ = 0;
  std::array<std::uint64_t, kJsonMaxDepth / 64> words_{};
};

// The same with memory that grows with the input.
class DeepStack {
 public:
  explicit DeepStack(std::size_t) {}
  bool push(bool object) {
    open_.push_back(object);
    return true;
  }
  void pop() { open_.pop_back(); }
  bool none() const { return open_.empty(); }
  bool in_object() const { return open_.back(); }

 private:
  std::vector<bool> open_;
};

// Walks one value that contains no others.
class ScalarWalker {
 public:
  ScalarWalker(const char* from, const char* limit) : at(from), end(limit), begin_(from) {}

  const char* at;
  const char* const end;

  JsonFault wrong_byte() const {
    return static_cast<unsigned char>(*at) < 0x20 ? JsonFault::control_char : JsonFault::bad_token;
  }

  // Walks a string from its opening quote, using the marks of its blocks.
  JsonFault string() {
    ++at;
    for (;;) {
      const std::uint64_t marks = marks_here();
      if (marks == 0) {
        if (look_on()) continue;
        return by_byte();
      }
      at += std::countr_zero(marks);
      if (*at == '"') {
        ++at;
        return JsonFault::none;
      }
      if (static_cast<unsigned char>(*at) < 0x20) return JsonFault::control_char;
      --at;  // back to the backslash
      if (const JsonFault fault = escape(); fault != JsonFault::none) return fault;
    }
  }

  JsonFault escape() {
    ++at;
    if (at == end) return JsonFault::unterminated;
    if (kSimpleEscape[static_cast<unsigned char>(*at)]) {
      ++at;
      return JsonFault::none;
    }
    if (*at != 'u') return wrong_byte();
    ++at;
    for (int digit = 0; digit < 4; ++digit, ++at) {
      if (at == end) return JsonFault::unterminated;
      if (!is_hex(*at)) return wrong_byte();
    }
    return JsonFault::none;
  }

  JsonFault literal(std::string_view word) {
    for (const char expected : word) {
      if (at == end) return JsonFault::unterminated;
      if (*at != expected) return wrong_byte();
      ++at;
    }
    return JsonFault::none;
  }

  JsonFault digits() {
    if (at == end) return JsonFault::unterminated;
    if (!is_digit(*at)) return wrong_byte();
    while (at != end && is_digit(*at)) ++at;
    return JsonFault::none;
  }

  JsonFault number() {
    if (*at == '-') ++at;
    if (at != end && *at == '0') {
      ++at;
    } else if (const JsonFault fault = digits(); fault != JsonFault::none) {
      return fault;
    }
    if (at != end && *at == '.') {
      ++at;
      if (const JsonFault fault = digits(); fault != JsonFault::none) return fault;
    }
    if (at != end && (*at == 'e' || *at == 'E')) {
      ++at;
      if (at != end && (*at == '+' || *at == '-')) ++at;
      if (const JsonFault fault = digits(); fault != JsonFault::none) return fault;
    }
    return JsonFault::none;
  }

  // The current byte must not open a container.
  JsonFault scalar() {
    switch (*at) {
      case '"': return string();
      case 't': return literal("true");
      case 'f': return literal("false");
      case 'n': return literal("null");
      default: return number();
    }
  }

 private:
  static constexpr std::size_t kBlock = 64;

  std::size_t offset() const { return static_cast<std::size_t>(at - begin_); }

  // Marks of the bytes from `at` on, as far as blocks were examined.
  std::uint64_t marks_here() const {
    const std::size_t in = offset() - seen_;
    return in < kBlock ? marks_ >> in : 0;
  }

  // Examines one more block, from `at` or after the last one; returns false if none is left.
  bool look_on() {
    if (offset() - seen_ <= kBlock)
      at = begin_ + seen_ + kBlock;
    else
      escapes_ = {};
    if (at == end || static_cast<std::size_t>(end - begin_) < kBlock) return at_escape();
    const auto left = static_cast<std::size_t>(end - at);
    const auto before = static_cast<unsigned>(left < kBlock ? kBlock - left : 0);  // examined already
    const JsonBlock block(at - before);
    seen_ = offset() - before;
    const std::uint64_t escaped = escapes_.next(block.equal('\\') >> before);
    marks_ = (block.string_stops() >> before) & ~escaped;
    if (escaped != 0) marks_ |= escaped & ~(block.simple_escapes() >> before);
    marks_ <<= before;
    return true;
  }

  // Returns false, after stepping back to the backslash before `at` if there is one.
  bool at_escape() {
    if (escapes_.first()) --at;
    return false;
  }

  // For the rest, where no whole block is left.
  JsonFault by_byte() {
    for (;;) {
      at = skip_json_plain(at, end);
      if (at == end) return JsonFault::unterminated;
      if (*at == '"') {
        ++at;
        return JsonFault::none;
      }
      if (*at != '\\') return JsonFault::control_char;
      if (const JsonFault fault = escape(); fault != JsonFault::none) return fault;
    }
  }

  const char* const begin_;
  // Bits for the bytes [seen_, seen_ + kBlock) after begin_ that end a string or are not a simple escape.
  std::size_t seen_ = SIZE_MAX / 2;
  std::uint64_t marks_ = 0;
  EscapedBytes escapes_;  // state after those bytes
};

// Walks one value from `at`. `kOneLine` accepts only the space as whitespace. After a
// fault, `at` is the offending byte, or `end` if the input ran out.
template <bool kOneLine, class Stack = OpenStack>
class Walker : public ScalarWalker {
 public:
  Walker(const char* begin, const char* limit, std::size_t inside = 0)
      : ScalarWalker(begin, limit), open_(kJsonMaxDepth - std::min(inside, kJsonMaxDepth)) {}

  JsonFault value() {
    for (;;) {
      if (const JsonFault fault = scalar_or_open(); fault != JsonFault::none) return fault;
      if (opened_) continue;
      // One value is complete: close the containers that end with it, then step over a comma.
      for (;;) {
        if (open_.none()) return JsonFault::none;
        skip_space();
        if (at == end) return JsonFault::unterminated;
        const bool object = open_.in_object();
        if (*at == ',') {
          ++at;
          if (!object) break;
          if (const JsonFault fault = key(); fault != JsonFault::none) return fault;
          break;
        }
        if (*at != (object ? '}' : ']')) return wrong_byte();
        ++at;
        open_.pop();
      }
      skip_space();
    }
  }

  void skip_space() {
    if constexpr (kOneLine) {
      while (at != end && *at == ' ') ++at;
    } else {
      while (at != end && is_space(*at)) ++at;
    }
  }

 private:
  // Sets opened_ if a container was opened; its first value comes next.
  JsonFault scalar_or_open() {
    opened_ = false;
    if (at == end) return JsonFault::unterminated;
    switch (*at) {
      case '{': return open(true);
      case '[': return open(false);
      default: return scalar();
    }
  }

  JsonFault open(bool object) {
    if (!open_.push(object)) return JsonFault::too_deep;
    ++at;
    skip_space();
    if (at == end) return JsonFault::unterminated;
    if (*at == (object ? '}' : ']')) return JsonFault::none;
    opened_ = true;
    return object ? key() : JsonFault::none;
  }

  JsonFault key() {
    skip_space();
    if (at == end) return JsonFault::unterminated;
    if (*at != '"') return wrong_byte();
    if (const JsonFault fault = string(); fault != JsonFault::none) return fault;
    skip_space();
    if (at == end) return JsonFault::unterminated;
    if (*at != ':') return wrong_byte();
    ++at;
    skip_space();
    return JsonFault::none;
  }

  bool opened_ = false;
  Stack open_;
};

}  // namespace

// For people, before "at byte N".
std::string_view json_fault_name(JsonFault fault) {
  switch (fault) {
    case JsonFault::none: return "no fault";
    case JsonFault::empty: return "nothing there";
    case JsonFault::bad_token: return "unexpected character";
    case JsonFault::unterminated: return "unexpected end";
    case JsonFault::trailing: return "more text after the end";
    case JsonFault::control_char: return "control character";
    case JsonFault::too_deep: return "nested too deeply";
    case JsonFault::bad_utf8: return "not UTF-8";
  }
  return "no fault";
}

namespace {

template <class Stack>
JsonCheck check_with(std::string_view text) {
  Walker<false, Stack> walker(text.data(), text.data() + text.size());
  const auto offset = [&] { return static_cast<std::size_t>(walker.at - text.data()); };
  walker.skip_space();
  if (walker.at == walker.end) return {JsonFault::empty, text.size()};
  if (const JsonFault fault = walker.value(); fault != JsonFault::none) return {fault, offset()};
  const std::size_t value_end = offset();
  walker.skip_space();
  if (walker.at != walker.end) return {JsonFault::trailing, value_end};
  if (const std::size_t bad = utf8_fault(text); bad != std::string_view::npos) return {JsonFault::bad_utf8, bad};
  return {JsonFault::none, value_end};
}

}  // namespace

JsonCheck check_json(std::string_view text) { return check_with<OpenStack>(text); }
JsonCheck check_json_of_any_depth(std::string_view text) { return check_with<DeepStack>(text); }

bool is_json_object_line(std::string_view line) {
  Walker<true> walker(line.data(), line.data() + line.size());
  walker.skip_space();
  if (walker.at == walker.end || *walker.at != '{') return false;
  if (walker.value() != JsonFault::none) return false;
  walker.skip_space();
  return walker.at == walker.end && utf8_fault(line) == std::string_view::npos;
}

std::size_t json_value_end(std::string_view text, std::size_t from, std::size_t inside) {
  if (from >= text.size()) return std::string_view::npos;
  const auto end_of = [&](auto&& walker, JsonFault fault) {
    return fault == JsonFault::none ? static_cast<std::size_t>(walker.at - text.data()) : std::string_view::npos;
  };
  const char* const begin = text.data() + from;
  const char* const end = text.data() + text.size();
  // Setting up a stack of open containers costs more than walking most values.
  if (*begin != '{' && *begin != '[') {
    ScalarWalker walker(begin, end);
    return end_of(walker, walker.scalar());
  }
  Walker<false> walker(begin, end, inside);
  return end_of(walker, walker.value());
}

std::string_view without_bom(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  return text;
}

std::size_t skip_json_space(std::string_view text, std::size_t from) {
  while (from < text.size() && is_space(text[from])) ++from;
  return from;
}

}  // namespace holdfast::inline v1
