#include "index/frame_file.h"

#include "base/hash.h"
#include "disk/staged.h"
#include "model/packing.h"

namespace holdfast::inline v1 {
namespace {

// size (4, of the payload), key (8), payload, check (8) of everything before it.
constexpr std::size_t kBefore = 12, kAround = 20;
constexpr std::string_view kUnfinished = ".new";

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
  bytes_.clear();
  broken_ = true;
  if (cache_.empty()) return frames;
  const auto directory = file_system_.open_directory(cache_, false);
  if (!directory) return frames;
  auto bytes = read_whole(**directory, name_);
  if (!bytes || !bytes->starts_with(head_)) return frames;
  bytes_ = std::move(*bytes);
  std::size_t at = head_.size();
  while (bytes_.size() - at >= kAround) {
    const std::uint64_t size = number_at(bytes_, at, 4);
    if (size > bytes_.size() - at - kAround) break;
    const std::string_view checked = std::string_view(bytes_).substr(at, kBefore + size);
    if (xxh3_64(checked) != number_at(bytes_, at + checked.size(), 8)) break;
    frames.push_back({number_at(bytes_, at + 4, 8), checked.substr(kBefore)});
    at += kAround + size;
  }
  broken_ = at != bytes_.size();
  return frames;
}

// One write: frames of several processes stand whole behind one another.
void FrameFile::add(std::span<const Frame> frames) {
  if (cache_.empty() || frames.empty()) return;
  const auto directory = file_system_.open_directory(cache_, false);
  if (!directory) return;
  const auto file = (*directory)->open(name_, OpenMode::append);
  if (!file) return;
  // Another version of this program may have written it anew meanwhile.
  std::string head(head_.size(), '\0');
  const auto count = (*file)->read_at(0, head);
  if (!count || *count != head.size() || head != head_) return;
  std::string bytes;
  for (const Frame& frame : frames) put_frame(bytes, frame);
  (void)write_all(**file, bytes);
}

// Under a name of its own first, so that readers see the old file or the new one.
void FrameFile::rewrite(std::span<const Frame> frames) {
  if (cache_.empty()) return;
  const auto directory = file_system_.open_directory(cache_, true);
  if (!directory) return;
  clean_up(**directory);
  std::string bytes = head_;
  for (const Frame& frame : frames) put_frame(bytes, frame);
  const std::string fresh = name_ + "-" + std::to_string(file_system_.entropy()) + std::string(kUnfinished);
  bool whole = false;
  if (const auto file = (*directory)->open(fresh, OpenMode::create_append)) whole = write_all(**file, bytes);
  if (whole && (*directory)->rename(fresh, name_)) {
    broken_ = false;
    return;
  }
  (void)(*directory)->remove(fresh);
}

// What a killed process left. One that still writes under such a name only writes in vain.
void FrameFile::clean_up(Directory& directory) const {
  const auto names = directory.list("");
  if (!names) return;
  for (const DirectoryEntry& entry : *names) {
    if (entry.name.starts_with(name_ + "-") && entry.name.ends_with(kUnfinished)) (void)directory.remove(entry.name);
  }
}

}  // namespace holdfast::inline v1
