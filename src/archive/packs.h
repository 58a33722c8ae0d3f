// The packs of an archive as they are read: which chunk lies where. Indexes beside
// packs are derived; what they do not cover, or tell wrongly, is found by walking
// over the pack itself. Lifetime: the directory outlives it.
// Thread-safety: one thread an object.
#pragma once

#include <holdfast/context.h>
#include <holdfast/file_system.h>

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
inline constexpr std::uint64_t kPackBytes = std::uint64_t{64} << 20;  // where a pack ends

struct ChunkPlace {
  std::uint32_t pack = 0;
  std::uint64_t offset = 0;  // of the zstd frame; its header is before it
  std::uint32_t packed = 0;
  std::uint32_t plain = 0;

  std::uint64_t end() const { return offset + packed; }
};

std::string pack_path(std::uint32_t pack);   // "packs/000001.zst"
std::string index_path(std::uint32_t pack);  // "packs/000001.idx"

class Packs {
 public:
  // Of an archive that may have none yet. `to_write`: what the last pack holds is not taken from its index.
  static Result<Packs> load(const Context& context, Directory& directory, bool to_write = false);

  const ChunkPlace* find(std::string_view name) const;
  // Whether it is there: an index that a crash brought back may tell of chunks that were cut since.
  Result<bool> has(std::string_view name);
  // The plain bytes, checked. not_found, or corrupt, names the pack.
  Result<std::string> read(std::string_view name);

  // Header and frame of it as they lie in a pack, checked like read().
  Result<std::string> packed(std::string_view name);
  // The same of one that cannot be read: whatever lies there.
  Result<std::string> packed_as_it_is(std::string_view name);
  // Of a chunk that is there more than once one that is whole counts, if there is one.
  void prefer_whole();
  // How many bytes of the pack are of no chunk.
  std::uint64_t strange_bytes(std::uint32_t pack, std::uint64_t size) const;

  // Every pack, and where its last whole chunk ends.
  const std::map<std::uint32_t, std::uint64_t>& ends() const { return ends_; }
  std::uint32_t last() const { return ends_.empty() ? 0 : ends_.rbegin()->first; }
  std::size_t count() const { return chunks_.size(); }
  // A copy: to read one of them may show that an index was wrong, and then they are all looked for again.
  auto all() const { return chunks_; }

  // The chunks of that pack by where they lie, also those that lie elsewhere too.
  std::map<std::uint64_t, std::pair<std::string, ChunkPlace>> in_pack(std::uint32_t pack) const;
  // Whether the one that lies there is what its name says.
  bool is_whole(std::string_view name, const ChunkPlace& place) { return read_at(name, place).has_value(); }

  // Keeps what is written meanwhile.
  void add(const std::string& name, const ChunkPlace& place);
  void set_end(std::uint32_t pack, std::uint64_t end) { ends_[pack] = end; }
  // Forgets the chunks of that pack from there on.
  void cut(std::uint32_t pack, std::uint64_t from);
  // The pack is no longer there.
  void remove(std::uint32_t pack);
  // Nothing behind `end` in that pack counts, now or when it is walked over again.
  void limit(std::uint32_t pack, std::uint64_t end);
  // The index file of a pack: "NAME OFFSET PACKED PLAIN", a chunk a line, in the order of the pack.
  std::string index_of(std::uint32_t pack) const;

 private:
  explicit Packs(Directory& directory) : directory_(&directory) {}
  Result<void> load_pack(const Context& context, std::uint32_t pack, bool by_index);
  Result<std::uint64_t> load_index(std::uint32_t pack, std::uint64_t size);
  void drop(std::uint32_t pack, std::uint64_t from);
  Result<std::string> read_any(std::string_view name, const ChunkPlace& place);
  Result<std::string> read_at(std::string_view name, const ChunkPlace& place);
  Result<void> walk(const Context& context, File& file, std::uint32_t pack, std::uint64_t from, std::uint64_t size);
  Result<File*> opened(std::uint32_t pack);
  // Finds everything anew, out of the packs alone.
  Result<void> walk_all();

  Directory* directory_;
  std::unordered_map<std::string, ChunkPlace> chunks_;
  std::unordered_multimap<std::string, ChunkPlace> again_;  // those that are there more than once
  std::map<std::uint32_t, std::uint64_t> ends_;
  std::map<std::uint32_t, std::unique_ptr<File>> files_;
  std::map<std::uint32_t, std::uint64_t> limits_;
  bool walked_all_ = false;
};

}  // namespace holdfast::inline v1
