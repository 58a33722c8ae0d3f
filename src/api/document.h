// The table as documents: for programs, for people, for docs/api.md.
// Thread-safety: pure functions.
#pragma once

#include <string>

#include "api/operation.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {

// The JSON Schema of a method's parameters, of its result.
void write_params_schema(JsonWriter& json, const Operation& operation);
// What a method that writes answers with dry_run, whatever it answers else.
inline constexpr std::string_view kDryRunResult = "schema_version:integer dry_run:boolean method:string would:string";
void write_result_schema(JsonWriter& json, const Operation& operation);

// Every method with the schemas of parameters and result and its error codes;
// itself a schema document (draft 2020-12): shared shapes are in "$defs".
std::string api_json();
std::string api_text();      // one line a method
std::string api_markdown();  // docs/api.md, word for word

}  // namespace holdfast::inline v1
