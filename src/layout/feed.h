// How a layout gets bytes: the layout asks and the engine answers (decision 29, ADR 4).
// A layout never opens a file. The implementation of Feed does, and records what was
// asked, so an answer can be trusted until one of those files changes.
//
// Missing files are not errors: stores come from many versions. An error means that the
// engine could not answer (permission, device).
// Lifetime: bytes passed to a callback are valid during the call.
// Thread-safety: each Feed is used by one thread.
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
  bool directory = false;  // symbolic links are followed when reading (decision 31)
};

struct FeedStat {
  std::uint64_t size = 0;
  std::int64_t mtime_ns = 0;
};

struct FeedRecord {
  std::string_view bytes;  // one JSON object
  std::uint64_t offset = 0;
  bool salvaged = false;
  bool skim = false;                 // the caller needs only what counting needs, no texts
  const JsonMarks* marks = nullptr;  // of the bytes, if the feed computed them; for a JsonCursor
};

// The records of a log whose first byte is in [from, to).
struct FeedRange {
  std::uint64_t from = 0;
  std::uint64_t to = UINT64_MAX;
};

// One value of a row: null, integer, double or text (blobs arrive as their bytes).
using FeedValue = std::variant<std::monostate, std::int64_t, double, std::string_view>;

class Feed {
 public:
  virtual ~Feed() = default;

  // Names in byte order; empty if the directory is missing or is a file.
  virtual Result<std::vector<FeedEntry>> list(const Place& directory) = 0;
  // nullopt if missing.
  virtual Result<std::optional<FeedStat>> stat(const Place& file) = 0;
  // The target of a symbolic link as written there; nullopt if `name` is not a link.
  virtual Result<std::optional<std::string>> link(const Place& /*name*/) { return std::nullopt; }
  // The whole file; nullopt if missing. Fails with too_large above `limit`.
  virtual Result<std::optional<std::string>> document(const Place& file,
                                                      std::uint64_t limit = std::uint64_t{64} << 20) = 0;
  // The same for a file that a record names: must be a plain file and not a symbolic link (unsafe_path; plain_below in
  // spilled.h also checks the directories on the way). Fails with corrupt if the bytes do not hash to `sha256`.
  virtual Result<std::optional<std::string>> plain_document(const Place& file, std::uint64_t limit,
                                                            std::string_view sha256 = {});
  // The previous version of a document that cannot be read, to show instead of it
  // (decision 10). nullopt if there is none, or if the feed serves a writer: the writer
  // fails with `corrupt` and tries again once the file is set aside.
  virtual Result<std::optional<std::string>> backup(const Place& /*file*/) { return std::nullopt; }

  // Passes every record of a log in order, until `take` returns false. The engine
  // skips, salvages and counts damage. A missing log has no records. A name ending in
  // ".zst" is a compressed log; its offsets are those of the uncompressed bytes.
  using TakeRecord = std::function<bool(const FeedRecord&)>;
  virtual Result<void> records(const Place& log, FeedRange range, const TakeRecord& take) = 0;
  // Passes the last `count` records that end at or before `before`, oldest first, and
  // reads only those. Returns true if it reached the start of the log.
  virtual Result<bool> last_records(const Place& log, std::size_t count, std::uint64_t before,
                                    const TakeRecord& take) = 0;

  // Passes the rows of one SELECT with `?` parameters over a database that another program may be
  // writing (decision 30). No rows if the database or a table is missing.
  using TakeRow = std::function<bool(std::span<const FeedValue>)>;
  virtual Result<void> rows(const Place& database, std::string_view select, std::span<const std::string> parameters,
                            const TakeRow& take) = 0;

  // Reports that something is wrong with a file. The engine shows it with the session; reading continues.
  virtual void complain(const Place& file, std::uint64_t offset, std::string_view kind,
                        std::string_view consequence) = 0;
};

}  // namespace holdfast::inline v1
