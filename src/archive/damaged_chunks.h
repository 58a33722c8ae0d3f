// Chunks of an archive that are known to be damaged or missing: verify notes them, and the next run writes those again
// whose bytes an agent still has. Format: docs/formats/archive.md. Thread-safety: as the directory's.
#pragma once

#include <holdfast/root.h>

#include <set>
#include <string>

namespace holdfast::inline v1 {

inline constexpr std::string_view kDamaged = "damaged.json";

// None when there is no list, or none that can be read: it is found anew by verify.
std::set<std::string> load_damaged(Directory& archive);
// Without a list when there is none.
Result<void> save_damaged(const Context& context, Root& archive, const std::set<std::string>& chunks);

}  // namespace holdfast::inline v1
