#include "text/json_cursor.h"

#include "text/json_blocks.h"
#include "text/json_plain.h"
#include "text/json_scan.h"
#include "text/json_skip.h"
#include "text/json_string.h"
#include "text/utf8.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kShort = 128;  // longer strings usually have escapes

}  // namespace

JsonCursor::JsonCursor(std::string_view text) : text_(without_bom(text)) { skip_space(); }

JsonCursor::JsonCursor(std::string_view text, const JsonMarks* marks) : JsonCursor(text) {
  if (marks != nullptr) marks_ = marks->of(text_);
}

// For a string without a quote in its first 64 bytes.
std::size_t JsonCursor::marked_far_end(std::size_t from) const {
  std::size_t block = from / kSeen + 1;
  while (marks_[block].quotes == 0) ++block;  // the blocks past the end have some
  const std::size_t end = block * kSeen + static_cast<std::size_t>(std::countr_zero(marks_[block].quotes)) + 1;
  return end <= text_.size() ? end : std::string_view::npos;
}

// Returns the offset past the bracket that closes the current one; npos if it is not closed.
std::size_t JsonCursor::marked_closing_end() const {
  std::ptrdiff_t depth = 0;
  std::uint64_t left = marks_[at_ / kSeen].brackets & (~std::uint64_t{0} << at_ % kSeen);
  for (std::size_t begin = at_ / kSeen * kSeen; begin < text_.size(); begin += kSeen) {
    if (begin > at_) left = marks_[begin / kSeen].brackets;
    for (; left != 0; left &= left - 1) {
      const std::size_t bracket = begin + static_cast<std::size_t>(std::countr_zero(left));
      depth += json_depth_step(text_[bracket]);
      if (depth == 0) return bracket + 1;
    }
  }
  return std::string_view::npos;
}

// Scans from the first byte of a string, a block at a time.
std::size_t JsonCursor::look_for_end(std::size_t from) {
  if (text_.size() < kSeen) return json_quick_end(text_, from - 1);
  EscapedBytes escapes;
  for (; text_.size() - from >= kSeen; from += kSeen) {
    const JsonBlock block(text_.data() + from);
    if (!block.has('"') && block.last() != '\\') {  // the middle of a long string
      escapes = {};
      continue;
    }
    const std::uint64_t escaped = escapes.next(block.equal('\\'));
    quotes_ = block.equal('"') & ~escaped;
    if (quotes_ == 0) continue;
    seen_ = from;
    return from + static_cast<std::size_t>(std::countr_zero(quotes_)) + 1;
  }
  // The last block overlaps bytes that were examined before.
  seen_ = text_.size() - kSeen;
  const std::size_t before = from - seen_;
  if (before == kSeen) return std::string_view::npos;
  const JsonBlock block(text_.data() + seen_);
  const std::uint64_t escaped = escapes.next(block.equal('\\') >> before);
  quotes_ = ((block.equal('"') >> before) & ~escaped) << before;
  if (quotes_ == 0) return std::string_view::npos;
  return seen_ + static_cast<std::size_t>(std::countr_zero(quotes_)) + 1;
}

// Returns the offset past the current number or literal; npos if there is none. Most
// numbers are a few digits; the grammar walker handles the rest.
std::size_t JsonCursor::scalar_end() const {
  std::size_t end = at_;
  while (end < text_.size() && text_[end] >= '0' && text_[end] <= '9') ++end;
  const bool plain = end > at_ && end < text_.size() && (text_[at_] != '0' || end == at_ + 1);
  if (plain && (text_[end] == ',' || text_[end] == '}' || text_[end] == ']')) return end;
  return json_value_end(text_, at_);
}

bool JsonCursor::step_over() {
  std::size_t end = std::string_view::npos;
  switch (kind()) {
    case JsonKind::string: end = string_end(); break;
    case JsonKind::object:
    case JsonKind::array: end = marks_ != nullptr ? marked_closing_end() : json_quick_end(text_, at_); break;
    case JsonKind::none: break;
    default: end = scalar_end(); break;
  }
  if (end == std::string_view::npos) return give_up();
  at_ = end;
  return true;
}

bool JsonCursor::skip_if(std::string_view bytes) {
  if (bytes.empty() || !text_.substr(at_).starts_with(bytes)) return false;
  at_ += bytes.size();
  return true;
}

std::string JsonCursor::text() {
  const std::size_t end = string_end();
  if (end == std::string_view::npos) {
    step_over();
    return {};
  }
  const std::string_view body = inside(end);
  const std::string_view token = text_.substr(at_, end - at_);
  at_ = end;
  if (body.size() < kShort && is_json_plain_ascii(body)) return std::string(body);
  auto decoded = decode_json_string(token);
  return decoded ? std::move(*decoded) : std::string();
}

std::string_view JsonCursor::word() {
  const std::size_t end = string_end();
  if (end == std::string_view::npos) {
    step_over();
    return {};
  }
  const std::string_view body = inside(end);
  at_ = end;
  if (body.size() < kShort && is_json_plain_ascii(body)) return body;
  return body.find('\\') == std::string_view::npos ? body : std::string_view();
}

}  // namespace holdfast::inline v1
