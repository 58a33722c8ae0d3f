#include <holdfast/checksums.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <span>

#include "base/hash.h"
#include "disk/line_buffer.h"
#include "disk/side_car.h"
#include "disk/steps.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kChunk = std::size_t{256} << 10;

// The valid lines of the side-car, as ascending ranges that do not overlap.
class Ranges {
 public:
  explicit Ranges(std::string path) : path_(std::move(path)) {}

  void add_line(std::uint64_t offset, std::string_view text, ChecksumReport& report) {
    const std::uint32_t previous = std::exchange(chain_, chain_after(text));
    const auto line = parse_side_car_line(text);
    const bool follows = line && (!does(Step::checksum_chain) || side_car_chain(text, previous) == line->chain ||
                                  side_car_chain(text, kSideCarChainStart) == line->chain);
    if (!follows) return damaged(offset, text.size(), report);
    // A log grows only at its end: a write at `start` means that nothing was behind `start` at that time.
    while (!ranges_.empty() && ranges_.back().end() > line->start) ranges_.pop_back();
    if (line->length > 0) ranges_.push_back(*line);
  }

  void damaged(std::uint64_t offset, std::uint64_t length, ChecksumReport& report) {
    report.findings.push_back(
        {path_,
         offset,
         length,
         "side_car",
         "a checksum line cannot be trusted and was skipped; the bytes of the log that it covered are not checked",
         {}});
  }

  std::span<const SideCarLine> get() const { return ranges_; }

 private:
  std::string path_;
  std::uint32_t chain_ = kSideCarChainStart;
  std::vector<SideCarLine> ranges_;
};

Result<Ranges> read_ranges(const Context& context, Root& root, std::string_view log_path, ChecksumReport& report) {
  const std::string path = side_car_path(root, log_path);
  Ranges ranges(path);
  auto file = root.directory().open(path, OpenMode::read);
  if (!file && file.error().code == Code::not_found) return ranges;
  if (!file) return fail(std::move(file).error());
  // Lines of a side-car are short; anything longer is damage and is not kept in memory.
  LineBuffer lines(std::move(*file), 0, kChunk / 2);
  Line line;
  for (;;) {
    HOLDFAST_LET(more, lines.next(context, line));
    if (!more) break;
    if (line.too_long) {
      ranges.damaged(line.offset, line.length, report);
    } else {
      ranges.add_line(line.offset, line.text, report);
    }
  }
  if (lines.in_flight() > 0) ranges.damaged(lines.position(), lines.in_flight(), report);
  return ranges;
}

class Verifier {
 public:
  Verifier(std::string_view path, std::span<const SideCarLine> ranges, ChecksumReport& report)
      : path_(path), ranges_(ranges), report_(report) {}

  // Takes the bytes of the log from `offset` on; `offset` must be where the last call ended.
  void add(std::uint64_t offset, std::string_view bytes) {
    const std::uint64_t end = offset + bytes.size();
    while (next_ < ranges_.size() && ranges_[next_].start < end) {
      const SideCarLine& range = ranges_[next_];
      const std::uint64_t from = std::max(range.start, offset);
      const std::uint64_t to = std::min(range.end(), end);
      crc_ = crc32c(bytes.substr(static_cast<std::size_t>(from - offset), static_cast<std::size_t>(to - from)), crc_);
      report_.covered += to - from;
      if (to < range.end()) return;
      if (crc_ != range.crc && does(Step::checksum_bytes))
        found(range, "the bytes are not those that were written here; nothing was changed");
      crc_ = 0;
      ++next_;
    }
  }

  // Must be called at the end of the log, which has `size` bytes.
  void finish(std::uint64_t size) {
    for (; next_ < ranges_.size() && does(Step::checksum_end); ++next_) {
      found(ranges_[next_], "the log ends before the end of what was written here");
    }
    report_.uncovered = size - report_.covered;
  }

 private:
  void found(const SideCarLine& range, std::string_view consequence) {
    report_.findings.push_back(
        {std::string(path_), range.start, range.length, "checksum", std::string(consequence), {}});
  }

  std::string_view path_;
  std::span<const SideCarLine> ranges_;
  ChecksumReport& report_;
  std::size_t next_ = 0;
  std::uint32_t crc_ = 0;
};

std::uint32_t crc_of_zeros(std::uint64_t count, std::uint32_t crc) {
  const std::string zeros(static_cast<std::size_t>(std::min<std::uint64_t>(count, kChunk)), '\0');
  for (; count > 0; count -= std::min<std::uint64_t>(count, kChunk))
    crc = crc32c(std::string_view(zeros).substr(0, static_cast<std::size_t>(std::min<std::uint64_t>(count, kChunk))),
                 crc);
  return crc;
}

// The part of a range behind `head`, in which it begins. A CRC is linear: what the first bytes contribute to it depends
// on the number of bytes that follow, not on these bytes, so the rest need not be read, and damage in it stays damage.
SideCarLine without_head(const SideCarLine& range, std::string_view head) {
  SideCarLine rest = range;
  rest.start = head.size();
  rest.length = range.end() - head.size();
  const std::uint32_t first = crc32c(head.substr(static_cast<std::size_t>(range.start)));
  rest.crc = range.crc ^ crc_of_zeros(rest.length, first) ^ crc_of_zeros(rest.length, 0);
  return rest;
}

}  // namespace

Result<std::string> side_car_behind(const Context& context, Root& root, std::string_view log_path,
                                    std::string_view head, std::uint64_t new_head) {
  ChecksumReport ignored;  // a line that cannot be trusted is left out
  HOLDFAST_LET(ranges, read_ranges(context, root, log_path, ignored));
  std::string text;
  std::array<char, kMaxSideCarLine> line;
  std::uint32_t chain = kSideCarChainStart;
  for (SideCarLine range : ranges.get()) {
    if (range.end() <= head.size()) continue;
    if (range.start < head.size()) range = without_head(range, head);
    const std::uint64_t start = range.start - head.size() + new_head;
    const std::size_t size = format_side_car_line(line, start, range.length, range.crc, chain, chain);
    text.append(line.data(), size);
  }
  return text;
}

Result<ChecksumReport> verify_checksums(const Context& context, Root& root, std::string_view log_path) {
  HOLDFAST_TRY(context.check());
  ChecksumReport report;
  // Opens the log first: a missing log is an error. Reads its bytes after the side-car, which
  // is written after them, so a log that grows in the meantime does not look too short.
  HOLDFAST_LET(log, root.directory().open(log_path, OpenMode::read));
  HOLDFAST_LET(ranges, read_ranges(context, root, log_path, report));
  Verifier verifier(log_path, ranges.get(), report);
  const auto buffer = std::make_unique_for_overwrite<char[]>(kChunk);
  std::uint64_t offset = 0;
  for (;;) {
    HOLDFAST_TRY(context.check());
    HOLDFAST_LET(count, log->read_at(offset, {buffer.get(), kChunk}));
    if (count == 0) break;
    verifier.add(offset, {buffer.get(), count});
    offset += count;
  }
  verifier.finish(offset);
  return report;
}

}  // namespace holdfast::inline v1
