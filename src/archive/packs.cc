#include "archive/packs.h"

#include <algorithm>
#include <charconv>

#include "base/hash.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kDigits = 6;
constexpr std::uint64_t kMaxIndex = std::uint64_t{96} << 20;  // of a full pack of the smallest chunks
constexpr std::size_t kMaxIndexLine = 128;
constexpr std::size_t kWindow = std::size_t{64} << 10;
constexpr std::size_t kOpenPacks = 32;

std::string numbered(std::uint32_t pack, std::string_view end) {
  std::string number = std::to_string(pack);
  if (number.size() < kDigits) number.insert(0, kDigits - number.size(), '0');
  return std::string(kPacks) + "/" + number + std::string(end);
}

template <typename Number>
bool take_number(std::string_view& text, char end, Number& number) {
  const auto [at, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const auto used = static_cast<std::size_t>(at - text.data());
  if (error != std::errc() || used == text.size() || text[used] != end) return false;
  text.remove_prefix(used + 1);
  return true;
}

// The number in "000001.zst" or "000001.idx"; 0 if it is neither.
std::uint32_t number_of(std::string_view name) {
  const std::string_view whole = name;
  std::uint32_t number = 0;
  if (!take_number(name, '.', number)) return 0;
  const bool ours =
      pack_path(number).ends_with("/" + std::string(whole)) || index_path(number).ends_with("/" + std::string(whole));
  return ours ? number : 0;
}

// Empty if the file is longer than `limit`.
Result<std::string> whole_file(Directory& directory, const std::string& path, std::uint64_t limit) {
  HOLDFAST_LET(file, directory.open(path, OpenMode::read));
  HOLDFAST_LET(stat, file->stat());
  if (stat.size > limit) return std::string();
  std::string bytes(static_cast<std::size_t>(stat.size), '\0');
  HOLDFAST_LET(size, file->read_at(0, bytes));
  bytes.resize(size);
  return bytes;
}

// Skips damage: returns where the next header begins, or `size`.
Result<std::uint64_t> next_header(File& file, std::uint64_t from, std::uint64_t size) {
  std::string window(kWindow, '\0');
  while (from + kChunkHeaderBytes <= size) {
    HOLDFAST_LET(count, file.read_at(from, window));
    const std::string_view bytes = std::string_view(window).substr(0, count);
    std::size_t at = bytes.find(kChunkMagic);
    while (at != std::string_view::npos && at + kChunkHeaderBytes <= count) {
      if (read_chunk_header(bytes.substr(at))) return from + at;
      at = bytes.find(kChunkMagic, at + 1);
    }
    if (count < window.size()) break;
    from += at == std::string_view::npos ? count - kChunkMagic.size() + 1 : at;
  }
  return size;
}

// Differs between processes.
std::uint64_t seed_of_names() {
  static const std::uint64_t seed = real_file_system().entropy();
  return seed;
}

}  // namespace

std::size_t Packs::HashOfName::operator()(const RawChunkName& name) const {
  return xxh3_64({name.data(), name.size()}, seed_of_names());
}

std::string pack_path(std::uint32_t pack) { return numbered(pack, ".zst"); }
std::string index_path(std::uint32_t pack) { return numbered(pack, ".idx"); }

Result<Packs> Packs::load(const Context& context, Directory& directory) {
  Packs packs(directory);
  auto entries = directory.list(kPacks);
  if (!entries && entries.error().code == Code::not_found) return packs;
  if (!entries) return fail(std::move(entries).error());
  std::vector<std::uint32_t> numbers;
  for (const DirectoryEntry& entry : *entries) {
    const std::uint32_t number = entry.kind == FileKind::file ? number_of(entry.name) : 0;
    if (entry.name.ends_with(".idx"))
      packs.last_index_ = std::max(packs.last_index_, number);
    else if (number != 0)
      numbers.push_back(number);
  }
  std::ranges::sort(numbers);
  for (const std::uint32_t number : numbers) HOLDFAST_TRY(packs.load_pack(context, number));
  return packs;
}

