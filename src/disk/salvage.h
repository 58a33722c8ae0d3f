// Whole records inside the bytes of one damaged line.
//
// The line is split at NUL bytes. In a piece, a record is an object
//   - from which on the rest of the piece is nothing but whole objects, and which cannot be a
//     value inside the truncated record before it;
//   - or that starts the line (or follows directly on such a record), when the rest is the
//     beginning of one more record, or one wrong byte and then nothing but whole objects,
//     or nothing at all: {"a":1}, is {"a":1} and a newline that became a comma.
// "Cannot be a value inside": the fragment before it stops making sense at the object, or
// just after the object's first quote (which ended the string that the fragment was cut in).
// Where the bytes allow both readings, as {"a":{"b":1} does (a torn record with a nested
// object, or `{"a":` and a record glued to it), the object is taken only when an `accept`
// or a `vouch` function is given and says so. `accept` is asked about every record found,
// `vouch` only where the bytes allow both readings.
//
// Work: at most kSalvageWork bytes looked at per byte of the line, whatever the input; when
// that is used up the rest of the line is given up. Memory: constant.
// Thread-safety: plain values; a Salvager is for one thread.
#pragma once

#include <holdfast/log_reader.h>

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

namespace holdfast::inline v1 {

struct Span {
  std::size_t offset = 0;
  std::size_t length = 0;

  friend bool operator==(const Span&, const Span&) = default;
};

using AcceptRecord = std::function<bool(std::string_view)>;

inline constexpr std::uint64_t kSalvageWork = 64;

inline const AcceptRecord kNobodyVouches;

// Finds the records one by one, in order. `line`, `accept` and `vouch` must outlive it.
class Salvager {
 public:
  Salvager(std::string_view line, const AcceptRecord& accept, const AcceptRecord& vouch = kNobodyVouches);

  // False when there is no further record.
  bool next(Span& record);

  // Bytes looked at so far.
  std::uint64_t work() const { return work_; }

 private:
  // One object tried at a place: where it ends, or where it stops making sense.
  struct Walk {
    bool whole = false;
    std::size_t end = 0;
  };

  void open_piece(std::size_t from);
  bool find_run();
  bool search();
  bool ends_records(std::size_t end, const Walk& last);
  bool search_fragment(std::size_t start, const Walk& walk);
  bool take_if_run(std::size_t start);
  bool vouched(std::size_t start, std::size_t end);
  std::size_t run_from(std::size_t start, Walk& last);
  Walk walk(std::size_t start);
  std::size_t skip_space(std::size_t at) const;
  std::size_t next_start(std::size_t from) const;
  bool may_be_value(std::size_t at) const;
  bool spent() const { return work_ >= budget_; }

  std::string_view line_;
  const AcceptRecord& accept_;
  const AcceptRecord& vouch_;
  std::uint64_t budget_;
  std::uint64_t work_ = 0;
  std::size_t piece_begin_ = 0;
  std::size_t piece_end_ = 0;
  std::size_t search_from_ = 0;  // nothing before it is looked at again
  bool line_start_ = true;       // search_from_ is the start of the line
  bool boundary_ = true;         // an object at search_from_ is not a value of what is before it
  std::size_t run_ = 0;          // next object of the run being handed out
  std::size_t run_end_ = 0;      // run_ == run_end_: no run
};

// All of them; bad UTF-8 inside a record does not disqualify it.
std::vector<Span> salvage(std::string_view line, const AcceptRecord& accept = {},
                          const AcceptRecord& vouch = kNobodyVouches);

// What is wrong with a line that is not one whole record.
DamageKind classify(std::string_view line);

}  // namespace holdfast::inline v1
