// Holdfast's own layout, which can hold everything that Holdfast stores. Format:
// docs/formats/holdfast.md.
#pragma once

#include "layout/layout.h"
#include "layout/record_shape.h"
#include "layout/workflow_shape.h"
#include "layout/writable_layout.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {

const Layout& native_layout();

namespace native {

const AgentHome& home();

// The records beside sessions.
std::span<const RecordShape> native_shapes();

// How session.json and metrics.json hold a workflow.
const WorkflowShape& native_workflow();

// What may be sent to a remote.
const SyncMap& native_sync();

// Formats the messages of the session whose files are in `folder`.
std::unique_ptr<LineWriter> make_line_writer(std::string id, std::string folder, SessionDraft draft,
                                             std::string created_at);

}  // namespace native
}  // namespace holdfast::inline v1
