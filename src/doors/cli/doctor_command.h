// `holdfast doctor`: store.doctor, for people.
#pragma once

#include <string>

#include "doors/cli/args.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {

// The answer of store.doctor as text; width 0: lines are not wrapped. `archived`: sessions that are listed
// although there is no store. `places`: lines that say where Holdfast looks for stores, shown if there is none.
// Thread-safety: pure function.
std::string doctor_text(JsonView answer, bool colour, std::size_t width = 0, std::uint64_t archived = 0,
                        const std::string& places = {});

// Exits with 4 if something is damaged, 5 if a store cannot be used.
Result<int> run_doctor(const RunDoctor& request, bool json, ColourChoice colour);

}  // namespace holdfast::inline v1
