#include "sync/home_lock.h"

namespace holdfast::inline v1 {

Result<std::unique_ptr<File>> lock_in(Root& root, const std::string& name, const std::string& otherwise) {
  const std::string path = root.side("locks", name);
  HOLDFAST_TRY(root.ensure_directory(root.side("locks")));
  auto file = root.directory().open(path, OpenMode::update);
  if (!file && file.error().code == Code::not_found) file = root.directory().open(path, OpenMode::create_update);
  if (!file && file.error().code == Code::already_exists) file = root.directory().open(path, OpenMode::update);
  if (!file) return fail(std::move(file).error());
  HOLDFAST_LET(held, (*file)->try_lock(LockKind::exclusive));
  if (!held) return fail(Code::busy, otherwise, root.path());
  return std::move(*file);
}

Result<std::unique_ptr<File>> watch_lock(const Context& context, FileSystem& files, const std::string& path,
                                         const std::string& remote) {
  HOLDFAST_LET(root, Root::open(context, files, path, {.side = std::string(kSyncSide)}));
  return lock_in(*root, "sync-watch-" + remote, "another holdfast sync --watch is running for " + remote);
}

}  // namespace holdfast::inline v1
