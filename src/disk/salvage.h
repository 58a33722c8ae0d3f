// Whole records inside the bytes of one damaged line.
//
// The line is split at NUL bytes. In a piece, a record is an object
//   - that is followed by nothing but whole objects up to the end of the piece, and cannot be a
//     value inside the truncated record before it;
//   - or that starts the line (or directly follows such a record), if the rest is the
//     beginning of one more record, or one wrong byte and then nothing but whole objects,
//     or nothing at all: {"a":1}, is {"a":1} and a newline that became a comma.
// "Cannot be a value inside": the fragment before it becomes invalid at the object, or just
// after the object's first quote (which ended the string in which the fragment was cut).
// If the bytes allow both readings, as {"a":{"b":1} does (a torn record with a nested
// object, or `{"a":` and a record glued to it), the object is taken only if an `accept`
// or a `vouch` function is given and returns true. `accept` is asked about every record
// found, `vouch` only if the bytes allow both readings.
//
// Work: reads at most kSalvageWork bytes per byte of the line, whatever the input; once
// that is used up, the rest of the line is skipped. Memory: constant.
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

inline const AcceptRecord kNoVouch;

// Finds the records one by one, in order. `line`, `accept` and `vouch` must outlive the Salvager.
class Salvager {
 public:
  Salvager(std::string_view line, const AcceptRecord& accept, const AcceptRecord& vouch = kNoVouch);

  // Returns false if there are no more records.
  bool next(Span& record);

  // Bytes read so far.
  std::uint64_t work() const { return work_; }

 private:
  // Result of parsing an object: where it ends, or where it becomes invalid.
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
  std::size_t search_from_ = 0;  // nothing before it is read again
  bool line_start_ = true;       // search_from_ is the start of the line
  bool boundary_ = true;         // an object at search_from_ cannot be a value of what precedes it
  std::size_t run_ = 0;          // next object of the run being returned
  std::size_t run_end_ = 0;      // run_ == run_end_ if there is no run
};

// Returns all of them. Bad UTF-8 inside a record does not disqualify it.
std::vector<Span> salvage(std::string_view line, const AcceptRecord& accept = {}, const AcceptRecord& vouch = kNoVouch);

// What is wrong with a line that is not one whole record.
DamageKind classify(std::string_view line);

}  // namespace holdfast::inline v1
