// How a layout gets bytes: it asks, the engine feeds (decision 29, ADR 4). A
// layout never opens a file; whoever implements Feed does, and notes what was
// asked, so that an answer can be trusted until one of those files changes.
//
// Missing things are not errors: a layout meets stores of many ages. Errors are
// what keeps the engine from answering at all (permission, device).
// Lifetime: bytes given to a taker are valid during the call.
// Thread-safety: one thread a Feed.
#pragma once

#include <holdfast/error.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "layout/place.h"

namespace holdfast::inline v1 {

class JsonMarks;

struct FeedEntry {
  std::string name;
  bool directory = false;  // symbolic links are followed for reading (decision 31)
};

struct FeedStat {
  std::uint64_t size = 0;
  std::int64_t mtime_ns = 0;
};

struct FeedRecord {
  std::string_view bytes;  // one JSON object
  std::uint64_t offset = 0;
  bool salvaged = false;
  bool skim = false;                 // nobody wants its texts: what counting needs will do
  const JsonMarks* marks = nullptr;  // of the bytes, where the feed has noted them; for a JsonCursor
};

// Bytes [from, to) of a log, by the offset of a record's first byte.
struct FeedRange {
  std::uint64_t from = 0;
  std::uint64_t to = UINT64_MAX;
};

// One value of a row: null, integer, double or text (blobs arrive as their bytes).
using FeedValue = std::variant<std::monostate, std::int64_t, double, std::string_view>;

class Feed {
 public:
  virtual ~Feed() = default;

  // Names in byte order; nothing when the directory is missing or is a file.
  virtual Result<std::vector<FeedEntry>> list(const Place& directory) = 0;
  // nullopt when missing.
  virtual Result<std::optional<FeedStat>> stat(const Place& file) = 0;
  // Where a symbolic link points to, as it is written there; nullopt when it is none.
  virtual Result<std::optional<std::string>> link(const Place& /*name*/) { return std::nullopt; }
  // The whole file; nullopt when missing. too_large above `limit`.
  virtual Result<std::optional<std::string>> document(const Place& file,
                                                      std::uint64_t limit = std::uint64_t{64} << 20) = 0;
  // The same for a file that a record names: only a plain file, with no symbolic link at its name (unsafe_path;
  // plain_below in spilled.h looks at the way too). `sha256`: what its bytes must hash to, else corrupt.
  virtual Result<std::optional<std::string>> plain_document(const Place& file, std::uint64_t limit,
                                                            std::string_view sha256 = {});
  // The version before of a document that cannot be read, for showing instead of
  // it (decision 10). nullopt: there is none, or somebody plans to write, who
  // fails with `corrupt` and is asked again once the file is set aside.
  virtual Result<std::optional<std::string>> backup(const Place& /*file*/) { return std::nullopt; }

  // Every record of a log, in order, until the taker says false. Damage is
  // skipped, salvaged and counted by the engine. A missing log has no records.
  // A name ending in ".zst" is a compressed log; offsets are of the plain bytes.
  using TakeRecord = std::function<bool(const FeedRecord&)>;
  virtual Result<void> records(const Place& log, FeedRange range, const TakeRecord& take) = 0;
  // The last `count` records that end at or before `before`, oldest first, at
  // the cost of those records. True when the log's start was reached.
  virtual Result<bool> last_records(const Place& log, std::size_t count, std::uint64_t before,
                                    const TakeRecord& take) = 0;

  // Rows of one SELECT with `?` parameters over a database that another program
  // may be writing (decision 30). Nothing when the database or a table is missing.
  using TakeRow = std::function<bool(std::span<const FeedValue>)>;
  virtual Result<void> rows(const Place& database, std::string_view select, std::span<const std::string> parameters,
                            const TakeRow& take) = 0;

  // Says that a file is not what it should be; the engine reports it with the session, nothing stops.
  virtual void complain(const Place& file, std::uint64_t offset, std::string_view kind,
                        std::string_view consequence) = 0;
};

}  // namespace holdfast::inline v1
