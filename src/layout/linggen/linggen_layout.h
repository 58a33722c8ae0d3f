// Linggen's storage, as specified and as its program writes it, in old and current
// versions. Format: docs/formats/linggen.md.
#pragma once

#include "layout/layout.h"
#include "layout/record_shape.h"
#include "layout/writable_layout.h"

namespace holdfast::inline v1 {

const Layout& linggen_layout();

namespace linggen {

const AgentHome& home();

// The records beside sessions.
std::span<const RecordShape> linggen_shapes();

// Formats the messages of the session in `folder`. `agent` is the recipient if a draft
// does not name one; if empty, the agent of the previous line.
std::unique_ptr<LineWriter> make_line_writer(std::string folder, std::string agent);

}  // namespace linggen
}  // namespace holdfast::inline v1
