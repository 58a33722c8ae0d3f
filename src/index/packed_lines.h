// Reads the lines of a log that its agent compressed, without unpacking all of it.
// Memory: a window of zstd (at most 32 MiB), and the longest line up to `max_line`.
// Thread-safety: one thread.
#pragma once

#include <holdfast/context.h>
#include <holdfast/file_system.h>

#include <functional>
#include <string>

#include "disk/line_buffer.h"
#include "source/compressed.h"

namespace holdfast::inline v1 {

class PackedLines {
 public:
  PackedLines(const Context& context, File& file, std::size_t max_line)
      : context_(context), file_(file), max_line_(max_line) {}

  // Passes every line to `take` until it returns false, with its offset in the plain bytes, including a last line
  // without newline. For a line over the limit, only offset and length are set. Stops after `limit` plain bytes.
  using TakeLine = std::function<bool(const Line&)>;
  Result<UnpackStatus> read(std::uint64_t limit, const TakeLine& take);

  // Plain offset of the first line that was not passed on.
  std::uint64_t position() const { return start_; }
  // Plain bytes of frames that ended correctly.
  std::uint64_t confirmed() const { return confirmed_; }

 private:
  bool end_line(const TakeLine& take);
  bool split(std::string_view piece, const TakeLine& take);
  void add(std::string_view part);

  const Context& context_;
  File& file_;
  std::size_t max_line_;
  std::string line_;          // beginning of the current line, from earlier pieces
  std::uint64_t length_ = 0;  // of the line; more than line_.size() if it is too long
  std::uint64_t start_ = 0;
  std::uint64_t confirmed_ = 0;
};

}  // namespace holdfast::inline v1