Result<File*> Packs::opened(std::uint32_t pack) {
  if (files_.size() >= kOpenPacks && !files_.contains(pack)) files_.clear();
  auto& file = files_[pack];
  if (!file) {
    HOLDFAST_LET(opened, directory_->open(pack_path(pack), OpenMode::read));
    file = std::move(opened);
  }
  return file.get();
}

Result<void> Packs::load_pack(const Context& context, std::uint32_t pack) {
  HOLDFAST_LET(file, opened(pack));
  HOLDFAST_LET(stat, file->stat());
  ends_[pack] = 0;
  HOLDFAST_LET(covered, load_index(pack, stat.size));
  indexed_[pack] = covered;
  return walk(context, *file, pack, covered, stat.size);
}

Result<Packs::PlacedChunks> Packs::rescan(const Context& context, std::uint32_t pack, std::uint64_t from) {
  HOLDFAST_LET(file, opened(pack));
  HOLDFAST_LET(stat, file->stat());
  cut(pack, from);
  PlacedChunks found;
  HOLDFAST_TRY(walk(context, *file, pack, from, stat.size, &found));
  return found;
}

// Loads as much of the index as is plausible (each chunk begins where the previous one ends). Returns the end of that.
Result<std::uint64_t> Packs::load_index(std::uint32_t pack, std::uint64_t size) {
  auto bytes = whole_file(*directory_, index_path(pack), kMaxIndex);
  if (!bytes) return bytes.error().code == Code::not_found ? Result<std::uint64_t>(0) : fail(bytes.error());
  std::string_view text = *bytes;
  std::uint64_t end = 0;
  while (!text.empty()) {
    const std::size_t blank = std::min(text.find(' '), text.size());
    const auto name = raw_chunk_name(text.substr(0, blank));
    if (!name || blank == text.size()) break;
    text.remove_prefix(blank + 1);
    ChunkPlace place{.pack = pack};
    if (!take_number(text, ' ', place.offset) || !take_number(text, ' ', place.packed) ||
        !take_number(text, '\n', place.plain))
      break;
    if (place.offset != end + kChunkHeaderBytes || place.end() > size || place.plain > kMaxChunk ||
        place.packed > 2 * kMaxChunk)
      break;
    add(*name, place);
    end = place.end();
  }
  ends_[pack] = end;
  return end;
}

Result<void> Packs::walk(const Context& context, File& file, std::uint32_t pack, std::uint64_t from, std::uint64_t size,
                         PlacedChunks* found) {
  std::string bytes(kChunkHeaderBytes, '\0');
  while (from + kChunkHeaderBytes <= size) {
    HOLDFAST_TRY(context.check());
    HOLDFAST_LET(count, file.read_at(from, bytes));
    if (count < bytes.size()) break;
    const auto header = read_chunk_header(bytes);
    if (!header || from + kChunkHeaderBytes + header->packed > size) {
      HOLDFAST_LET(next, next_header(file, from + 1, size));
      from = next;
      continue;
    }
    const ChunkPlace place{pack, from + kChunkHeaderBytes, header->packed, header->plain};
    add(header->name, place);
    from = place.end();
    if (!is_behind_limit(place)) ends_[pack] = from;
    if (found != nullptr) found->emplace_back(header->name, place);
  }
  return {};
}

bool Packs::is_behind_limit(const ChunkPlace& place) const {
  const auto limit = limits_.find(place.pack);
  return limit != limits_.end() && place.end() > limit->second;
}

void Packs::add(const std::string& name, const ChunkPlace& place) {
  if (const auto raw = raw_chunk_name(name)) add(*raw, place);
}

void Packs::add(const RawChunkName& name, const ChunkPlace& place) {
  if (is_behind_limit(place)) return;
  const auto [known, fresh] = chunks_.try_emplace(name, place);
  if (!fresh && (known->second.pack != place.pack || known->second.offset != place.offset)) again_.emplace(name, place);
}

void Packs::drop(std::uint32_t pack, std::uint64_t from) {
  const auto is_behind = [&](const auto& chunk) { return chunk.second.pack == pack && chunk.second.end() > from; };
  std::erase_if(again_, is_behind);
  for (auto chunk = chunks_.begin(); chunk != chunks_.end();) {
    if (!is_behind(*chunk)) {
      ++chunk;
    } else if (const auto other = again_.find(chunk->first); other != again_.end()) {
      chunk->second = other->second;
      again_.erase(other);
      ++chunk;
    } else {
      chunk = chunks_.erase(chunk);
    }
  }
}

