// Numbers that never repeat: each is handed out to one caller only, across
// crashes, and even after the thing it named is deleted. Any thread, any process.
#pragma once

#include <holdfast/export.h>
#include <holdfast/root.h>

#include <cstdint>
#include <memory>
#include <string_view>

namespace holdfast::inline v1 {

// Returns the next number of the counter `name`, at least `floor`. Pass one more
// than the highest id in use as `floor`: it keeps numbers unique if the side
// folder was deleted. The number is durable before it is returned.
HOLDFAST_EXPORT Result<std::uint64_t> next_number(const Context& context, std::shared_ptr<Root> root,
                                                  std::string_view name, std::uint64_t floor = 1);

}  // namespace holdfast::inline v1
