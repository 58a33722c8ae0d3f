// How findings report that a backup is shown instead of a document (decision 10).
#pragma once

#include <string>
#include <string_view>

namespace holdfast::inline v1 {

inline constexpr std::string_view kRestoredFromBackup = "restored_from_backup";

inline std::string backup_shown_message(std::string_view why) {
  return std::string(why) + "; the previous version is shown, and replaces it with the next change";
}

}  // namespace holdfast::inline v1
