// The one file in which some agents keep the titles that people gave to sessions. An archive writes titles to a file
// of the same form. Thread-safety: constant data, pure functions.
#pragma once

#include <string>
#include <string_view>

namespace holdfast::inline v1 {

struct TitleFile {
  std::string_view path;  // below the layout's first root
  // One line, with its newline.
  std::string (*line)(std::string_view id, std::string_view title, std::string_view updated_at) = nullptr;
};

// nullptr if titles are in the sessions themselves.
const TitleFile* title_file_of(std::string_view layout);

}  // namespace holdfast::inline v1
