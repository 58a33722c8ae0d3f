#include "api/owned_files.h"

#include <algorithm>
#include <array>
#include <functional>

#include "archive/archive.h"
#include "archive/find_text.h"
#include "source/compressed.h"

namespace holdfast::inline v1 {
namespace {

constexpr int kDeep = 24;
constexpr std::size_t kPiece = std::size_t{256} << 10;

using Visit = std::function<Result<void>(const std::string& path)>;
// Visits every plain file below a folder; does not follow links.
Result<void> for_each_file(const Context& context, Directory& directory, const std::string& folder, int depth,
                           const Visit& visit) {
  HOLDFAST_TRY(context.check());
  const auto entries = directory.list(folder);
  if (!entries) return {};  // removed meanwhile
  for (const DirectoryEntry& entry : *entries) {
    const std::string path = (folder.empty() ? "" : folder + "/") + entry.name;
    if (entry.kind == FileKind::directory && depth > 0)
      HOLDFAST_TRY(for_each_file(context, directory, path, depth - 1, visit));
    if (entry.kind == FileKind::file) HOLDFAST_TRY(visit(path));
  }
  return {};
}

std::uint64_t remove_below(const Context& context, Directory& directory, const std::string& folder) {
  std::uint64_t removed = 0;
  (void)for_each_file(context, directory, folder, kDeep, [&](const std::string& path) -> Result<void> {
    if (directory.remove(path)) ++removed;
    return {};
  });
  return removed;
}

Result<bool> file_holds(const Context& context, File& file, std::string_view path, std::string_view text) {
  const std::size_t overlap = std::max<std::size_t>(text.size() * 12, 4096);
  std::string window, piece(kPiece, '\0');
  bool found = false;
  std::uint64_t at = 0;
  const auto look = [&](std::string_view bytes) {
    window.erase(0, window.size() > overlap ? window.size() - overlap : 0);
    window += bytes;
    found = found || holds_text(window, text);
    return !found;
  };
  const auto more = [&]() -> Result<std::string_view> {
    HOLDFAST_TRY(context.check());
    HOLDFAST_LET(count, file.read_at(at, piece));
    at += count;
    return std::string_view(piece).substr(0, count);
  };
  if (path.ends_with(".zst")) {
    HOLDFAST_LET(stat, file.stat());
    const auto unpacked = unpack_zstd(more, plain_limit(stat.size), look);
    if (found) return true;
    if (unpacked && *unpacked == UnpackStatus::whole) return false;
    HOLDFAST_TRY(context.check());
    at = 0;
    window.clear();
  }
  while (!found) {
    HOLDFAST_LET(bytes, more());
    if (bytes.empty()) break;
    look(bytes);
  }
  return found;
}

// What to remove with a file that is only a copy: the file, or the whole session in the trash. Empty if it is not a
// copy.
std::string copy_with(const std::string& path) {
  static constexpr std::array<std::string_view, 2> kSides{".holdfast/", ".side/"};
  static constexpr std::array<std::string_view, 6> kCopies{"backup/",   "corrupt/", "removed/",
                                                           "replaced/", "cleared/", "trash/"};
  for (const std::string_view side : kSides) {
    const std::size_t at = path.find(side);
    if (at == std::string::npos || (at > 0 && path[at - 1] != '/')) continue;
    const std::string_view below = std::string_view(path).substr(at + side.size());
    for (const std::string_view copies : kCopies) {
      if (!below.starts_with(copies)) continue;
      const std::size_t slash = path.find('/', at + side.size() + copies.size());
      return copies == "trash/" && slash != std::string::npos ? path.substr(0, slash) : path;
    }
  }
  return {};
}

}  // namespace

Result<OwnedFiles> remove_text_from_copies(const Call& call, std::string_view text, SearchedFiles files) {
  OwnedFiles owned;
  const StoreSettings& settings = call.stores.settings();
  std::string data = settings.archive.substr(0, settings.archive.rfind('/'));
  if (!data.ends_with("/holdfast")) data = settings.archive;
  for (const std::string& place : {data, settings.cache}) {
    if (place.empty()) continue;
    const auto directory = settings.files->open_directory(place, false);
    if (!directory) continue;
    HOLDFAST_TRY(for_each_file(call.context, **directory, "", kDeep, [&](const std::string& path) -> Result<void> {
      if (files == SearchedFiles::copies && place != settings.cache && copy_with(path).empty()) return {};
      ++owned.looked_at;
      const auto file = (*directory)->open(path, OpenMode::read);
      if (!file) return {};
      HOLDFAST_LET(holds, file_holds(call.context, **file, path, text));
      if (!holds) return {};
      if (place == settings.cache) {
        if (!call.looking) (void)(*directory)->remove(path);
        return {};
      }
      const std::string copy = copy_with(path);
      if (!copy.empty() && call.looking)
        ++owned.removed;
      else if (copy.empty())
        owned.hold.push_back(std::string(place).append("/").append(path));
      else if (copy != path)
        owned.removed += remove_below(call.context, **directory, copy);
      else if ((*directory)->remove(path))
        ++owned.removed;
      return {};
    }));
  }
  return owned;
}

std::uint64_t remove_derived_files(const Call& call, Directory& archive, const std::vector<std::string>& restored) {
  std::uint64_t removed = remove_below(call.context, archive, std::string(kArchiveSide) + "/corrupt");
  if (const auto entries = archive.list(kRestoredFolder)) {
    for (const DirectoryEntry& entry : *entries) {
      const bool its =
          std::ranges::any_of(restored, [&](const std::string& name) { return entry.name.starts_with(name); });
      if (its && archive.remove(std::string(kRestoredFolder) + "/" + entry.name)) ++removed;
    }
  }
  return removed + remove_cache(call);
}

std::uint64_t remove_cache(const Call& call) {
  const StoreSettings& settings = call.stores.settings();
  if (settings.cache.empty()) return 0;
  const auto cache = settings.files->open_directory(settings.cache, false);
  return cache ? remove_below(call.context, **cache, "") : 0;
}

}  // namespace holdfast::inline v1
