// The SDK's way of handling unknown ids (decision 20).
#pragma once

#include <holdfast/store.h>

#include <optional>
#include <string_view>

namespace holdfast::inline v1 {

// Appends a line verbatim; returns nullopt and creates nothing if there is no such session.
// Everywhere else an unknown id is an error, so this has a function of its own.
inline Result<std::optional<AppendedMessage>> append_if_known(const Context& context, Store& store, std::string_view id,
                                                              std::string_view line,
                                                              Durability durability = Durability::power) {
  auto writer = store.write(context, id);
  if (!writer) {
    if (writer.error().code == Code::not_found) return std::nullopt;
    return fail(std::move(writer).error());
  }
  HOLDFAST_LET(done, (*writer)->append_raw(context, line, durability));
  return std::optional(std::move(done));
}

}  // namespace holdfast::inline v1
