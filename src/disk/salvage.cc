#include "disk/salvage.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "text/json_deep.h"

namespace holdfast::inline v1 {
namespace {

constexpr bool is_space(char byte) { return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n'; }

std::size_t find_byte(std::string_view text, char byte, std::size_t from, std::size_t end) {
  if (from >= end) return end;
  const void* at = std::memchr(text.data() + from, byte, end - from);
  return at == nullptr ? end : static_cast<std::size_t>(static_cast<const char*>(at) - text.data());
}

// Walks the beginning of a record, which is valid up to its end. Finds each string that
// ends in `{`, and the object that was closed last.
class FragmentWalk {
 public:
  FragmentWalk(std::string_view text, std::size_t start, std::size_t end) : text_(text), at_(start), end_(end) {}

  // The next `{` that ends a string, except for spaces; npos if there is none.
  std::size_t next_brace_in_string() {
    while (at_ < end_) {
      const char byte = text_[at_++];
      if (byte == '"') {
        if (const std::size_t brace = string(); brace != std::string_view::npos) return brace;
      } else if (byte == '{' || byte == '[') {
        if (depth_ < open_.size()) open_[depth_] = at_ - 1;
        ++depth_;
      } else if ((byte == '}' || byte == ']') && depth_ > 0) {
        --depth_;
        closed_end_ = at_;
        closed_start_ = depth_ < open_.size() ? open_[depth_] : end_;
      }
    }
    return std::string_view::npos;
  }

  Span last_closed() const { return {closed_start_, closed_end_ - closed_start_}; }

 private:
  std::size_t string() {
    std::size_t last = std::string_view::npos;  // the last byte that is neither space nor escaped
    for (; at_ < end_; ++at_) {
      const char byte = text_[at_];
      if (byte == '"') {
        ++at_;
        return last != std::string_view::npos && text_[last] == '{' ? last : std::string_view::npos;
      }
      if (byte == '\\') {
        last = std::string_view::npos;
        ++at_;
      } else if (!is_space(byte)) {
        last = at_;
      }
    }
    return std::string_view::npos;
  }

  std::string_view text_;
  std::size_t at_;
  std::size_t end_;
  std::size_t depth_ = 0;
  std::size_t closed_start_ = 0;
  std::size_t closed_end_ = 0;
  std::array<std::size_t, kJsonMaxDepth> open_;
};

}  // namespace

Salvager::Salvager(std::string_view line, const AcceptRecord& accept, const AcceptRecord& vouch)
    // Keeps back three lengths for the walk that crosses the budget, one for asking, six for returning the records.
    : line_(line), accept_(accept), vouch_(vouch), budget_((kSalvageWork - 10) * line.size()) {
  open_piece(0);
}

bool Salvager::next(Span& record) {
  for (;;) {
    while (run_ < run_end_) {
      const std::size_t start = run_;
      const std::size_t end = walk(start).end;
      run_ = std::min(skip_space(end), run_end_);
      if (accept_ && !accept_(line_.substr(start, end - start))) continue;
      record = {start, end - start};
      return true;
    }
    if (!find_run()) return false;
  }
}

bool Salvager::find_run() {
  while (!spent()) {
    if (search_from_ < piece_end_) {
      if (search()) return true;
    } else {
      if (piece_end_ == line_.size()) return false;
      open_piece(piece_end_);
    }
  }
  return false;
}

void Salvager::open_piece(std::size_t from) {
  while (from < line_.size() && line_[from] == '\0') ++from;
  piece_begin_ = search_from_ = from;
  piece_end_ = find_byte(line_, '\0', from, line_.size());
  line_start_ = from == 0;
  boundary_ = true;
}

// One step: finds a run of records, or advances search_from_.
bool Salvager::search() {
  const std::size_t at = skip_space(search_from_);
  if (at == piece_end_ || line_[at] != '{') {
    search_from_ = at == piece_end_ ? at : next_start(at);
    line_start_ = boundary_ = false;
    return false;
  }
  if (!boundary_ && !accept_ && may_be_value(at)) {
    // It may belong to a record whose beginning is lost; an object that directly follows it cannot.
    const Walk first = walk(at);
    if (!first.whole) return search_fragment(at, first);
    if (vouched(at, first.end) && take_if_run(at)) return true;
    search_from_ = first.end;
    boundary_ = true;
    return false;
  }
  Walk last;
  const std::size_t end = run_from(at, last);
  if (end < piece_end_ && spent()) return false;
  if (end > at && (end == piece_end_ || (line_start_ && ends_records(end, last)))) {
    run_ = at;
    run_end_ = search_from_ = end;
    line_start_ = false;
    return true;
  }
  line_start_ = false;
  if (end < piece_end_ && line_[end] == '{') return search_fragment(end, last);
  search_from_ = end;
  boundary_ = false;
  return false;
}

// Whole objects from the start of the line end at `end`: are they records, or did damage
// close one early? They are records if the rest is the beginning of one more record, up to
// its end, or one byte that was a newline and then nothing but whole objects.
bool Salvager::ends_records(std::size_t end, const Walk& last) {
  if (line_[end] == '{') return last.end == piece_end_;
  Walk unused;
  return run_from(end + 1, unused) == piece_end_;
}

// [start, walk.end) is the beginning of a record; a record glued to it begins inside or after this range.
bool Salvager::search_fragment(std::size_t start, const Walk& walk) {
  const std::size_t fault = walk.end;
  work_ += fault - start;
  FragmentWalk fragment(line_, start, fault);
  for (;;) {
    const std::size_t brace = fragment.next_brace_in_string();
    if (brace == std::string_view::npos) break;
    // The first quote of the glued record ends the string, and then its key is invalid.
    const bool certain = skip_space(brace + 1) + 1 == fault;
    if ((certain || accept_) && take_if_run(brace)) return true;
  }
  const Span closed = fragment.last_closed();
  if (closed.length > 0 && closed.offset > start && line_[closed.offset] == '{' &&
      skip_space(closed.offset + closed.length) == fault &&
      (accept_ || vouched(closed.offset, closed.offset + closed.length)) && take_if_run(closed.offset)) {
    return true;
  }
  search_from_ = fault;
  boundary_ = true;
  return false;
}

// Returns the end of the run of whole objects from `start` on; `last` is the walk that ended the run.
std::size_t Salvager::run_from(std::size_t start, Walk& last) {
  while (start < piece_end_ && line_[start] == '{') {
    last = walk(start);
    if (!last.whole) break;
    start = skip_space(last.end);
    if (spent()) break;
  }
  return start;
}

bool Salvager::take_if_run(std::size_t start) {
  if (spent()) return false;
  Walk last;
  if (run_from(start, last) != piece_end_) return false;
  run_ = start;
  run_end_ = search_from_ = piece_end_;
  return true;
}

bool Salvager::vouched(std::size_t start, std::size_t end) {
  if (!vouch_ || spent()) return false;
  work_ += end - start;
  return vouch_(line_.substr(start, end - start));
}

Salvager::Walk Salvager::walk(std::size_t start) {
  const std::string_view rest = line_.substr(start, piece_end_ - start);
  JsonCheck check = check_json(rest);
  if (check.fault == JsonFault::too_deep) {
    work_ += check.at;
    check = check_json_of_any_depth(rest);
  }
  switch (check.fault) {
    case JsonFault::none:
    case JsonFault::bad_utf8: {  // the object reaches the end, and its encoding was checked as well
      work_ += 2 * rest.size();
      std::size_t end = piece_end_;
      while (is_space(line_[end - 1])) --end;
      return {true, end};
    }
    case JsonFault::trailing: work_ += check.at; return {true, start + check.at};
    default: work_ += check.at; return {false, start + check.at};
  }
}

std::size_t Salvager::skip_space(std::size_t at) const {
  while (at < piece_end_ && is_space(line_[at])) ++at;
  return at;
}

// The first `{` after `from` that is followed by a quote or a `}`.
std::size_t Salvager::next_start(std::size_t from) const {
  for (;;) {
    from = find_byte(line_, '{', from + 1, piece_end_);
    if (from == piece_end_) return from;
    const std::size_t after = skip_space(from + 1);
    if (after < piece_end_ && (line_[after] == '"' || line_[after] == '}')) return from;
  }
}

// True at a position where a value of a larger record could be.
bool Salvager::may_be_value(std::size_t at) const {
  while (at > piece_begin_ && is_space(line_[at - 1])) --at;
  return at > piece_begin_ && std::string_view(":,[").contains(line_[at - 1]);
}

std::vector<Span> salvage(std::string_view line, const AcceptRecord& accept, const AcceptRecord& vouch) {
  std::vector<Span> records;
  Salvager salvager(line, accept, vouch);
  for (Span record; salvager.next(record);) records.push_back(record);
  return records;
}

DamageKind classify(std::string_view line) {
  if (line.contains('\0')) return DamageKind::nul;
  // A byte-order mark is not part of a record.
  if (const std::string_view rest = without_bom(line); rest.size() != line.size())
    return rest.empty() || check_json(rest).ok() ? DamageKind::not_json : classify(rest);
  const JsonCheck check = check_json(line);
  const std::size_t first = skip_json_space(line, 0);
  const bool object = first < line.size() && line[first] == '{';
  if (check.fault == JsonFault::bad_utf8 && object) return DamageKind::bad_utf8;
  if (check.ok() || check.fault == JsonFault::bad_utf8 || check.fault == JsonFault::empty) return DamageKind::not_json;
  if (object && check.fault == JsonFault::unterminated) return DamageKind::torn;
  const AcceptRecord all;
  Salvager salvager(line, all);
  if (Span record; salvager.next(record)) return DamageKind::glued;
  while (is_space(line.back())) line.remove_suffix(1);
  return object && line.back() != '}' ? DamageKind::torn : DamageKind::not_json;
}

}  // namespace holdfast::inline v1
