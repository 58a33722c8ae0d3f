// Renders remotes and the result of a sync. Thread-safety: pure function.
#pragma once

#include <string>

#include "doors/cli/render.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {

// The answers of sync.run, sync.status and remote.list.
std::string render_remotes(JsonView answer, const RenderStyle& style);
// An item of sync.watch as one line, and the answer of sync.watch.
std::string render_sync_event(JsonView item);
std::string render_watched(JsonView answer);
// The answers of remote.index, remote.add and remote.revoke.
std::string render_indexed(JsonView answer);
std::string render_added(JsonView answer, const RenderStyle& style);
std::string render_revoked(JsonView answer, const RenderStyle& style);

}  // namespace holdfast::inline v1
