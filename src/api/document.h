// The table of operations as documents: for programs, for people, for docs/api.md.
// Thread-safety: pure functions.
#pragma once

#include <string>

#include "api/operation.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {

// Writes the JSON Schema of a method's parameters.
void write_params_schema(JsonWriter& json, const Operation& operation);
// The answer of every method that writes if dry_run is given.
inline constexpr std::string_view kDryRunResult =
    "schema_version:integer dry_run:boolean method:string would:string missed?:boolean findings?:finding[]";
void write_result_schema(JsonWriter& json, const Operation& operation);

// Every method with the schemas of its parameters and result, and its error codes.
// The document is itself a schema (draft 2020-12): shared shapes are in "$defs".
std::string api_json();
std::string api_text();      // one line per method
std::string api_markdown();  // the contents of docs/api.md

}  // namespace holdfast::inline v1
