// The power to show the active branch of a large session before all of it was
// decoded. A layout without it, and without LayoutTraits::one_branch, is read
// twice from its start to its end.
#pragma once

#include "layout/layout.h"

namespace holdfast::inline v1 {

// Every message is one record of the main log, understood without the others, so
// several readers may each look at a part of it.
class ReadInParts {
 public:
  virtual ~ReadInParts() = default;
  // `feed` hands out some of the main log's records. Tells what branches are made
  // of (ids, parents, who is a sub-agent's, calls and results) without texts of
  // answers and tools; the leaf that the records name, without what followed it
  // (empty: they say that there is none); and facts that the records say last.
  // Looks at nothing beside the log.
  virtual Result<void> read_part(Feed& feed, const SessionRef& ref, Events& events) const = 0;
};

}  // namespace holdfast::inline v1
