#include "store/metrics_file.h"

#include "disk/staged.h"
#include "disk/steps.h"
#include "store/plain_appender.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::uint64_t kCompactAbove = 64 * 1024;

MetricsBook sum_of(std::string_view bytes) {
  MetricsBook sum;
  while (!bytes.empty()) {
    const std::size_t end = bytes.find('\n');
    if (const auto book = MetricsBook::from_line(bytes.substr(0, end))) sum.add(*book);
    bytes.remove_prefix(end == std::string_view::npos ? bytes.size() : end + 1);
  }
  return sum;
}

// Opens and locks the file, and checks that it still has its name: whoever
// compacts holds the lock until the new file has taken the name.
Result<std::unique_ptr<File>> open_locked(Directory& directory, const std::string& name) {
  constexpr int kAttempts = 50;
  for (int attempt = 1;; ++attempt) {
    HOLDFAST_LET(file, open_or_create(directory, name));
    HOLDFAST_LET(locked, does(Step::metrics_lock) ? file->try_lock(LockKind::exclusive) : Result<bool>(true));
    if (locked) {
      HOLDFAST_LET(ours, file->stat());
      const auto named = directory.stat(name);
      if ((named && named->same_file(ours)) || !does(Step::metrics_inode_check)) return file;
    }
    if (attempt == kAttempts) return fail(Code::busy, "the metrics are in use", name);
    system_clock().sleep(std::chrono::milliseconds(1));
  }
}

}  // namespace

Result<void> add_to_metrics_file(FileSystem& file_system, std::string_view path, const MetricsBook& book) {
  HOLDFAST_LET(place, folder_and_name(path));
  HOLDFAST_LET(directory, file_system.open_directory(place.folder, true));
  HOLDFAST_LET(file, open_locked(*directory, place.name));
  HOLDFAST_LET(stat, file->stat());
  const std::string line = book.line() + "\n";
  if (stat.size <= kCompactAbove) {
    HOLDFAST_LET(written, file->append(line));
    if (written != line.size()) return fail(Code::disk_full, "the line is not whole", std::string(path));
    return {};
  }
  HOLDFAST_LET(bytes, read_whole(*directory, place.name));
  MetricsBook sum = sum_of(bytes);
  sum.add(book);
  const std::string fresh = place.name + ".new";
  if (auto gone = directory->remove(fresh); !gone && gone.error().code != Code::not_found) return gone;
  HOLDFAST_LET(made, directory->open(fresh, OpenMode::create_append));
  HOLDFAST_TRY(made->append(sum.line() + "\n"));
  return directory->rename(fresh, place.name);
}

MetricsBook read_metrics_file(FileSystem& file_system, std::string_view path) {
  const auto place = folder_and_name(path);
  if (!place) return {};
  const auto directory = file_system.open_directory(place->folder, false);
  if (!directory) return {};
  const auto bytes = read_whole(**directory, place->name);
  return bytes ? sum_of(*bytes) : MetricsBook();
}

}  // namespace holdfast::inline v1
