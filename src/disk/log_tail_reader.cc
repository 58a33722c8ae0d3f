// read_last: finds line starts backwards from the end, then reads those lines forwards with
// the code of LogReader, so both see the same records and the same damage.
#include <holdfast/log_reader.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <iterator>
#include <new>
#include <utility>

#include "disk/log_reader_scan.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kFirstBlock = std::size_t{4} << 10;      // per requested record,
constexpr std::size_t kFirstBlockMax = std::size_t{64} << 10;  // up to this
constexpr std::size_t kLastBlock = std::size_t{1} << 20;
constexpr std::size_t kMoreLines = 4096;  // damaged stretches are crossed in steps of at most this many lines

// Finds newlines backwards from an offset. Keeps one block in memory, however long the lines are.
class BackwardNewlines {
 public:
  // Reads nothing before `floor`. The block size doubles, starting at `first_block`.
  BackwardNewlines(File& file, std::uint64_t end, std::uint64_t floor, std::size_t first_block)
      : file_(file), floor_(floor), at_(end), wanted_(first_block) {}

  // Returns the offset just after the previous newline, continuing backwards from the last result; `floor` if there is
  // none.
  Result<std::uint64_t> next(const Context& context) {
    for (;;) {
      if (at_ > base_ && at_ <= base_ + size_) {
        const auto length = static_cast<std::size_t>(at_ - base_);
        if (const void* found = ::memrchr(block_.get(), '\n', length); found != nullptr) {
          at_ = base_ + static_cast<std::size_t>(static_cast<const char*>(found) - block_.get());
          return at_ + 1;
        }
        at_ = base_;
      }
      if (at_ <= floor_) return floor_;
      HOLDFAST_TRY(read_before(context));
    }
  }

 private:
  Result<void> read_before(const Context& context) {
    HOLDFAST_TRY(context.check());
    if (wanted_ > capacity_) {
      block_.reset(new (std::nothrow) char[wanted_]);
      capacity_ = block_ ? wanted_ : 0;
      size_ = 0;
      if (!block_) return fail(Code::out_of_memory, "not enough memory for the end of a log");
    }
    wanted_ = std::min(kLastBlock, 2 * capacity_);
    const auto length = static_cast<std::size_t>(std::min<std::uint64_t>(capacity_, at_ - floor_));
    size_ = 0;
    HOLDFAST_LET(count, file_.read_at(at_ - length, {block_.get(), length}));
    base_ = at_ - length;
    size_ = length;
    // Truncated by somebody in the meantime: treat the missing part as bytes of an unterminated line.
    std::memset(block_.get() + count, 0, length - count);
    return {};
  }

  File& file_;
  std::uint64_t floor_;
  std::uint64_t at_;  // the next newline to find is before this offset
  std::size_t wanted_;
  std::unique_ptr<char[]> block_;
  std::size_t capacity_ = 0;
  std::uint64_t base_ = 0;
  std::size_t size_ = 0;
};

class TailReader {
 public:
  TailReader(const Context& context, Directory& directory, std::string_view path, ReadOptions options,
             std::uint64_t before, const AcceptRecord& vouch)
      : context_(context),
        directory_(directory),
        path_(path),
        options_(std::move(options)),
        before_(before),
        vouch_(vouch) {}

