// Reads one session: a JSON document that its agent rewrites in place.
#pragma once

#include "layout/layout.h"

namespace holdfast::inline v1::continue_dev {

Result<void> read_session_document(Feed& feed, const SessionRef& ref, const Layout::ReadOptions& options,
                                   Events& events);

}  // namespace holdfast::inline v1::continue_dev
