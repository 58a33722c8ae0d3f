// The real Feed: answers a layout from directories and databases, and records
// every file that an answer depends on. Never writes, never locks.
// Thread-safety: one thread per object. Lifetime: the directories must outlive it.
#pragma once

#include <holdfast/context.h>
#include <holdfast/document.h>
#include <holdfast/log_reader.h>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "base/hash.h"
#include "index/fingerprint.h"
#include "index/root_directories.h"
#include "index/seen_files.h"
#include "index/unwritten_files.h"
#include "layout/feed.h"

namespace holdfast::inline v1 {

// The kind of a finding about bytes that a copy has lost (disk/copies.h).
inline constexpr std::string_view kLostInCopy = "lost";

struct PlacedFinding {
  Place place;
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
  std::string kind;
  std::string consequence;
  std::uint32_t salvaged = 0;
};

// A last line without a newline. If it is a whole record, it is returned like any other.
// If it is part of one and the file is young, it is still being written and is no finding;
// if nobody has written to the file for kInFlightNs, it was cut off and is a finding.
struct UnfinishedLine {
  Place place;
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
  bool whole = false;
  bool cut = false;  // reported as a finding
};
inline constexpr std::int64_t kInFlightNs = 2'000'000'000;

// How far a log was read, and the hash of all its bytes up to there: enough to
// continue after it has grown (decision 34).
struct LogTrack {
  std::uint64_t position = 0;  // after the last whole line
  std::uint64_t hashed = 0;
  std::string hash = {};
};

class DirectoryFeed final : public Feed {
 public:
  DirectoryFeed(const Context& context, const RootDirectories& roots, Check check = Check::whole)
      : context_(context), roots_(roots), check_(check) {}
  DirectoryFeed(const Context& context, RootDirectories&& roots, Check check = Check::whole) = delete;  // a reference

  // Answers document, stat and list from `kept`, for the files in it.
  void overlay_files(std::shared_ptr<const UnwrittenFiles> kept) { kept_ = std::move(kept); }

  // Enables backup(); `backup_of` returns the path of a document's backup below its root.
  void enable_backups(std::function<std::string(const Place& file)> backup_of) { backup_of_ = std::move(backup_of); }

  // Turns a directory that cannot be listed into a finding and treats it as empty: for read-only stores, where one
  // directory must not hide the others.
  void report_unlistable_directories() { lenient_ = true; }

  // Answers list from `seen`, which then records the directories that answers depend on.
  void note_in(SeenFiles& seen) { seen_ = &seen; }
  // True if all answers depend only on listed directories and on read_files().
  bool noted_all() const { return !asked_more_ && !kept_; }

  // Longer lines are skipped as too_long.
  void set_max_line(std::size_t bytes) { max_line_ = bytes; }

  // Records of this log for which `wanted` returns false are marked to be skimmed.
  void skim_unless(Place log, std::function<bool(std::string_view)> wanted) {
    skimmed_log_ = std::move(log);
    wanted_ = std::move(wanted);
  }

  // Tracks reading of one log; `prefix` is the hash of its first `hashed` bytes.
  void track(Place log, Xxh3Stream prefix = {}, std::uint64_t hashed = 0);
  // For the tracked log; nullopt unless it was read to its end, and ends with a newline.
  const std::optional<LogTrack>& tracked() const { return track_; }

  Result<std::vector<FeedEntry>> list(const Place& directory) override;
  Result<std::optional<FeedStat>> stat(const Place& file) override;
  Result<std::optional<std::string>> link(const Place& name) override;
  Result<std::optional<std::string>> document(const Place& file, std::uint64_t limit) override;
  Result<std::optional<std::string>> plain_document(const Place& file, std::uint64_t limit,
                                                    std::string_view sha256) override;
  Result<std::optional<std::string>> backup(const Place& file) override;
  Result<void> records(const Place& log, FeedRange range, const TakeRecord& take) override;
  Result<bool> last_records(const Place& log, std::size_t count, std::uint64_t before, const TakeRecord& take) override;
  Result<void> rows(const Place& database, std::string_view select, std::span<const std::string> parameters,
                    const TakeRow& take) override;
  void complain(const Place& file, std::uint64_t offset, std::string_view kind, std::string_view consequence) override;

  // Files whose contents went into the answers, as they were before they were read.
  const std::map<Place, Fingerprint>& read_files() const { return read_; }
  // Revisions of the documents that were read; kAbsent for those that were missing.
  const std::map<Place, Revision>& revisions() const { return revisions_; }
  const std::vector<PlacedFinding>& findings() const { return findings_; }
  // Names in listed directories that are neither files nor directories, such as FIFOs and links to nothing. Layouts
  // never see them.
  const std::set<Place>& special_names() const { return special_; }
  const std::vector<UnfinishedLine>& unfinished() const { return unfinished_; }
  std::uint64_t bytes_read() const { return bytes_; }

 private:
  Directory* directory_of(const Place& place) const;
  const UnwrittenFile* kept(const Place& place) const;
  using TakeNames = std::function<void(std::span<const DirectoryEntry>)>;
  Result<void> list_now(Directory& root, const Place& directory, const TakeNames& take);
  void list_kept(const Place& directory, std::vector<FeedEntry>& entries) const;
  Result<bool> note(Directory& directory, const Place& place);  // false if missing
  Result<std::optional<std::string>> whole(Directory& directory, const Place& file, std::uint64_t limit);
  Result<std::optional<std::string>> read_up_to(Directory& directory, const Place& file, std::uint64_t size,
                                                std::uint64_t limit);
  void note_damage(const Place& log, const std::vector<Damage>& damage);
  // Reports the gaps of a copy that is read as a whole.
  void note_gaps(Directory& directory, const Place& file);
  // A log, or its beginning, may be read more than once: each place is reported once, each byte counts once.
  void add_finding(PlacedFinding finding);
  void count_bytes(const Place& log, std::uint64_t from, std::uint64_t to);
  // The records in an unfinished last line, with their offsets: the line itself if it is a
  // record; otherwise, if it was cut off, the whole records inside it.
  Result<std::vector<OwnedRecord>> last_line(Directory& directory, const Place& log, std::uint64_t offset,
                                             std::uint64_t length);
  bool is_young(const Place& log) const;
  Result<std::shared_ptr<File>> open_log(Directory& directory, const Place& log);
  Result<void> packed_records(Directory& directory, const Place& log, FeedRange range, const TakeRecord& take);

  const Context& context_;
  const RootDirectories& roots_;
  Check check_;
  std::shared_ptr<const UnwrittenFiles> kept_;
  std::function<std::string(const Place& file)> backup_of_;
  SeenFiles* seen_ = nullptr;
  bool asked_more_ = false;
  bool lenient_ = false;
  std::set<Place> special_;
  std::map<Place, Fingerprint> read_;
  std::map<Place, Revision> revisions_;
  std::vector<PlacedFinding> findings_;
  std::map<std::pair<Place, std::uint64_t>, std::size_t> placed_;  // damage of logs: index into findings_
  std::vector<UnfinishedLine> unfinished_;
  std::uint64_t bytes_ = 0;
  std::map<Place, std::uint64_t> counted_;  // for each log, the offset up to which bytes were counted
  std::size_t max_line_ = ReadOptions().max_line;
  Place skimmed_log_ = {};
  std::function<bool(std::string_view)> wanted_;
  Place tracked_log_ = {};
  bool tracking_ = false;
  Xxh3Stream prefix_;
  std::uint64_t prefix_size_ = 0;
  std::optional<LogTrack> track_;
};

}  // namespace holdfast::inline v1
