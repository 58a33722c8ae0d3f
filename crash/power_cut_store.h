// The store that the real-disk parts attack: two roots with a log of ours, a
// shared log, a document, commits over both roots and a counter; the ledger of
// what its writers were promised; and the inspection that compares the two.
#pragma once

#include <holdfast/append_log.h>
#include <holdfast/root.h>

#include <array>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <string_view>

#include "lab.h"

namespace holdfast::lab {

enum class Stream : std::uint32_t { ours, shared, document, commit, counter };
inline constexpr std::size_t kStreams = 5;
std::string_view stream_name(Stream stream);

// Present in every 4 KiB of every record and document, so a device can be told to fail on this data only.
inline constexpr std::string_view kMarker = "LABDATA";

// The bytes depend only on stream and number: 60 bytes to 6 KB, sometimes 20 KB.
std::string record_of(Stream stream, std::uint32_t number);

class Store {
 public:
  static Result<std::unique_ptr<Store>> open(const Context& context, FileSystem& file_system, const std::string& path,
                                             std::chrono::milliseconds sync_interval = std::chrono::milliseconds(1000));

  // Runs one operation with its number; the numbers of a stream increase.
  // Returns the number handed out for `counter`, otherwise 0.
  Result<std::uint64_t> act(const Context& context, Stream stream, std::uint32_t number,
                            Durability durability = Durability::power);

  AppendLog& log(Stream stream) { return stream == Stream::shared ? *shared_ : *ours_; }
  Root& root() { return *a_; }

 private:
  std::shared_ptr<Root> a_;
  std::shared_ptr<Root> b_;
  std::unique_ptr<AppendLog> ours_;
  std::unique_ptr<AppendLog> shared_;
};

// What must be in the store.
struct Ledger {
  std::array<std::set<std::uint32_t>, kStreams> promised;
  std::uint64_t highest_number = 0;  // of the counter
  std::uint64_t count = 0;

  void promise(Stream stream, std::uint32_t number, std::uint64_t value);
};

struct Inspection {
  bool write = true;              // open for writing, so recovery and repair happen
  bool full = false;              // no room: a log may fail with disk_full, a commit may wait
  std::uint64_t damaged = 0;      // out: places that readers reported
  std::uint64_t quarantined = 0;  // out: repairs with a copy in quarantine
  std::uint64_t waiting = 0;      // out: commits that could not be finished yet
};

// Opens and reads everything, and counts broken promises in `outcome`: lost and
// altered records, stores that do not open, documents older than promised,
// half-visible commits, logs of ours that do not end in a newline, bytes cut
// without a copy.
void inspect(FileSystem& file_system, const std::string& path, const Ledger& ledger, const std::string& where,
             Inspection& inspection, Outcome& outcome);

}  // namespace holdfast::lab
