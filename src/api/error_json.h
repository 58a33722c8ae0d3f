// An error as scripts see it, through every door.
#pragma once

#include <holdfast/error.h>

#include <string>

#include "text/json_write.h"

namespace holdfast::inline v1 {

// {"code","message","path","os_error"}; absent path and number are null.
void write_error(JsonWriter& json, const Error& error);
// {"error":{...}}, without a newline.
std::string error_json(const Error& error);

}  // namespace holdfast::inline v1
