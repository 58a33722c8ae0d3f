// An error as scripts see it, through every door.
#pragma once

#include <holdfast/error.h>
#include <holdfast/finding.h>

#include <string>
#include <vector>

#include "text/json_write.h"

namespace holdfast::inline v1 {

// {"code","message","path","os_error"}; absent path and number are null. "findings" follows where the call moved
// something aside or repaired it before it failed.
void write_error(JsonWriter& json, const Error& error, const std::vector<Finding>& findings = {});
// "There is no session X" would be half of the truth where the call has just moved X aside.
Error with_reason(Error error, const std::vector<Finding>& findings);
// {"error":{...}}, without a newline.
std::string error_json(const Error& error, const std::vector<Finding>& findings = {});

}  // namespace holdfast::inline v1
