// What `holdfast` alone says: what is on this machine, and what to try.
#pragma once

#include <string>

#include "cli/render.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {

// `stores` is the answer of store.list, `newest` that of session.list with one session.
std::string overview_of(JsonView stores, JsonView newest, const RenderStyle& style);

}  // namespace holdfast::inline v1
