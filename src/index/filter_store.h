// The filters of a store's sessions: which trigrams their texts contain. Never
// answers no for a trigram that is present; missing, stale or broken filters
// answer "maybe". Two files in the cache (docs/formats/index.md): a list of
// frames, and the bits, to which filters are only appended.
// Thread-safety: `find`, `may_contain` and `bits_of` from any thread, also while one
// thread calls `put`; new filters are found once they are saved.
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
  std::uint64_t generation = 0;             // generation of the session's entry: covers its log ...
  std::uint64_t position = 0;               // ... up to here
  std::uint64_t sound = 0;                  // this many bytes of the log are whole records, verified byte by byte
  std::map<Place, Fingerprint> files = {};  // read in addition to the files of the entry
  std::int64_t looked_ns = 0;
  std::uint64_t count = 0;  // number of trigrams added
  FilterShape shape = {};
  FilterPlace place = {};  // of its blocks in the bits file
};

// Rows that were read to answer for many filters at once; for one thread.
class FilterRows {
 public:
  // Announces that about `asked` filters of the batch at `offset` will be asked, one after the other.
  void begin(std::uint64_t offset, std::size_t asked);

 private:
  friend class FilterStore;
  struct Row {
    std::size_t asked = 0;   // number of questions
    std::string bytes = {};  // empty if not read
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
  // Returns false if the session's texts do not contain all of these.
  bool may_contain(const SessionFilterEntry& entry, std::span<const std::uint32_t> trigrams) const;
  bool may_contain(const SessionFilterEntry& entry, std::span<const std::uint32_t> trigrams, FilterRows& rows) const;
  // Returns the filter's blocks; nullopt unless all of them are whole.
  std::optional<std::string> bits_of(const SessionFilterEntry& entry) const;

  // entry.place is set when the bits are written.
  void put(const SessionKey& key, SessionFilterEntry entry, std::string_view bits);
  bool unsaved() const { return !unsaved_.empty(); }
  // Must have exclusive access. Drops sessions that no longer exist; `keys` are the hashes of those that do.
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
  FilterBatch waiting_;  // bits of the last entries of unsaved_
  std::size_t first_waiting_ = 0;
  std::uint64_t written_ = 0;  // size of the bits file
};

}  // namespace holdfast::inline v1
