// Reads a log: forwards from any offset, or only the last records, without
// reading the rest. Readers never write and never lock. Damage is skipped, whole
// records inside it are salvaged, and each damaged place is reported once with
// its offset, length and kind. A last line without a newline is a write in
// flight, not damage.
//
// Lifetime: a Record's bytes are valid until the next call on the same reader.
// Thread-safety: one thread per reader.
// Memory: at most 2 x the longest line + 8 MiB with Check::framing and objects,
// 16 x the longest line + 8 MiB with Check::whole.
#pragma once

#include <holdfast/context.h>
#include <holdfast/export.h>
#include <holdfast/file_system.h>

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::inline v1 {

enum class DamageKind {
  torn,      // a record that ends in the middle
  glued,     // more than one record, or a fragment and a record, on one line
  nul,       // NUL bytes, as ext4 leaves them after a power loss
  bad_utf8,  // a whole record with bytes that are not UTF-8 (it is still returned)
  not_json,  // not a JSON object at all
  too_long,  // a line over the limit; skipped
  too_deep,  // a whole record, nested deeper than 1,024 levels (it is still returned; Check::whole reports it)
};
HOLDFAST_EXPORT std::string_view damage_kind_name(DamageKind kind);

struct Damage {
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
  DamageKind kind = DamageKind::torn;
  std::uint32_t salvaged = 0;  // whole records found inside and returned
};

struct Record {
  std::string_view bytes;    // one JSON object, without the newline
  std::uint64_t offset = 0;  // of its first byte in the file
  bool salvaged = false;     // found inside damage
};

enum class Check {
  whole,    // every record is validated; nothing that is not one JSON object is returned
  framing,  // fast: lines that look like {...} without NUL are returned unparsed
  objects,  // between the two: checks quotes, brackets and UTF-8 of an object, but not the grammar inside
};

struct ReadOptions {
  Check check = Check::whole;
  std::uint64_t from = 0;  // if inside a line, reading starts at the next line
  std::size_t max_line = std::size_t{64} << 20;
  // Whether to accept a salvaged piece as a record (e.g. by required keys); if empty, all are accepted.
  std::function<bool(std::string_view)> accept_salvaged;
};

class HOLDFAST_EXPORT LogReader {
 public:
  static Result<LogReader> open(const Context& context, Directory& directory, std::string_view path,
                                ReadOptions options = {});
  LogReader(LogReader&&) noexcept;
  LogReader& operator=(LogReader&&) noexcept;
  ~LogReader();

  // Reads the next record; returns false at the current end of the log. Later
  // calls continue if the file has grown, also with a line that was in flight.
  Result<bool> next(Record& record);

  // Offset just after the last complete line that was read.
  std::uint64_t position() const;

  // Damaged places found so far, in file order.
  const std::vector<Damage>& damage() const;

  // Bytes of an unterminated last line; 0 when the log ends in a newline.
  std::uint64_t in_flight() const;

 private:
  struct Impl;
  explicit LogReader(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

struct OwnedRecord {
  std::string bytes;
  std::uint64_t offset = 0;
  bool salvaged = false;
};

struct Tail {
  std::vector<OwnedRecord> records;  // oldest first
  std::vector<Damage> damage;        // in the part that was read
  std::uint64_t in_flight = 0;
  bool reached_start = false;  // the whole log was read
};

// Returns the last `count` records that end at or before `before` (by default the
// end of the file). Reads backwards from there, only the bytes of those records.
HOLDFAST_EXPORT Result<Tail> read_last(const Context& context, Directory& directory, std::string_view path,
                                       std::size_t count, ReadOptions options = {}, std::uint64_t before = UINT64_MAX);

}  // namespace holdfast::inline v1
