// What the tools answer, as JSON Schema, from the notation of api/shape.h. Thread-safety: pure functions.
#pragma once

#include <string>
#include <string_view>

namespace holdfast::inline v1 {

// The schema of an object with these fields. It contains the shapes that it refers to: those of the tools, and those
// of the table of operations.
std::string output_schema(std::string_view fields);

}  // namespace holdfast::inline v1
