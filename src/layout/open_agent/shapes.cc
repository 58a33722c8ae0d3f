// The records beside sessions: memory of projects (O15).
#include "layout/open_agent/open_agent_layout.h"
#include "layout/open_agent/paths.h"
#include "layout/record_shape.h"

namespace holdfast::inline v1::open_agent {

std::span<const RecordShape> open_agent_shapes() {
  static const std::vector<RecordShape> shapes = {
      {.kind = "memory", .root = kRoot, .path = "projects/{project}/memory/{id}.md", .form = RecordFormat::opaque},
      // The place in the seed, which belongs to no project.
      {.kind = "common_memory", .root = kRoot, .path = "projects/memory/{id}.md", .form = RecordFormat::opaque},
  };
  return shapes;
}

}  // namespace holdfast::inline v1::open_agent
