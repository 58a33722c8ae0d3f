// The sessions of one stream of a remote, put into its tables for search.
// Crash-safety: as Projection; interrupted anywhere, the next one goes on. Thread-safety: one thread.
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

// Sessions of a stream whose bytes lie in one archive.
struct IndexedSource {
  std::string path;  // that of the files
  std::unique_ptr<CapturedFiles> files;
  std::set<CaptureKey> meant = {};  // all others are not for anybody to see
};

struct IndexedStream {
  StreamId id = {};
  StreamHead head = {};  // how far it was read
  std::string machine = {};
  std::vector<IndexedSource> sources = {};
  std::optional<ProjectedStream> indexed = {};  // how far it is there already
};

struct IndexReport {
  std::uint64_t sessions = 0;  // that were written
  std::uint64_t removed = 0;
  std::uint64_t left_out = 0;
  PutCounts written = {};
  std::vector<Finding> findings = {};
};

// `at`: when it was known that the stream goes no further.
Result<void> index_stream(const Call& call, Projection& projection, const IndexedStream& stream, const std::string& at,
                          IndexReport& report);

}  // namespace holdfast::inline v1
