// Numbers that are handed out once, ever, to one caller, also after what they
// named is deleted and across crashes. Safe for any threads and processes.
#pragma once

#include <holdfast/export.h>
#include <holdfast/root.h>

#include <cstdint>
#include <memory>
#include <string_view>

namespace holdfast::inline v1 {

// The next number of the counter `name`, at least `floor` (the caller's own
// knowledge, e.g. one more than the highest id it can see; it counts when the
// side folder was deleted). Durable before it is returned.
HOLDFAST_EXPORT Result<std::uint64_t> next_number(const Context& context, std::shared_ptr<Root> root,
                                                  std::string_view name, std::uint64_t floor = 1);

}  // namespace holdfast::inline v1
