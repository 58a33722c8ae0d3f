// Reads the packs of an archive: knows where each chunk is. The index files beside
// packs are derived; chunks that an index lacks or misplaces are found by scanning
// the pack. Lifetime: the directory must outlive the object.
// Thread-safety: one thread per object.
#pragma once

#include <holdfast/context.h>
#include <holdfast/file_system.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "archive/chunk.h"

namespace holdfast::inline v1 {

inline constexpr std::string_view kPacks = "packs";
inline constexpr std::uint64_t kPackBytes = std::uint64_t{64} << 20;  // size at which a new pack is begun

struct ChunkPlace {
  std::uint32_t pack = 0;
  std::uint64_t offset = 0;  // of the zstd frame; the chunk header precedes it
  std::uint32_t packed = 0;
  std::uint32_t plain = 0;

  std::uint64_t end() const { return offset + packed; }
};

std::string pack_path(std::uint32_t pack);   // "packs/000001.zst"
std::string index_path(std::uint32_t pack);  // "packs/000001.idx"

class Packs {
 public:
  // The archive may have no packs yet.
  static Result<Packs> load(const Context& context, Directory& directory);

  const ChunkPlace* find(std::string_view name) const;
  // Whether the chunk really exists. After a crash, an old index may list chunks that were cut off since.
  Result<bool> has(std::string_view name);
  // The plain bytes, verified. Fails with not_found or corrupt; the error names the pack.
  Result<std::string> read(std::string_view name);

  // Header and frame of a chunk as stored in a pack, verified like read().
  Result<std::string> packed(std::string_view name);
  // The same without verifying, for a chunk that cannot be read.
  Result<std::string> packed_unverified(std::string_view name);
  // Finds every chunk in the packs themselves, whatever their index files say.
  Result<void> scan() { return walked_all_ ? Result<void>() : walk_all(); }
  // The same for the chunks of one pack that end after `from`, the end of a chunk. Returns them in the order of the
  // pack; bytes that belong to no chunk may be between them.
  using PlacedChunks = std::vector<std::pair<std::string, ChunkPlace>>;
  Result<PlacedChunks> rescan(const Context& context, std::uint32_t pack, std::uint64_t from);
  // For chunks that are stored more than once, uses a copy that is whole, if there is one.
  void prefer_whole();
  // The number of bytes in the pack that belong to no chunk.
  std::uint64_t bytes_outside_chunks(std::uint32_t pack, std::uint64_t size) const;

  // Every pack, with the end of its last whole chunk up to its limit.
  const std::map<std::uint32_t, std::uint64_t>& ends() const { return ends_; }
  std::uint32_t last() const { return ends_.empty() ? 0 : ends_.rbegin()->first; }
  // The highest number of a pack or an index: a pack that is missing may be put back.
  std::uint32_t highest_number() const { return std::max(last(), last_index_); }
  std::size_t count() const { return chunks_.size(); }
  // Returns a copy, because reading a chunk may reveal a wrong index and then scans all packs again.
  std::unordered_map<std::string, ChunkPlace> all() const;

  // The chunks of the pack by offset, including those that are also in other packs.
  std::map<std::uint64_t, std::pair<std::string, ChunkPlace>> in_pack(std::uint32_t pack) const;
  // Whether the chunk at `place` matches its name.
  bool is_whole(std::string_view name, const ChunkPlace& place) { return read_at(name, place).has_value(); }

  // Records a chunk that was just written or found.
  void add(const std::string& name, const ChunkPlace& place);
  void set_end(std::uint32_t pack, std::uint64_t end) { ends_[pack] = end; }
  // Forgets the chunks of the pack that end after `from`.
  void cut(std::uint32_t pack, std::uint64_t from);
  // Forgets a pack that was deleted.
  void remove(std::uint32_t pack);
  // Ignores everything after `end` in the pack, also in later scans.
  void limit(std::uint32_t pack, std::uint64_t end);
  // The end of the last chunk that the pack's index file has; 0 if there is none.
  std::uint64_t index_end(std::uint32_t pack) const;
  // The content of a pack's index file: one line "NAME OFFSET PACKED PLAIN" per chunk, in the order of the pack.
  std::string index_of(std::uint32_t pack) const;
  static std::string index_line(std::string_view name, const ChunkPlace& place);
  // Up to where the index file was found to be plausible when the packs were loaded.
  std::uint64_t indexed(std::uint32_t pack) const;

 private:
  struct HashOfName {
    // A pack can claim any names, so nobody must know which of them collide.
    std::size_t operator()(const RawChunkName& name) const;
  };

  explicit Packs(Directory& directory) : directory_(&directory) {}
  Result<void> load_pack(const Context& context, std::uint32_t pack);
  void add(const RawChunkName& name, const ChunkPlace& place);
  Result<std::uint64_t> load_index(std::uint32_t pack, std::uint64_t size);
  void drop(std::uint32_t pack, std::uint64_t from);
  bool is_behind_limit(const ChunkPlace& place) const;
  Result<std::string> read_any(std::string_view name, const ChunkPlace& place);
  Result<std::string> read_at(std::string_view name, const ChunkPlace& place);
  Result<void> walk(const Context& context, File& file, std::uint32_t pack, std::uint64_t from, std::uint64_t size,
                    PlacedChunks* found = nullptr);
  Result<File*> opened(std::uint32_t pack);
  // Rebuilds everything from the packs alone.
  Result<void> walk_all();

  Directory* directory_;
  std::unordered_map<RawChunkName, ChunkPlace, HashOfName> chunks_;
  // Further copies of chunks that are stored more than once.
  std::unordered_multimap<RawChunkName, ChunkPlace, HashOfName> again_;
  std::map<std::uint32_t, std::uint64_t> ends_;
  std::map<std::uint32_t, std::uint64_t> indexed_;
  std::map<std::uint32_t, std::unique_ptr<File>> files_;
  std::map<std::uint32_t, std::uint64_t> limits_;
  std::uint32_t last_index_ = 0;
  bool walked_all_ = false;
};

}  // namespace holdfast::inline v1
