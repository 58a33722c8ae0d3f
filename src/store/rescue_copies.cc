#include "store/rescue_copies.h"

namespace holdfast::inline v1 {

std::string rescue_copy_name(const std::string& name, std::string_view ending, int number) {
  return name + std::string(ending) + (number == 1 ? "" : "-" + std::to_string(number));
}

std::string_view rescued_from(std::string_view path) {
  std::string_view first = path;  // without the number
  const std::size_t dash = path.find_last_not_of("0123456789");
  if (dash != std::string_view::npos && dash + 1 < path.size() && path[dash] == '-') first = path.substr(0, dash);
  for (const std::string_view ending : {kDamagedCopy, kRescuedCopy}) {
    if (first.ends_with(ending)) return first.substr(0, first.size() - ending.size());
  }
  return path.ends_with(kNewCopy) ? path.substr(0, path.size() - kNewCopy.size()) : std::string_view();
}

std::vector<std::string> rescue_copies(Directory& directory, const std::set<std::string>& folders) {
  std::vector<std::string> copies;
  for (const std::string& folder : folders) {
    const auto entries = directory.list_to_read(folder);
    if (!entries) continue;  // gone, and its copies with it
    for (const DirectoryEntry& entry : *entries) {
      if (entry.kind == FileKind::file && !rescued_from(entry.name).empty())
        copies.push_back(folder.empty() ? entry.name : folder + "/" + entry.name);
    }
  }
  return copies;
}

}  // namespace holdfast::inline v1
