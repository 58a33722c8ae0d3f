// What is wrong with the records beside the sessions: every kind of the layout's table
// (layout/record_shape.h) is read, so that a new kind is looked at without a word here.
// Forms without any structure (opaque) cannot be wrong. Thread-safety: as the store's.
#pragma once

#include <holdfast/store.h>

#include <vector>

#include "index/directory_feed.h"

namespace holdfast::inline v1 {

class FileStore;

struct RecordFinding {
  StoreFinding found;
  bool damage = true;  // false: odd, but nothing is lost by it
};

struct RecordFindings {
  std::vector<RecordFinding> found;
  std::map<Place, Fingerprint> files;  // that were read
  std::uint64_t records = 0;
};

// A kind that cannot be looked at is a finding and hides no other. Errors: cancelled, deadline_exceeded.
Result<RecordFindings> record_findings(const Context& context, FileStore& store);

}  // namespace holdfast::inline v1
