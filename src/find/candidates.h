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
  unclear,  // something is not as it should be, or nobody wanted more: read it all
};

// Calls `take` with each line that may hold what is looked for, in order, until it
// says false. Lines that are no whole record are left to those who read it all.
// Memory: a few MiB and the longest line.
using TakeCandidate = std::function<bool(const FeedRecord&)>;
Result<CandidateVerdict> find_candidates(const Context& context, Directory& directory, const std::string& path,
                                         const Sieves& sieves, const TakeCandidate& take);

}  // namespace holdfast::inline v1
