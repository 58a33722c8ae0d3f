#include <holdfast/document.h>

#include "disk/log_file.h"
#include "disk/poison.h"
#include "disk/side_car.h"
#include "disk/staged.h"
#include "disk/steps.h"
#include "rules/upkeep/history.h"
#include "store/cleared.h"
#include "store/engine.h"
#include "store/session_trash.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::string_view kSessionLine = R"({"type":"session",)";  // the first of a native log; not a message

// Counts nonblank lines, including a last one without a newline, but not the session-line.
Result<std::uint64_t> count_lines(const Context& context, Directory& directory, const std::string& path) {
  HOLDFAST_LET(file, directory.open(path, OpenMode::read));
  std::string buffer(std::size_t{1} << 20, '\0');
  std::uint64_t lines = 0, at = 0, header = 0;
  bool something = false;
  while (true) {
    HOLDFAST_TRY(context.check());
    HOLDFAST_LET(count, file->read_at(at, buffer));
    if (count == 0) break;
    const bool headed = at == 0 && std::string_view(buffer).substr(0, count).starts_with(kSessionLine);
    if (headed) header = 1;
    at += count;
    for (const char byte : std::string_view(buffer).substr(0, count)) {
      if (byte == '\n') {
        lines += something ? 1 : 0;
        something = false;
      } else if (byte != ' ' && byte != '\t' && byte != '\r') {
        something = true;
      }
    }
  }
  return lines + (something ? 1 : 0) - header;
}

// A power loss may take the empty log's name, and with it everything appended from now on: puts the log back in
// its place, unless the empty one was written to; its lock is held.
Result<void> put_back(Root& root, File& empty, const std::string& path, const std::string& aside) {
  HOLDFAST_LET(now, empty.stat());
  if (now.size > 0) return fail(Code::conflict, "somebody has written to the cleared log", path);
  HOLDFAST_TRY(root.directory().rename(aside, path));
  return root.sync_name(path);
}

// Gives the file another name aside and puts an empty one in its place. There must always be a log: without one
// the session would count as removed.
Result<void> exchange(Root& root, File& log, const std::string& path, const std::string& aside) {
  Directory& directory = root.directory();
  // After a failed sync the next one may lie: the next append rewrites the log first (I-7).
  const auto distrust = [&](Result<void> synced) {
    if (!synced && does(Step::clear_poison_mark)) (void)Poison(root, path).mark(root, 0);
    return synced;
  };
  if (does(Step::clear_sync)) HOLDFAST_TRY(distrust(log.sync()));
  HOLDFAST_TRY(root.ensure_directory(root.side(kClearedFolder)));
  HOLDFAST_LET(empty, stage_file(root, "", next_mode(root, path, kKeepMode)));
  // None of our writers uses it before it is durable.
  HOLDFAST_LET(opened, directory.open(empty, OpenMode::read));
  HOLDFAST_TRY(opened->try_lock(LockKind::exclusive));
  const Poison poison(root, path);
  const bool suspect = poison.marked(root);  // marked before this call
  auto placed = directory.make_link(path, aside);
  if (placed && does(Step::clear_kept)) placed = root.sync_name(aside);
  if (placed) placed = drop_side_car(root, path);
  // Marked until the name is durable: if this process dies first, the next append gives the file its name again.
  if (placed && does(Step::clear_name_mark)) placed = poison.mark_name(root, empty);
  if (placed) placed = directory.rename(empty, path);
  if (!placed) {
    drop_staged(root, empty);
    (void)directory.remove(aside);
    if (!suspect) poison.clear(root);
    return placed;
  }
  auto synced = does(Step::clear_name_sync) ? root.sync_name(path) : Result<void>();
  const bool undone = !synced && (!does(Step::clear_undone) || put_back(root, *opened, path, aside));
  if (synced || (undone && !suspect)) poison.clear(root);
  if (synced || undone) return synced;
  Error error = synced.error();
  error.code = Code::durability_unknown;
  error.message = "cleared, but perhaps not durably: " + error.message;
  return fail(std::move(error));
}

}  // namespace

Result<std::uint64_t> clear_session(const Context& context, Store& store, std::string_view id,
                                    const OwnerClaim& claim) {
  HOLDFAST_LET(files, engine_of(store));
  const Layout& layout = files->layout();
  if (!files->roots().writable()) return fail(Code::invalid_argument, "the store was opened read-only", store.name());
  if (!layout.traits().owns_logs && layout.name() != "linggen")
    return fail(Code::unsupported, "layout " + std::string(layout.name()) + " cannot hold: a session without messages");
  HOLDFAST_LET(sessions, files->hold_sessions(context, LockKind::exclusive));
  DirectoryFeed feed(context, files->roots().directories());
  HOLDFAST_LET(ref, files->resolve(context, feed, id));
  HOLDFAST_TRY(check_move_finished(*files, ref.id));
  HOLDFAST_LET(root, files->roots().root(ref.place.root));
  HOLDFAST_TRY(check_unowned(*files, *root, ref.id, claim));
  const std::string& path = ref.place.path;
  if (!root->directory().exists(path)) return std::uint64_t{0};

  LogOptions options;
  options.mode = layout.traits().owns_logs ? LogMode::ours : LogMode::shared;
  options.create = false;
  const std::string aside = new_cleared_path(context, *root, ref.id);
  HOLDFAST_TRY(settle_cleared(context, *root, path));
  {
    HOLDFAST_LET(held, root->lock(context));
    HOLDFAST_LET(log, LogFile::open(context, root, path, options));
    HOLDFAST_TRY(log.lock(context));
    auto cleared = exchange(*root, *log.shared_file(), path, aside);
    log.unlock();
    HOLDFAST_TRY(cleared);
  }
  files->touched(ref);
  return count_lines(context, root->directory(), aside);
}

}  // namespace holdfast::inline v1