void Packs::limit(std::uint32_t pack, std::uint64_t end) {
  limits_[pack] = end;
  cut(pack, end);
}

const ChunkPlace* Packs::find(std::string_view name) const {
  const auto raw = raw_chunk_name(name);
  const auto found = raw ? chunks_.find(*raw) : chunks_.end();
  return found == chunks_.end() ? nullptr : &found->second;
}

Result<std::string> Packs::read_at(std::string_view name, const ChunkPlace& place) {
  HOLDFAST_LET(file, opened(place.pack));
  std::string bytes(kChunkHeaderBytes + place.packed, '\0');
  HOLDFAST_LET(count, file->read_at(place.offset - kChunkHeaderBytes, bytes));
  bytes.resize(count);
  const auto header = read_chunk_header(bytes);
  if (!header || header->name != name || header->packed != place.packed)
    return fail(Code::corrupt, "chunk " + std::string(name) + " is no longer where it was", pack_path(place.pack));
  auto plain = unpack_chunk(*header, std::string_view(bytes).substr(kChunkHeaderBytes));
  if (!plain) plain.error().path = pack_path(place.pack);
  return plain;
}

Result<std::string> Packs::read(std::string_view name) {
  const ChunkPlace* place = find(name);
  if (place != nullptr) {
    auto plain = read_any(name, *place);
    if (plain || plain.error().code != Code::corrupt || walked_all_) return plain;
  }
  // The index may have been wrong.
  if (!walked_all_) HOLDFAST_TRY(walk_all());
  place = find(name);
  if (place == nullptr) return fail(Code::not_found, "chunk " + std::string(name) + " is in no pack");
  return read_any(name, *place);
}

// A chunk that is stored twice was written again because the first copy could not be trusted.
Result<std::string> Packs::read_any(std::string_view name, const ChunkPlace& place) {
  auto plain = read_at(name, place);
  const auto raw = raw_chunk_name(name);
  if (plain || !raw) return plain;
  const auto [from, to] = again_.equal_range(*raw);
  for (auto other = from; !plain && other != to; ++other) {
    if (auto second = read_at(name, other->second)) plain = std::move(second);
  }
  return plain;
}

std::map<std::uint64_t, std::pair<std::string, ChunkPlace>> Packs::in_pack(std::uint32_t pack) const {
  std::map<std::uint64_t, std::pair<std::string, ChunkPlace>> found;
  const auto take = [&](const auto& chunks) {
    for (const auto& [name, place] : chunks)
      if (place.pack == pack) found.emplace(place.offset, std::pair(chunk_name(name), place));
  };
  take(chunks_);
  take(again_);
  return found;
}

Result<std::string> Packs::packed(std::string_view name) {
  HOLDFAST_TRY(read(name));
  const ChunkPlace* const place = find(name);
  std::vector<ChunkPlace> places{*place};
  const auto [from, to] = again_.equal_range(raw_chunk_name(name).value_or(RawChunkName()));
  for (auto other = from; other != to; ++other) places.push_back(other->second);
  for (const ChunkPlace& one : places) {
    if (!read_at(name, one)) continue;
    HOLDFAST_LET(file, opened(one.pack));
    std::string bytes(kChunkHeaderBytes + one.packed, '\0');
    HOLDFAST_LET(count, file->read_at(one.offset - kChunkHeaderBytes, bytes));
    bytes.resize(count);
    return bytes;
  }
  return fail(Code::corrupt, "chunk " + std::string(name) + " cannot be read");
}

Result<std::string> Packs::packed_unverified(std::string_view name) {
  const ChunkPlace* const place = find(name);
  if (place == nullptr) return fail(Code::not_found, "chunk " + std::string(name) + " is in no pack");
  HOLDFAST_LET(file, opened(place->pack));
  std::string bytes(kChunkHeaderBytes + place->packed, '\0');
  HOLDFAST_LET(count, file->read_at(place->offset - kChunkHeaderBytes, bytes));
  if (count != bytes.size()) return fail(Code::corrupt, "the pack is shorter than it was", pack_path(place->pack));
  return bytes;
}

