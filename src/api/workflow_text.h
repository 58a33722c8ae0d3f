// A session's workflow for people, as `lopen session show` prints it: Markdown,
// indented JSON or YAML with the same content. Thread-safety: pure functions.
#pragma once

#include <holdfast/error.h>

#include <string>
#include <string_view>

#include "text/json_value.h"

namespace holdfast::inline v1 {

// `state` and `metrics` are the documents as docs/formats/lopen.md names their
// fields; metrics may be missing.
struct WorkflowFacts {
  std::string_view id;
  JsonView state;
  JsonView metrics;
};

std::string workflow_markdown(const WorkflowFacts& facts);
std::string workflow_document(const WorkflowFacts& facts);  // JSON, indented by two spaces per level
// Omits keys that are null. Valid YAML whatever the strings contain.
Result<std::string> workflow_yaml(const WorkflowFacts& facts);

}  // namespace holdfast::inline v1
