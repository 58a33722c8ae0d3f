// Finds what is wrong with the data beside the messages. Reads every kind in the layout's table
// (layout/record_shape.h), the history of prompts, and what features keep (store/hooks.h), so a new kind needs no
// code here. Text without any structure (opaque) is wrong if it is not UTF-8 or contains NUL bytes.
// Thread-safety: that of the store.
#pragma once

#include <holdfast/store.h>

#include <vector>

#include "index/directory_feed.h"

namespace holdfast::inline v1 {

class FileStore;

struct RecordFinding {
  Finding found;
  bool damage = true;  // false: unusual, but nothing is lost
};

struct RecordFindings {
  std::vector<RecordFinding> found;
  std::map<Place, Fingerprint> files;  // files that were read
  std::uint64_t records = 0;
};

// Turns an error into a finding; about `otherwise` if the error names no file.
Finding finding_of(const Error& error, std::string_view otherwise);

// A kind that cannot be examined becomes a finding and does not hide the others. Errors: cancelled, deadline_exceeded.
Result<RecordFindings> record_findings(const Context& context, FileStore& store);

}  // namespace holdfast::inline v1
