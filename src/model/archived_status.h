// The status of a session that its agent archived (then Session::archived is set too), or that only Holdfast's archive
// still has. It belongs to the values in holdfast/session.h, which has no name for it yet.
#pragma once

#include <holdfast/session.h>

namespace holdfast::inline v1 {

inline constexpr Status kArchivedStatus = static_cast<Status>(static_cast<int>(Status::stopped) + 1);

}  // namespace holdfast::inline v1
