#include "store/worktree.h"

#include <optional>

#include "base/parent_path.h"
#include "disk/staged.h"
#include "store/projects.h"

namespace holdfast::inline v1 {
namespace {

std::optional<std::string> first_line(FileSystem& file_system, const std::string& directory, std::string_view name) {
  const auto opened = file_system.open_directory(directory, false);
  if (!opened) return std::nullopt;
  const auto stat = (*opened)->stat_to_read(name);
  if (!stat || stat->kind != FileKind::file || stat->size > 8192) return std::nullopt;
  auto bytes = read_whole(**opened, name);
  if (!bytes) return std::nullopt;
  std::string line = bytes->substr(0, bytes->find('\n'));
  while (line.ends_with('\r') || line.ends_with(' ')) line.pop_back();
  return line;
}

// True if the repository knows the worktree: its own link leads back to it.
bool leads_back(FileSystem& file_system, const std::string& note, const std::string& directory) {
  const auto there = file_system.open_directory(absolute_parent(note), false);
  const auto here = file_system.open_directory(directory, false);
  if (!there || !here) return false;
  const auto one = (*there)->stat(""), other = (*here)->stat("");
  return one && other && one->same_file(*other);
}

// git writes absolute paths, and relative ones if so configured.
std::string below(const std::string& base, const std::string& path) {
  return normalize_path(path.starts_with('/') ? path : base + "/" + path);
}

}  // namespace

std::string main_directory_of(FileSystem& file_system, const std::string& directory) {
  constexpr std::string_view kMark = "gitdir: ";
  const auto link = first_line(file_system, directory, ".git");
  if (!link || !link->starts_with(kMark)) return directory;
  const std::string own = below(directory, link->substr(kMark.size()));
  // Submodules have a `.git` file too, but no common directory beside it.
  const auto common = first_line(file_system, own, "commondir");
  if (!common || common->empty()) return directory;
  const auto note = first_line(file_system, own, "gitdir");
  if (!note || !leads_back(file_system, below(own, *note), directory)) return directory;
  const std::string repository = below(own, *common);
  if (!repository.ends_with("/.git")) return directory;  // bare: there is no main directory
  std::string main(absolute_parent(repository));
  return file_system.open_directory(main, false) ? main : directory;
}

}  // namespace holdfast::inline v1