  Result<Tail> read(std::size_t count) {
    HOLDFAST_LET(opened, directory_.open(path_, OpenMode::read));
    file_ = std::move(opened);
    HOLDFAST_LET(stat, file_->stat());
    HOLDFAST_LET(end, end_of_line(stat.size));
    HOLDFAST_LET(from, first_line());
    const std::uint64_t floor = std::min(from, end);
    const std::size_t first_block = count < kFirstBlockMax / kFirstBlock ? kFirstBlock * (count + 1) : kFirstBlockMax;
    BackwardNewlines newlines(*file_, end, floor, first_block);
    HOLDFAST_LET(start, newlines.next(context_));
    tail_.in_flight = end - start;  // only the last line can lack a newline
    for (std::size_t lines = 0; start > floor && tail_.records.size() < count;) {
      const std::uint64_t limit = start;
      const std::size_t missing = count - tail_.records.size();
      // Read as many lines as records are missing, and more and more lines if they turn out to be damaged.
      lines = std::max(missing, std::min(2 * lines, kMoreLines));
      for (std::size_t line = 0; line < lines && start > floor; ++line) {
        HOLDFAST_LET(found, newlines.next(context_));
        start = found;
      }
      HOLDFAST_TRY(read_lines(start, limit, missing));
    }
    tail_.reached_start = start <= floor && !dropped_;
    if (!tail_.reached_start && count > 0) leave_damage_before(tail_.records.front().offset);
    return std::move(tail_);
  }

 private:
  // The first line start at or after options.from; UINT64_MAX if the file ends before that.
  Result<std::uint64_t> first_line() {
    if (options_.from == 0) return 0;
    HOLDFAST_LET(found, newline_from(options_.from - 1));
    return found ? *found + 1 : UINT64_MAX;
  }

  // The end of the line that contains `before`: that line may hold salvaged records that end before it.
  Result<std::uint64_t> end_of_line(std::uint64_t size) {
    if (before_ >= size || before_ == 0) return std::min(before_, size);
    HOLDFAST_LET(found, newline_from(before_ - 1));
    return found ? *found + 1 : size;
  }

  Result<std::optional<std::uint64_t>> newline_from(std::uint64_t from) {
    char block[4096];
    for (;;) {
      HOLDFAST_TRY(context_.check());
      HOLDFAST_LET(count, file_->read_at(from, block));
      if (const void* at = std::memchr(block, '\n', count); at != nullptr) {
        return from + static_cast<std::size_t>(static_cast<const char*>(at) - block);
      }
      if (count < sizeof block) return std::nullopt;
      from += count;
    }
  }

  // Drops damage before `offset`: a caller that asks for earlier records meets and reports it then.
  void leave_damage_before(std::uint64_t offset) {
    std::erase_if(tail_.damage, [&](const Damage& damage) { return damage.offset + damage.length <= offset; });
  }

  // Prepends the last `wanted` records of the lines [from, limit) to those already found.
  Result<void> read_lines(std::uint64_t from, std::uint64_t limit, std::size_t wanted) {
    ReadOptions options = options_;
    options.from = from;
    LogScan scan(context_, file_, std::move(options), limit, vouch_);
    std::deque<OwnedRecord> records;
    Record record;
    for (;;) {
      HOLDFAST_LET(more, scan.next(record));
      if (!more) break;
      if (record.offset + record.bytes.size() > before_) continue;
      if (records.size() == wanted) {
        records.pop_front();
        dropped_ = true;
      }
      records.push_back({std::string(record.bytes), record.offset, record.salvaged});
    }
    tail_.records.insert(tail_.records.begin(), std::move_iterator(records.begin()), std::move_iterator(records.end()));
    tail_.damage.insert(tail_.damage.begin(), scan.damage().begin(), scan.damage().end());
    return {};
  }

  const Context& context_;
  Directory& directory_;
  std::string_view path_;
  ReadOptions options_;
  std::uint64_t before_;
  const AcceptRecord& vouch_;
  std::shared_ptr<File> file_;
  Tail tail_;
  bool dropped_ = false;  // records were read but not requested
};

}  // namespace

Result<Tail> read_last(const Context& context, Directory& directory, std::string_view path, std::size_t count,
                       ReadOptions options, std::uint64_t before) {
  return read_last_vouched(context, directory, path, count, std::move(options), before, kNoVouch);
}

Result<Tail> read_last_vouched(const Context& context, Directory& directory, std::string_view path, std::size_t count,
                               ReadOptions options, std::uint64_t before, const AcceptRecord& vouch) {
  HOLDFAST_TRY(context.check());
  return TailReader(context, directory, path, std::move(options), before, vouch).read(count);
}

}  // namespace holdfast::inline v1
