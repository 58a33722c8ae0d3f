// The files that `rescue --install` and `--undo` keep beside the file of a session, and how they are named: for what
// makes them, and for whatever must find every copy of a session. Thread-safety: free functions.
#pragma once

#include <holdfast/file_system.h>

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::inline v1 {

inline constexpr std::string_view kDamagedCopy = ".damaged";   // the file that was replaced
inline constexpr std::string_view kRescuedCopy = ".rescued";   // the repaired copy, after an undo
inline constexpr std::string_view kNewCopy = ".holdfast-new";  // left only by a process that was killed

// NAME.damaged, NAME.damaged-2, NAME.damaged-3: agents read only names that end in .jsonl or .json.
std::string rescue_copy_name(const std::string& name, std::string_view ending, int number);

// The path of the file that this is a copy of, by its name; "" if it is not such a copy.
std::string_view rescued_from(std::string_view path);

// The copies in these folders of the directory, by their paths. The files that they are copies of may be gone.
std::vector<std::string> rescue_copies(Directory& directory, const std::set<std::string>& folders);

}  // namespace holdfast::inline v1
