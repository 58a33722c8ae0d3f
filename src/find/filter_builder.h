// Builds the filters of sessions from their texts, while the index or a search reads
// them.
#pragma once

#include <string>

#include "base/mutex.h"
#include "index/filter_store.h"
#include "index/read_entry.h"
#include "index/trigrams.h"

namespace holdfast::inline v1 {

struct NewFilter {
  SessionFilterEntry entry = {};
  std::string bits = {};
};

// One per thread, so its tables are not allocated for every session.
TrigramSet& trigram_set();

// Returns how much of the log the entry covers.
inline std::uint64_t position_of(const SessionEntry& entry) { return entry.log ? entry.log->position : 0; }

// Returns how many bytes of the log a feed with full checks found to be whole records;
// 0 if it found or read anything else.
std::uint64_t sound_bytes(const DirectoryFeed& feed, const Place& log);

// Builds a filter from the trigrams in trigram_set(), which must be those of all texts of the session as read by
// `feed`.
NewFilter make_filter(const SessionRef& ref, const SessionEntry& entry, const DirectoryFeed& feed,
                      std::int64_t looked_ns, std::uint64_t serial);

class FilterBuilder final : public FullReadListener {
 public:
  // Both arguments must outlive this object; nothing else may use the filters meanwhile.
  FilterBuilder(FileSystem& file_system, FilterStore& filters) : file_system_(file_system), filters_(filters) {}

  void message(Message message) override;
  void end(const SessionRef& ref, const SessionEntry& entry, const DirectoryFeed& feed) override;
  void forget() override;

 private:
  FileSystem& file_system_;
  Mutex mutex_;
  FilterStore& filters_ HOLDFAST_GUARDED_BY(mutex_);
};

}  // namespace holdfast::inline v1
