// An epoch of this device's stream at a remote, as this home knows it: its head, the log of what was published in it,
// and what is to be erased there.
// Crash-safety: a segment counts as published once the log has it and the head is saved; adopting one twice changes
// nothing. Erasures are saved before they are done, and repeated until they are.
// Thread-safety: one thread; the SyncHome is locked.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "archive/archive_writer.h"
#include "sync/content.h"
#include "sync/published_traces.h"
#include "sync/push_run.h"

namespace holdfast::inline v1 {

class OwnEpoch {
 public:
  // `where` is the name of the epoch in the SyncHome, `key` the one that it is written with; none: that of this home.
  OwnEpoch(const PushRun& run, std::string where, std::optional<SigningKey> key = {})
      : run_(run), where_(std::move(where)), given_(std::move(key)) {}

  // To be called first.
  Result<void> load();
  const std::string& where() const { return where_; }
  const SigningKey& key() const { return key_; }
  const std::string& device() const { return device_; }
  StreamId id() const { return {device_, stream.epoch}; }

  // Whether the log has everything that was published up to the head. To be called before it is opened.
  Result<bool> is_whole() const;
  // Forgets what is known of the epoch beyond its number, to read it from its beginning.
  Result<void> start_again();
  // Opens the log, unless it is open.
  Result<void> open_log();
  ArchiveWriter& log() { return *log_; }
  void leave_log() { log_.reset(); }
  Result<std::map<CaptureKey, Traces>> traces();
  // The number of the next op.
  std::uint64_t next_op() { return ++last_; }

  // The key of the names of chunks that are stored now, and all names that a chunk may have.
  std::string names_key(const std::string& policy) const;
  std::vector<std::string> names_of(const std::string& policy, const std::string& chunk) const;

  // Checks that the segment follows the head.
  Result<SegmentContent> content_of(const StreamSegment& segment) const;
  // All names of the chunks of a segment: they may be stored although the segment is not published.
  std::set<std::string> chunks_for(const StreamSegment& segment) const;
  // The remote has the segment.
  Result<void> adopt(const StreamSegment& segment);

  Result<void> save_erasures();
  // Erases what was decided and is no longer needed.
  Result<void> erase();

  OwnStream stream;
  Erasures erasures;  // decided, and not saved yet

 private:
  Result<void> unmark_log();
  Result<void> mark_log();
  Result<void> drop_erased(const std::set<std::uint64_t>& bodies);

  const PushRun& run_;
  const std::string where_;
  const std::optional<SigningKey> given_;
  SigningKey key_;
  std::string device_;
  std::unique_ptr<ArchiveWriter> log_;
  std::uint64_t last_ = 0;  // number of the last op
};

}  // namespace holdfast::inline v1
