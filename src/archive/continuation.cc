#include "archive/continuation.h"

#include <algorithm>
#include <map>

#include "base/hash.h"
#include "layout/belongings.h"
#include "layout/layout.h"

namespace holdfast::inline v1 {
namespace {

// A genuine capture has less than one block to compare.
constexpr std::uint64_t kMaxBytes = 2 * std::uint64_t{kBlockBytes};

using Logs = std::map<std::string_view, const FileVersion*>;

std::string_view name_of(const Place& place) { return std::string_view(place.path).substr(place.path.rfind('/') + 1); }

// The main files of a session by name; all its files if it has no main file.
Logs logs_of(const SessionCopy& copy) {
  Logs logs;
  const Layout* const layout = find_layout(copy.key->layout);
  const Belongings* const belongings = layout == nullptr ? nullptr : belongings_of(*layout);
  const auto add = [&](const Place& place, const FileVersion& version) {
    const FileVersion*& known = logs[name_of(place)];
    if (known == nullptr || known->size < version.size) known = &version;
  };
  if (belongings != nullptr) {
    SessionPaths paths(*belongings, copy.key->id);
    for (const auto& [place, version] : copy.session->head)
      if (paths.add_main(place.path)) add(place, *version);
  }
  if (logs.empty())
    for (const auto& [place, version] : copy.session->head) add(place, *version);
  return logs;
}

// Whether the blocks of `version` from number `first` on consist of these bytes, up to the end of the bytes.
// Blocks are named by their content.
bool are_bytes(const FileVersion& version, std::size_t first, std::string_view bytes) {
  for (std::size_t i = first; i < version.blocks.size() && !bytes.empty(); ++i) {
    const FileBlock& block = version.blocks[i];
    if (block.size > bytes.size() || sha256_hex(bytes.substr(0, block.size)) != block.name) return false;
    bytes.remove_prefix(block.size);
  }
  return bytes.empty();
}

bool begins_with(const SessionCopy& longer, const FileVersion& mine, const SessionCopy& other, const FileVersion& its) {
  if (mine.size < its.size) return false;
  std::size_t same = 0;
  std::uint64_t from = 0;
  while (same < std::min(mine.blocks.size(), its.blocks.size()) && mine.blocks[same] == its.blocks[same])
    from += mine.blocks[same++].size;
  if (same == its.blocks.size()) return true;
  if (same == mine.blocks.size() || mine.blocks[same].size == its.blocks[same].size) return false;
  // The rest may be the same in other pieces: the tail is cut as it was captured.
  if (its.size - from > kMaxBytes) return false;
  if (const auto bytes = bytes_in(longer.read, mine, from, its.size)) return are_bytes(its, same, *bytes);
  const auto bytes = bytes_in(other.read, its, from, its.size);
  return bytes && are_bytes(mine, same, *bytes);
}

}  // namespace

std::uint64_t log_bytes(const SessionCopy& copy) {
  std::uint64_t sum = 0;
  for (const auto& [name, version] : logs_of(copy)) sum += version->size;
  return sum;
}

std::optional<std::string> bytes_in(const ReadBlock& read, const FileVersion& version, std::uint64_t from,
                                    std::uint64_t to) {
  std::string bytes;
  std::uint64_t at = 0;
  for (const FileBlock& block : version.blocks) {
    if (at >= to) break;
    const std::uint64_t end = at + block.size;
    if (end > from) {
      const auto here = read ? read(block) : std::nullopt;
      if (!here || here->size() != block.size) return std::nullopt;
      const std::uint64_t first = std::max(from, at) - at;
      bytes.append(*here, static_cast<std::size_t>(first), static_cast<std::size_t>(std::min(to, end) - at - first));
    }
    at = end;
  }
  return bytes;
}

std::optional<std::string> read_if_there(Packs& packs, const FileBlock& block) {
  if (packs.find(block.name) == nullptr) return std::nullopt;
  auto bytes = packs.read(block.name);
  if (!bytes || bytes->size() != block.size) return std::nullopt;
  return *std::move(bytes);
}

bool continues(const SessionCopy& longer, const SessionCopy& other) {
  const Logs mine = logs_of(longer), its = logs_of(other);
  return !its.empty() && std::ranges::all_of(its, [&](const auto& log) {
    const auto same = mine.find(log.first);
    return same != mine.end() && begins_with(longer, *same->second, other, *log.second);
  });
}

}  // namespace holdfast::inline v1
