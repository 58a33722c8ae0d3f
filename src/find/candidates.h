// The records of a log that a sieve lets through, without looking at the others.
#pragma once

#include <holdfast/context.h>

#include <functional>

#include "find/sieve.h"
#include "index/directory_feed.h"

namespace holdfast::inline v1 {

enum class CandidateVerdict {
  none,     // no record of this log can hold it
  some,     // those that were told
  stopped,  // whoever takes them wanted no more
  unclear,  // something is not as it should be: read it all
};

struct CandidateQuery {
  std::uint64_t sound = 0;  // so many bytes are known to be whole records
  bool every = false;       // where there is one the other lines are told too, to be skimmed
};

// Calls `take` with each line that may hold what is looked for, in order, until it
// says false. Lines that are no whole record are left to those who read it all; of
// those that are neither sound nor told nobody knows.
// Memory: a few MiB and the longest line.
using TakeCandidate = std::function<bool(const FeedRecord&)>;
Result<CandidateVerdict> find_candidates(const Context& context, Directory& directory, const std::string& path,
                                         const Sieves& sieves, const CandidateQuery& request,
                                         const TakeCandidate& take);

}  // namespace holdfast::inline v1
