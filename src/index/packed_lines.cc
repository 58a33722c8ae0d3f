#include "index/packed_lines.h"

namespace holdfast::inline v1 {

Result<UnpackStatus> PackedLines::read(std::uint64_t limit, const TakeLine& take) {
  std::string packed(kLineChunk, '\0');
  std::uint64_t at = 0;
  const auto more = [&]() -> Result<std::string_view> {
    HOLDFAST_TRY(context_.check());
    HOLDFAST_LET(count, file_.read_at(at, packed));
    at += count;
    return std::string_view(packed).substr(0, count);
  };
  Result<void> go_on;
  const auto take_piece = [&](std::string_view piece) {
    go_on = context_.check();
    return go_on && split(piece, take);
  };
  auto end = unpack_zstd(more, limit, take_piece, &confirmed_);
  HOLDFAST_TRY(go_on);
  if (end && *end == UnpackStatus::whole && length_ > 0) (void)end_line(take);
  return end;
}

bool PackedLines::split(std::string_view piece, const TakeLine& take) {
  for (std::size_t newline = piece.find('\n'); newline != std::string_view::npos; newline = piece.find('\n')) {
    add(piece.substr(0, newline));
    piece.remove_prefix(newline + 1);
    if (!end_line(take)) return false;
  }
  add(piece);
  return true;
}

void PackedLines::add(std::string_view part) {
  length_ += part.size();
  if (length_ <= max_line_) line_ += part;
}

bool PackedLines::end_line(const TakeLine& take) {
  const bool too_long = length_ > max_line_;
  const Line line{start_, length_, too_long ? std::string_view() : std::string_view(line_), too_long};
  const bool wanted = take(line);
  start_ += length_ + 1;
  length_ = 0;
  line_.clear();
  return wanted;
}

}  // namespace holdfast::inline v1
