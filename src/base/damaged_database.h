// Recognizes a database with damaged pages, for which other queries may still succeed. After other `corrupt` errors
// (a view in place of a table, a query that does not end), the database should not be queried again.
#pragma once

#include <holdfast/error.h>

#include <string>
#include <string_view>

namespace holdfast::inline v1 {

inline constexpr std::string_view kDatabaseUnreadable = "the database cannot be read: ";

inline constexpr std::string_view kDatabaseCut = "it is cut: ";  // follows, if that is why

inline bool is_damaged_pages_error(const Error& error) {
  return error.code == Code::corrupt && error.message.starts_with(kDatabaseUnreadable);
}

// What such an error says about the database, for findings.
inline std::string database_damage(const Error& error) {
  const std::string why = error.message.substr(kDatabaseUnreadable.size());
  return why.starts_with(kDatabaseCut) ? "the database is cut: " + why.substr(kDatabaseCut.size())
                                       : "pages of the database are damaged";
}

}  // namespace holdfast::inline v1
