// What is said of a session of another agent of which the file is empty or gone, while something else still names it.
#pragma once

#include <holdfast/store.h>

#include "layout/place.h"

namespace holdfast::inline v1 {

inline Finding empty_session(const Place& file, bool gone) {
  Finding finding{.file = file.path, .kind = "empty"};
  finding.consequence = gone ? "the file is not there: nothing was said yet, or what was said is gone"
                             : "the file is empty: there is nothing of the session in it";
  return finding;
}

}  // namespace holdfast::inline v1
