// Optional interface to show the active branch of a large session before all of it is
// decoded. A layout without it, and without LayoutTraits::one_branch, is read twice
// from start to end.
#pragma once

#include "layout/layout.h"

namespace holdfast::inline v1 {

// Every message is one record of the main log that can be understood alone, so several
// readers may each read a part of the log.
class PartialReader {
 public:
  virtual ~PartialReader() = default;
  // `feed` returns some of the main log's records. Reports what branches are made of
  // (ids, parents, sub-agents, calls and results) without the texts of answers and
  // tools; the leaf that the records name, without what followed it (empty if they say
  // that there is none); and the facts that the records state last. Reads nothing but
  // the log.
  virtual Result<void> read_part(Feed& feed, const SessionRef& ref, Events& events) const = 0;
};

}  // namespace holdfast::inline v1
