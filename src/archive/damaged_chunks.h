// The list of chunks that are known to be damaged or missing. verify writes it; the next run rewrites the
// chunks whose bytes an agent still has. Format: docs/formats/archive.md. Thread-safety: as the directory's.
#pragma once

#include <holdfast/root.h>

#include <set>
#include <string>

namespace holdfast::inline v1 {

inline constexpr std::string_view kDamaged = "damaged.json";

// Empty if there is no readable list; verify can recreate it.
std::set<std::string> load_damaged(Directory& archive);
// Removes the file if `chunks` is empty.
Result<void> save_damaged(const Context& context, Root& archive, const std::set<std::string>& chunks);

}  // namespace holdfast::inline v1
