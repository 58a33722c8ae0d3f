// The store of the Open Agent SDK, with Claude Code's conventions where the SDK has
// none. Format: docs/formats/open-agent.md.
#pragma once

#include "layout/change.h"
#include "layout/layout.h"
#include "layout/moment.h"
#include "layout/record_shape.h"
#include "layout/writable_layout.h"

namespace holdfast::inline v1 {

const Layout& open_agent_layout();

namespace open_agent {

const AgentHome& home();

std::span<const RecordShape> open_agent_shapes();

// A new session with the lines of another one, up to a message; every line gets the new id.
Result<NewSession> forked(Feed& feed, const SessionRef& from, const SessionDraft& request, const Moment& moment);

// Moves the session's files from the flat folder to that of its project, in one step.
Result<Changes> regrouped(Feed& feed, const SessionRef& ref, std::string_view project, const Moment& moment);

// The place of a new session, with its id chosen and checked.
Result<SessionRef> new_ref(Feed& feed, const SessionDraft& draft, const Moment& moment);

}  // namespace open_agent
}  // namespace holdfast::inline v1
