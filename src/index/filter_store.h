// The filters of a store's sessions: which trigrams their texts hold. Never says
// no to one that is there; whatever is missing, stale or broken is "maybe".
// Two files in the cache (docs/formats/index.md): a list of frames, and the bits,
// to which filters are only ever added.
// Thread-safety: `find`, `may_hold` and `bits_of` from any thread, also while one
// thread puts; what is put is found once it is saved.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "index/by_hash.h"
#include "index/filter_batch.h"
#include "index/filter_bits.h"
#include "index/frame_file.h"
#include "index/session_index.h"

namespace holdfast::inline v1 {

struct SessionFilterEntry {
  std::uint64_t generation = 0;  // of the session's entry: what was in its log ...
  std::uint64_t position = 0;    // ... up to here
  std::uint64_t sound = 0;       // so many bytes of the log are whole records, as a check of every byte has shown
  std::map<Place, Fingerprint> files = {};  // read beside what the entry names
  std::int64_t looked_ns = 0;
  std::uint64_t count = 0;  // of trigrams that were added
  FilterShape shape = {};
  FilterPlace place = {};  // of its blocks in the file of bits
};

// What was read to answer for many filters at once; for one thread.
class FilterRows {
 public:
  // From now on about `asked` filters of the batch at `offset` are asked, one after the other.
  void begin(std::uint64_t offset, std::size_t asked);

 private:
  friend class FilterStore;
  struct Row {
    std::size_t asked = 0;   // times that it was asked
    std::string bytes = {};  // empty: not read
  };
  std::uint64_t offset_ = UINT64_MAX;
  std::size_t asked_ = 0;
  bool one_read_ = false;
  std::array<Row, kFilterRows> rows_ = {};
};

class FilterStore {
 public:
  FilterStore(FileSystem& file_system, const std::string& cache, const std::string& store);

  const SessionFilterEntry* find(const SessionKey& key) const;
  // False: the session's texts hold not all of these.
  bool may_hold(const SessionFilterEntry& entry, std::span<const std::uint32_t> trigrams) const;
  bool may_hold(const SessionFilterEntry& entry, std::span<const std::uint32_t> trigrams, FilterRows& rows) const;
  // Its blocks; nullopt when they are not all whole.
  std::optional<std::string> bits_of(const SessionFilterEntry& entry) const;

  // entry.place is set when its bits are written.
  void put(const SessionKey& key, SessionFilterEntry entry, std::string_view bits);
  bool unsaved() const { return !unsaved_.empty(); }
  // Nobody else may use it meanwhile. Forgets what is not among the sessions that are there now (hashes of their keys).
  void save(const std::vector<std::uint64_t>& keys);

 private:
  struct Unsaved {
    std::uint64_t key;
    SessionFilterEntry entry;
  };
  std::string_view block(const SessionFilterEntry& entry, std::uint32_t number, FilterRows& rows,
                         std::span<char, kFilterBlock> into) const;
  void write_bits();
  void compact();
  void write_list();
  void reopen();

  FileSystem& file_system_;
  std::string cache_, bits_name_;
  FrameFile list_;
  std::unique_ptr<File> bits_;
  ByHash<SessionFilterEntry> entries_;
  std::vector<Unsaved> unsaved_;
  FilterBatch waiting_;  // bits of the last of them
  std::size_t first_waiting_ = 0;
  std::uint64_t written_ = 0;  // bytes of the file of bits
};

}  // namespace holdfast::inline v1
