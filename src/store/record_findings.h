// What is wrong with what lies beside the messages: every kind of the layout's table
// (layout/record_shape.h), the history of prompts, and what features keep (store/hooks.h) are
// read, so that a new kind is looked at without a word here. Text without any structure (opaque) is wrong when it is
// not UTF-8 or has NUL bytes. Thread-safety: as the store's.
#pragma once

#include <holdfast/store.h>

#include <vector>

#include "index/directory_feed.h"

namespace holdfast::inline v1 {

class FileStore;

struct RecordFinding {
  Finding found;
  bool damage = true;  // false: odd, but nothing is lost by it
};

struct RecordFindings {
  std::vector<RecordFinding> found;
  std::map<Place, Fingerprint> files;  // that were read
  std::uint64_t records = 0;
};

// An error as a finding; of `otherwise` when it names no file.
Finding finding_of(const Error& error, std::string_view otherwise);

// A kind that cannot be looked at is a finding and hides no other. Errors: cancelled, deadline_exceeded.
Result<RecordFindings> record_findings(const Context& context, FileStore& store);

}  // namespace holdfast::inline v1
