// A database of which pages are damaged: other questions about it may still be answered. Other errors that are
// `corrupt` (a view in the place of a table, a question that does not end) say that nothing should be asked again.
#pragma once

#include <holdfast/error.h>

#include <string_view>

namespace holdfast::inline v1 {

inline constexpr std::string_view kDatabaseUnreadable = "the database cannot be read: ";

inline bool says_damaged_pages(const Error& error) {
  return error.code == Code::corrupt && error.message.starts_with(kDatabaseUnreadable);
}

}  // namespace holdfast::inline v1
