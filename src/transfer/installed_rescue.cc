#include "transfer/installed_rescue.h"

#include "store/rescue_copies.h"

namespace holdfast::inline v1 {
namespace {

constexpr int kMost = 100;

Result<std::string> free_name(Directory& directory, const std::string& name, std::string_view ending) {
  for (int number = 1; number <= kMost; ++number) {
    std::string wanted = rescue_copy_name(name, ending, number);
    if (!directory.exists(wanted)) return wanted;
  }
  return fail(Code::already_exists, "too many damaged files are kept there", directory.path() + "/" + name);
}

// Keeps the file `name` as `aside`, and puts the file `instead` in its place.
Result<void> step_aside(Directory& directory, const std::string& name, const std::string& aside,
                        const std::string& instead) {
  // Without links, the name is missing for a moment, but both files exist all the time.
  if (!directory.make_link(name, aside)) HOLDFAST_TRY(directory.rename(name, aside));
  HOLDFAST_TRY(directory.rename(instead, name));
  return directory.sync_directory("");
}

}  // namespace

Result<InstalledRescue> install_rescue(Directory& directory, const std::string& name, std::string_view bytes,
                                       const FileStat& seen) {
  HOLDFAST_LET(kept, free_name(directory, name, kDamagedCopy));
  const std::string copy = name + std::string(kNewCopy);
  (void)directory.remove(copy);  // left by a process that was killed
  HOLDFAST_LET(file, directory.open(copy, OpenMode::create_update));
  auto done = file->write_at(0, bytes);
  if (done) done = file->set_mode(seen.mode);
  if (done) done = file->sync();
  const auto now = directory.stat(name);
  if (done && (!now || !now->same_file(seen) || now->size != seen.size || now->mtime_ns != seen.mtime_ns))
    done = fail(Code::conflict, "the session was written to in the meantime; nothing was changed",
                directory.path() + "/" + name);
  if (done) done = step_aside(directory, name, kept, copy);
  if (!done) {
    (void)directory.remove(copy);
    return fail(std::move(done).error());
  }
  return InstalledRescue{name, std::move(kept)};
}

Result<std::string> kept_damaged(Directory& directory, const std::string& name) {
  for (int number = kMost; number >= 1; --number) {
    std::string kept = rescue_copy_name(name, kDamagedCopy, number);
    if (directory.exists(kept)) return kept;
  }
  return fail(Code::not_found, "no damaged file is kept beside it", directory.path() + "/" + name);
}

Result<InstalledRescue> undo_rescue(Directory& directory, const std::string& name) {
  HOLDFAST_LET(kept, kept_damaged(directory, name));
  HOLDFAST_LET(aside, free_name(directory, name, kRescuedCopy));
  HOLDFAST_TRY(step_aside(directory, name, aside, kept));
  return InstalledRescue{name, std::move(aside)};
}

}  // namespace holdfast::inline v1
