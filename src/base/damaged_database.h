// Recognizes a database with damaged pages, for which other queries may still succeed. After other `corrupt` errors
// (a view in place of a table, a query that does not end), the database should not be queried again.
#pragma once

#include <holdfast/error.h>

#include <string_view>

namespace holdfast::inline v1 {

inline constexpr std::string_view kDatabaseUnreadable = "the database cannot be read: ";

inline bool is_damaged_pages_error(const Error& error) {
  return error.code == Code::corrupt && error.message.starts_with(kDatabaseUnreadable);
}

}  // namespace holdfast::inline v1
