#include "index/counts_file.h"

#include <vector>

#include "base/hash.h"
#include "index/cache_files.h"
#include "model/packing.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kCheck = 8;

}  // namespace

std::string pack_counts(const CountsName& name, const SessionCounts& counts) {
  Packer out;
  out.fixed(name.generation);
  out.number(name.position);
  out.text(counts.state);
  out.text(counts.tally);
  std::string bytes = out.take();
  Packer check;
  check.fixed(xxh3_64(bytes, name.key));
  return bytes += check.take();
}

std::optional<SessionCounts> unpack_counts(const CountsName& name, std::string_view piece) {
  if (piece.size() < kCheck) return std::nullopt;
  const std::string_view bytes = piece.substr(0, piece.size() - kCheck);
  Unpacker check(piece.substr(bytes.size()));
  if (check.fixed() != xxh3_64(bytes, name.key)) return std::nullopt;
  Unpacker in(bytes);
  if (in.fixed() != name.generation || in.number() != name.position) return std::nullopt;
  const std::string_view state = in.view(), tally = in.view();
  if (!in.done()) return std::nullopt;
  return SessionCounts{state, tally};
}

CountsFile::CountsFile(FileSystem& file_system, std::string cache, std::string name)
    : file_system_(file_system), cache_(std::move(cache)), name_(std::move(name)) {
  reopen_file();
}

void CountsFile::reopen_file() {
  CacheFile found = open_in_cache(file_system_, cache_, name_);
  file_ = std::move(found.file);
  size_ = found.size;
}

std::optional<SessionCounts> CountsFile::get(const CountsName& name, const CountsSpot& spot,
                                             std::string& buffer) const {
  if (!file_ || spot.size == 0 || spot.offset > size_ || spot.size > size_ - spot.offset) return std::nullopt;
  if (buffer.size() < spot.size) buffer.resize(static_cast<std::size_t>(spot.size));
  const std::span<char> piece(buffer.data(), static_cast<std::size_t>(spot.size));
  const auto count = file_->read_at(spot.offset, piece);
  if (!count || *count != piece.size()) return std::nullopt;
  return unpack_counts(name, {piece.data(), piece.size()});
}

std::optional<std::uint64_t> CountsFile::add(std::string_view pieces) {
  return append_to_cache(file_system_, cache_, name_, pieces);
}

// Readers that still have the old places find pieces that do not match, and ignore them.
void CountsFile::compact(std::span<const Live> live) {
  if (cache_.empty()) return;
  const auto directory = file_system_.open_directory(cache_, true);
  if (!directory) return;
  remove_unfinished(**directory, name_);
  const std::string fresh = unfinished_name(name_, file_system_.entropy());
  std::vector<CountsSpot> before;
  for (const Live& one : live) before.push_back(*one.spot);
  bool whole = false;
  if (const auto file = (*directory)->open(fresh, OpenMode::create_append)) {
    whole = true;
    std::string buffer;
    for (const Live& one : live) {
      if (!get(one.name, *one.spot, buffer)) {
        *one.spot = {};
        continue;
      }
      const auto count = (*file)->append({buffer.data(), static_cast<std::size_t>(one.spot->size)});
      whole = whole && count && *count == one.spot->size;
      one.spot->offset = (*file)->append_end() - one.spot->size;
    }
  }
  if (whole && (*directory)->rename(fresh, name_)) return reopen_file();
  (void)(*directory)->remove(fresh);
  for (std::size_t i = 0; i < live.size(); ++i) *live[i].spot = before[i];
}

}  // namespace holdfast::inline v1
