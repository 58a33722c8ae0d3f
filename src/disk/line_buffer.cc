#include "disk/line_buffer.h"

#include <algorithm>
#include <new>

namespace holdfast::inline v1 {
namespace {

Result<std::unique_ptr<char[]>> allocate(std::size_t size) {
  std::unique_ptr<char[]> memory(new (std::nothrow) char[size + kLinePadding]);
  if (!memory) return fail(Code::out_of_memory, "not enough memory for a line of a log");
  return memory;
}

}  // namespace

LineBuffer::LineBuffer(std::shared_ptr<File> file, std::uint64_t from, std::size_t max_line, std::uint64_t limit)
    : file_(std::move(file)), limit_(limit), max_line_(max_line), started_(from == 0), base_(from) {}

Result<bool> LineBuffer::read_on(const Context& context, Line& line) {
  HOLDFAST_TRY(context.check());
  if (room_ == 0) HOLDFAST_TRY(make_room());
  in_flight_ = 0;
  if (!started_) {
    HOLDFAST_LET(found, find_start(context));
    if (!found) return false;
  }
  for (;;) {
    HOLDFAST_TRY(fill(context));
    if (take(line)) return true;
    if (short_read_) return at_end(end_ - begin_);
    if (room_ == kLineChunk) return long_line(context, line);
  }
}

// Checks whether `from` is the start of a line. If not, the next line starts after the next newline.
Result<bool> LineBuffer::find_start(const Context& context) {
  const std::uint64_t from = position();
  char before = 0;
  HOLDFAST_LET(count, file_->read_at(from - 1, {&before, 1}));
  if (count == 0) return at_end(0);
  if (before != '\n') {
    HOLDFAST_LET(found, find_newline(context, from));
    restart_at(from);
    if (!found.newline) return at_end(found.at - from);
    restart_at(found.at + 1);
  }
  started_ = true;
  return true;
}

// Reads on after the buffered bytes. Bytes that were read up to the end of the file are
// read again: a partial line seen there may have been cut since.
Result<void> LineBuffer::fill(const Context& context) {
  HOLDFAST_TRY(context.check());
  if (short_read_) restart_at(position());
  const std::size_t kept = end_ - begin_;
  if (begin_ > 0 && kept > 0) std::memmove(chunk_.get(), chunk_.get() + begin_, kept);
  base_ += begin_;
  begin_ = 0;
  end_ = kept;
  if (filled_ && room_ < kLineChunk) HOLDFAST_TRY(make_room());
  const std::uint64_t from = base_ + end_;
  const std::size_t room = room_ - end_;
  const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(room, limit_ - std::min(limit_, from)));
  HOLDFAST_LET(count, file_->read_at(from, {chunk_.get() + end_, wanted}));
  end_ += count;
  short_read_ = count < room;
  filled_ = !short_read_;
  return {};
}

// Starts with a small buffer and grows to the full size when that is not enough.
Result<void> LineBuffer::make_room() {
  const std::size_t room = room_ == 0 ? kFirstLineChunk : kLineChunk;
  HOLDFAST_LET(memory, allocate(room));
  if (end_ > 0) std::memcpy(memory.get(), chunk_.get(), end_);
  chunk_ = std::move(memory);
  room_ = room;
  return {};
}

// A line that fills the buffer: find its end, then read it in one piece.
Result<bool> LineBuffer::long_line(const Context& context, Line& line) {
  const std::uint64_t start = position();
  const auto found = find_newline(context, start + (end_ - begin_));
  restart_at(start);
  if (!found) return fail(found.error());
  if (!found->newline) return at_end(found->at - start);
  const std::uint64_t length = found->at - start;
  if (length > max_line_) {
    line = {start, length, {}, true};
    restart_at(found->at + 1);
    return true;
  }
  const auto size = static_cast<std::size_t>(length);
  if (long_size_ < size) {
    long_.reset();  // first, so two long lines are never in memory at once
    long_size_ = 0;
    HOLDFAST_LET(memory, allocate(size));
    long_ = std::move(memory);
    long_size_ = size;
  }
  HOLDFAST_LET(count, file_->read_at(start, {long_.get(), size}));
  if (count < size) return at_end(count);  // truncated in the meantime
  const std::string_view text(long_.get(), size);
  const std::string_view first = text.substr(0, text.find('\n'));  // if it was rewritten in the meantime
  line = {start, first.size(), first, false};
  restart_at(start + first.size() + 1);
  return true;
}

// Overwrites the contents of the buffer.
Result<LineBuffer::Found> LineBuffer::find_newline(const Context& context, std::uint64_t from) {
  for (;;) {
    HOLDFAST_TRY(context.check());
    const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(room_, limit_ - std::min(limit_, from)));
    HOLDFAST_LET(count, file_->read_at(from, {chunk_.get(), wanted}));
    if (const void* const at = std::memchr(chunk_.get(), '\n', count); at != nullptr) {
      return Found{true, from + static_cast<std::size_t>(static_cast<const char*>(at) - chunk_.get())};
    }
    from += count;
    if (count < room_) return Found{false, from};
  }
}

bool LineBuffer::at_end(std::uint64_t in_flight) {
  in_flight_ = in_flight;
  return false;
}

void LineBuffer::restart_at(std::uint64_t offset) {
  base_ = offset;
  begin_ = end_ = 0;
  short_read_ = false;
}

}  // namespace holdfast::inline v1
