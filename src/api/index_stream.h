// Writes the sessions of one stream of a remote to its search tables.
// Crash-safety: as Projection; after an interruption anywhere, the next run continues. Thread-safety: one thread.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "api/call.h"
#include "archive/captured_files.h"
#include "sync/projection.h"

namespace holdfast::inline v1 {

// Sessions of a stream whose bytes are in one archive.
struct IndexedSource {
  std::string path;  // of the files
  std::unique_ptr<CapturedFiles> files;
  std::set<CaptureKey> meant = {};  // the sessions to index; all others stay private
};

struct IndexedStream {
  StreamId id = {};
  StreamHead head = {};  // how far the stream was read
  std::string machine = {};
  std::vector<IndexedSource> sources = {};
  std::optional<ProjectedStream> indexed = {};  // how far it is already indexed
};

struct IndexReport {
  std::uint64_t sessions = 0;  // written
  std::uint64_t removed = 0;
  std::uint64_t left_out = 0;
  PutCounts written = {};
  std::vector<Finding> findings = {};
};

// `at` is the time when the head of the stream was read.
Result<void> index_stream(const Call& call, Projection& projection, const IndexedStream& stream, const std::string& at,
                          IndexReport& report);

}  // namespace holdfast::inline v1