void Packs::prefer_whole() {
  // A later scan would forget which copies are preferred.
  if (!again_.empty() && !walked_all_) (void)walk_all();
  for (auto& [name, place] : chunks_) {
    const auto [from, to] = again_.equal_range(name);
    if (from == to) continue;
    const std::string its_name = chunk_name(name);
    if (is_whole(its_name, place)) continue;
    const auto whole = std::find_if(from, to, [&](const auto& other) { return is_whole(its_name, other.second); });
    if (whole != to) std::swap(place, whole->second);
  }
}

std::uint64_t Packs::bytes_outside_chunks(std::uint32_t pack, std::uint64_t size) const {
  std::uint64_t known = 0;
  for (const auto& [offset, chunk] : in_pack(pack)) known += kChunkHeaderBytes + chunk.second.packed;
  return size > known ? size - known : 0;
}

Result<bool> Packs::has(std::string_view name) {
  const ChunkPlace* const place = find(name);
  if (place == nullptr) return false;
  HOLDFAST_LET(file, opened(place->pack));
  std::string bytes(kChunkHeaderBytes, '\0');
  HOLDFAST_LET(count, file->read_at(place->offset - kChunkHeaderBytes, bytes));
  const auto header = read_chunk_header(std::string_view(bytes).substr(0, count));
  if (header && header->name == name && header->packed == place->packed) return true;
  if (!walked_all_) HOLDFAST_TRY(walk_all());
  return find(name) != nullptr;
}

Result<void> Packs::walk_all() {
  walked_all_ = true;
  chunks_.clear();
  again_.clear();
  indexed_.clear();  // one that is wrong is not appended to
  for (auto& [pack, end] : ends_) {
    HOLDFAST_LET(file, opened(pack));
    HOLDFAST_LET(stat, file->stat());
    end = 0;
    HOLDFAST_TRY(walk({}, *file, pack, 0, stat.size));
  }
  return {};
}

void Packs::cut(std::uint32_t pack, std::uint64_t from) {
  std::uint64_t& end = ends_[pack];
  if (end <= from) return;
  drop(pack, from);
  end = from;
}

void Packs::remove(std::uint32_t pack) {
  drop(pack, 0);
  ends_.erase(pack);
  files_.erase(pack);
}

std::uint64_t Packs::index_end(std::uint32_t pack) const {
  const auto file = directory_->open(index_path(pack), OpenMode::read);
  const auto stat = file ? (*file)->stat() : Result<FileStat>(fail(file.error()));
  if (!stat) return 0;
  std::string end(std::min<std::uint64_t>(stat->size, kMaxIndexLine), '\0');
  end.resize((*file)->read_at(stat->size - end.size(), end).value_or(0));
  if (!end.ends_with('\n')) return 0;
  const std::size_t before = end.rfind('\n', end.size() - 2);
  std::string_view line = std::string_view(end).substr(before == std::string::npos ? 0 : before + 1);
  line.remove_prefix(std::min(line.size(), line.find(' ') + 1));
  std::uint64_t offset = 0, packed = 0;
  return take_number(line, ' ', offset) && take_number(line, ' ', packed) ? offset + packed : 0;
}

std::uint64_t Packs::indexed(std::uint32_t pack) const {
  const auto known = indexed_.find(pack);
  return known == indexed_.end() ? 0 : known->second;
}

std::unordered_map<std::string, ChunkPlace> Packs::all() const {
  std::unordered_map<std::string, ChunkPlace> all;
  all.reserve(chunks_.size());
  for (const auto& [name, place] : chunks_) all.emplace(chunk_name(name), place);
  return all;
}

std::string Packs::index_of(std::uint32_t pack) const {
  std::string text;
  for (const auto& [offset, chunk] : in_pack(pack)) text += index_line(chunk.first, chunk.second);
  return text;
}

std::string Packs::index_line(std::string_view name, const ChunkPlace& place) {
  return std::string(name) + " " + std::to_string(place.offset) + " " + std::to_string(place.packed) + " " +
         std::to_string(place.plain) + "\n";
}

}  // namespace holdfast::inline v1
