// Reads the lines of a file one by one, as views into one reused buffer.
//
// A line longer than the buffer is first measured, then read into memory of exactly its
// size; a line over `max_line` is only measured. Bytes of an unterminated last line are
// never kept between two reads at the end of the file: their writer may have rolled them
// back, and the file may now hold other bytes there.
// Memory: kLineChunk + the longest line up to max_line + kLinePadding twice.
// Thread-safety: one thread.
#pragma once

#include <holdfast/context.h>
#include <holdfast/file_system.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>

namespace holdfast::inline v1 {

inline constexpr std::size_t kFirstLineChunk = std::size_t{16} << 10;  // enough for small logs
inline constexpr std::size_t kLineChunk = std::size_t{256} << 10;
inline constexpr std::size_t kLinePadding = 64;  // readable bytes after every line, for vector code

struct Line {
  std::uint64_t offset = 0;
  std::uint64_t length = 0;  // without the newline
  std::string_view text;     // the same bytes; empty when too_long
  bool too_long = false;
};

class LineBuffer {
 public:
  // Starts at `from`, or at the next line if `from` is in the middle of one. Reads nothing
  // at or after `limit`, which must be the end of a line.
  LineBuffer(std::shared_ptr<File> file, std::uint64_t from, std::size_t max_line, std::uint64_t limit = UINT64_MAX);

  // Reads the next terminated line; returns false at the current end of the file. The text
  // is valid until the next call. After an error, the next call tries the same line again.
  Result<bool> next(const Context& context, Line& line) {
    if (started_ && take(line)) return true;
    return read_on(context, line);
  }

  // For callers that find line ends faster themselves: buffered() is the buffered text from position() on,
  // perhaps empty; take_buffered() takes the first `length` bytes of it as a line, which a newline must follow.
  std::string_view buffered() const {
    return started_ ? std::string_view(chunk_.get() + begin_, end_ - begin_) : std::string_view();
  }
  Line take_buffered(std::size_t length) {
    const Line line{position(), length, {chunk_.get() + begin_, length}, false};
    begin_ += length + 1;
    return line;
  }

  // Start of the line that next() reads next.
  std::uint64_t position() const { return base_ + begin_; }

  // Bytes after position() when next() last reached the end.
  std::uint64_t in_flight() const { return in_flight_; }

 private:
  // Takes the next line if the buffer holds all of it.
  bool take(Line& line) {
    if (begin_ == end_) return false;
    const char* const text = chunk_.get() + begin_;
    const void* const newline = std::memchr(text, '\n', end_ - begin_);
    if (newline == nullptr) return false;
    const auto length = static_cast<std::size_t>(static_cast<const char*>(newline) - text);
    line = {position(), length, {text, length}, false};
    begin_ += length + 1;
    return true;
  }

  // Where the first newline at or after an offset is, or where the file ends if there is none.
  struct Found {
    bool newline = false;
    std::uint64_t at = 0;
  };

  Result<bool> read_on(const Context& context, Line& line);
  Result<bool> find_start(const Context& context);
  Result<void> fill(const Context& context);
  Result<void> make_room();
  Result<bool> long_line(const Context& context, Line& line);
  Result<Found> find_newline(const Context& context, std::uint64_t from);
  bool at_end(std::uint64_t in_flight);
  void restart_at(std::uint64_t offset);

  std::shared_ptr<File> file_;
  std::uint64_t limit_;
  std::size_t max_line_;
  bool started_;             // position() is the start of a line
  bool filled_ = false;      // the last read filled the buffer: more may follow
  bool short_read_ = false;  // the last read reached the end of the file
  std::unique_ptr<char[]> chunk_;
  std::size_t room_ = 0;   // size of chunk_ without its padding
  std::uint64_t base_;     // file offset of chunk_[0]
  std::size_t begin_ = 0;  // start of the next line in chunk_
  std::size_t end_ = 0;    // end of the bytes read into chunk_
  std::unique_ptr<char[]> long_;
  std::size_t long_size_ = 0;
  std::uint64_t in_flight_ = 0;
};

}  // namespace holdfast::inline v1
