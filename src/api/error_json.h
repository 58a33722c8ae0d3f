// Errors as JSON, the same through every door.
#pragma once

#include <holdfast/error.h>
#include <holdfast/finding.h>

#include <string>
#include <vector>

#include "text/json_write.h"

namespace holdfast::inline v1 {

// {"code","message","path","os_error"}; a missing path or number is null. "findings" follows if the call moved
// something aside or repaired it before it failed.
void write_error(JsonWriter& json, const Error& error, const std::vector<Finding>& findings = {});
// Adds the reason to a not_found error if the same call has just moved the session aside.
Error with_reason(Error error, const std::vector<Finding>& findings);
// {"error":{...}}, without a newline.
std::string error_json(const Error& error, const std::vector<Finding>& findings = {});

}  // namespace holdfast::inline v1
