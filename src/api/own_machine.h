// This machine under the name that others know it by. Thread-safety: pure functions.
#pragma once

#include <optional>
#include <string>

#include "api/call.h"

namespace holdfast::inline v1 {

// A call for the sessions of this machine, by its own name at a remote, means those that are here: returns its
// parameters without the name. nullopt if it names another machine, or none, or asks a server.
std::optional<std::string> without_own_machine(const Call& call);

}  // namespace holdfast::inline v1
