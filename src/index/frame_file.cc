#include "index/frame_file.h"

#include "base/hash.h"
#include "disk/staged.h"
#include "index/cache_files.h"

namespace holdfast::inline v1 {
namespace {

// size (4, of the payload), key (8), payload, checksum (8) of everything before it.
constexpr std::size_t kBefore = 12, kAround = 20;

std::uint64_t number_at(std::string_view bytes, std::size_t at, unsigned size) {
  std::uint64_t value = 0;
  for (unsigned i = 0; i < size; ++i)
    value |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[at + i])) << 8 * i;
  return value;
}

void put_number(std::string& out, std::uint64_t value, unsigned size) {
  for (unsigned i = 0; i < size; ++i) out += static_cast<char>(value >> 8 * i);
}

void put_frame(std::string& out, const Frame& frame) {
  if (frame.payload.size() > UINT32_MAX) return;
  const std::size_t begin = out.size();
  put_number(out, frame.payload.size(), 4);
  put_number(out, frame.key, 8);
  out += frame.payload;
  put_number(out, xxh3_64(std::string_view(out).substr(begin)), 8);
}

bool write_all(File& file, std::string_view bytes) {
  const auto count = file.append(bytes);
  return count && *count == bytes.size();
}

}  // namespace

FrameFile::FrameFile(FileSystem& file_system, std::string cache, std::string name, std::string head)
    : file_system_(file_system), cache_(std::move(cache)), name_(std::move(name)), head_(std::move(head)) {}

std::vector<Frame> FrameFile::load() {
  std::vector<Frame> frames;
  broken_ = true;
  if (cache_.empty()) return frames;
  const auto directory = file_system_.open_directory(cache_, false);
  if (!directory) return frames;
  auto bytes = read_whole(**directory, name_);
  if (!bytes || !bytes->starts_with(head_)) return frames;
  bytes_ = std::make_shared<const std::string>(std::move(*bytes));
  const std::string_view all = *bytes_;
  std::size_t at = head_.size();
  while (all.size() - at >= kAround) {
    const std::uint64_t size = number_at(all, at, 4);
    if (size > all.size() - at - kAround) break;
    const std::string_view checked = all.substr(at, kBefore + size);
    if (xxh3_64(checked) != number_at(all, at + checked.size(), 8)) break;
    frames.push_back({number_at(all, at + 4, 8), checked.substr(kBefore)});
    at += kAround + size;
  }
  broken_ = at != all.size();
  return frames;
}

// Uses one write, so frames of several processes never mix.
void FrameFile::add(std::span<const Frame> frames) {
  if (cache_.empty() || frames.empty()) return;
  const auto directory = file_system_.open_directory(cache_, false);
  if (!directory) return;
  const auto file = (*directory)->open(name_, OpenMode::append);
  if (!file) return;
  // Another version of this program may have rewritten the file in the meantime.
  std::string head(head_.size(), '\0');
  const auto count = (*file)->read_at(0, head);
  if (!count || *count != head.size() || head != head_) return;
  std::string bytes;
  for (const Frame& frame : frames) put_frame(bytes, frame);
  (void)write_all(**file, bytes);
}

// Writes under a temporary name first, so nobody sees a part of the file. Removes the old file before the rename,
// because replacing a file by a rename waits for the disk on ext4. A reader that comes in between rebuilds everything.
void FrameFile::rewrite(std::span<const Frame> frames) {
  if (cache_.empty()) return;
  const auto directory = file_system_.open_directory(cache_, true);
  if (!directory) return;
  remove_unfinished(**directory, name_);
  std::string bytes = head_;
  for (const Frame& frame : frames) put_frame(bytes, frame);
  const std::string fresh = unfinished_name(name_, file_system_.entropy());
  bool whole = false;
  if (const auto file = (*directory)->open(fresh, OpenMode::create_append)) whole = write_all(**file, bytes);
  if (whole) (void)(*directory)->remove(name_);
  if (whole && (*directory)->rename(fresh, name_)) {
    broken_ = false;
    return;
  }
  (void)(*directory)->remove(fresh);
}

}  // namespace holdfast::inline v1
