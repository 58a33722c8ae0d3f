// Making the filters of sessions out of their texts: while the index reads them, or
// while a search does.
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

// Each thread's own: tables that are not made for every session.
TrigramSet& trigram_set();

// How far the entry knows the log.
inline std::uint64_t position_of(const SessionEntry& entry) { return entry.log ? entry.log->position : 0; }

// How many bytes of the log a feed that checks everything has found to be whole
// records; 0 when there is anything else.
std::uint64_t sound_bytes(const DirectoryFeed& feed, const Place& log);

// Out of what trigram_set() has of all texts of the session, as `feed` has read it and `entry` says.
NewFilter make_filter(const SessionRef& ref, const SessionEntry& entry, const DirectoryFeed& feed,
                      std::int64_t looked_ns, std::uint64_t serial);

class FilterMaker final : public ReadAlong {
 public:
  // Both outlive it; nobody else may use the filters meanwhile.
  FilterMaker(FileSystem& file_system, FilterStore& filters) : file_system_(file_system), filters_(filters) {}

  void message(const Message& message) override;
  void end(const SessionRef& ref, const SessionEntry& entry, const DirectoryFeed& feed) override;
  void forget() override;

 private:
  FileSystem& file_system_;
  Mutex mutex_;
  FilterStore& filters_ HOLDFAST_GUARDED_BY(mutex_);
};

}  // namespace holdfast::inline v1
