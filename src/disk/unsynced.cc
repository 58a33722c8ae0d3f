#include "disk/unsynced.h"

#include <algorithm>

namespace holdfast::inline v1 {

void Unsynced::make_room(std::span<const std::string_view> lines) {
  std::size_t size = store_.size();
  for (const auto line : lines) size += line.size() + 1;
  if (size > store_.capacity()) store_.reserve(size);
  if (pieces_.size() == pieces_.capacity()) pieces_.reserve(2 * pieces_.size() + 1);
}

void Unsynced::add(std::uint64_t sequence, std::uint64_t offset, std::span<const std::string_view> lines) {
  const std::size_t at = store_.size();
  for (const auto line : lines) store_.append(line).push_back('\n');
  pieces_.push_back({sequence, offset, at, store_.size() - at});
}

void Unsynced::covered(std::uint64_t sequence) {
  const auto kept = std::ranges::find_if(pieces_, [&](const Piece& piece) { return piece.sequence > sequence; });
  if (kept == pieces_.end()) return clear();
  const std::size_t cut = kept->at;
  pieces_.erase(pieces_.begin(), kept);
  store_.erase(0, cut);
  for (auto& piece : pieces_) piece.at -= cut;
}

void Unsynced::clear() {
  pieces_.clear();
  store_.clear();
}

Result<std::size_t> Unsynced::drop_replaced_bytes(File& file) {
  std::vector<Piece> kept;
  std::string store;
  std::string found;
  for (const Piece& piece : pieces_) {
    const std::string_view ours = std::string_view(store_).substr(piece.at, piece.size);
    found.resize(piece.size);
    HOLDFAST_LET(count, file.read_at(piece.offset, found));
    const bool fits = count == piece.size && std::ranges::equal(found, ours, [](char there, char mine) {
                        return there == mine || there == '\0';
                      });
    if (!fits) continue;
    kept.push_back({piece.sequence, piece.offset, store.size(), piece.size});
    store.append(ours);
  }
  const std::size_t gone = store_.size() - store.size();
  pieces_ = std::move(kept);
  store_ = std::move(store);
  return gone;
}

void Unsynced::overlay(std::string& chunk, std::uint64_t offset) const {
  const std::uint64_t end = offset + chunk.size();
  for (const auto& piece : pieces_) {
    const std::uint64_t from = std::max(offset, piece.offset);
    const std::uint64_t to = std::min(end, piece.offset + piece.size);
    if (from >= to) continue;
    const auto ours = std::string_view(store_).substr(piece.at + (from - piece.offset), to - from);
    std::ranges::copy(ours, chunk.begin() + static_cast<std::ptrdiff_t>(from - offset));
  }
}

}  // namespace holdfast::inline v1
