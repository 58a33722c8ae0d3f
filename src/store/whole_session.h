// A session with all its messages, made in one step: an import is there or it is not, whatever
// fails in the middle and whenever the power goes. Thread-safety: as Store.
#pragma once

#include <holdfast/store.h>

#include <span>
#include <string>
#include <string_view>

namespace holdfast::inline v1 {

// Durable (power) when it returns; the id. An empty summary is none. already_exists when the id is taken.
Result<std::string> create_whole(const Context& context, Store& store, const SessionDraft& draft,
                                 std::string_view summary, std::span<const Message> messages);

}  // namespace holdfast::inline v1
