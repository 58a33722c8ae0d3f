// Linggen's storage, as its specification has it and as its program writes it,
// then and today. Format: docs/formats/linggen.md.
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

// Spells the messages of the session in `folder`; `agent` is who they are for
// when a draft does not say, empty: the agent of the line before.
std::unique_ptr<LineWriter> make_line_writer(std::string folder, std::string agent);

}  // namespace linggen
}  // namespace holdfast::inline v1
