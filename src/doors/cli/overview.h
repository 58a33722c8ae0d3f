// The output of `holdfast` alone: what is on this machine, and what to try. Thread-safety: pure function.
#pragma once

#include <chrono>
#include <string>

#include "doors/cli/render.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {

// `stores` is the answer of store.list, `newest` that of session.list with one session.
// `home` is shown as ~ unless it is empty.
std::string overview_of(JsonView stores, JsonView newest, const RenderStyle& style, std::string_view home,
                        std::chrono::system_clock::time_point now);

}  // namespace holdfast::inline v1
