#include "store/session_header.h"

#include "disk/log_head.h"
#include "layout/change.h"
#include "layout/writable_layout.h"
#include "store/engine.h"
#include "store/secret_backup.h"
#include "store/session_trash.h"

namespace holdfast::inline v1 {
namespace {

// The previous version contains the secrets.
Result<void> drop_backups(const Context& context, FileStore& files, const Changes& documents) {
  for (const Change& change : documents.list()) {
    HOLDFAST_LET(root, files.roots().root(change.place.root));
    HOLDFAST_TRY(refresh_secret_backup(context, *root, change.place.path));
  }
  return {};
}

}  // namespace

Result<void> write_header(const Context& context, Store& store, std::string_view id, HeaderRequest request) {
  HOLDFAST_LET(files, engine_of(store));
  const bool wipe = request == HeaderRequest::without_secrets;
  constexpr int kAttempts = 20;
  HOLDFAST_LET(sessions, files->hold_sessions(context, LockKind::shared));
  for (int attempt = 1;; ++attempt) {
    SessionRef touched;
    Changes documents;
    // Write the first line before the header in the side folder goes: a crash
    // in between leaves both, and they agree.
    auto done = files->change(context, [&](DirectoryFeed& feed) -> Result<Changes> {
      HOLDFAST_LET(ref, files->resolve(context, feed, id));
      HOLDFAST_TRY(check_move_finished(*files, ref.id));
      HOLDFAST_LET(writer, writer_of(files->layout()));
      HOLDFAST_LET(head, writer->header_line(feed, ref, wipe));
      if (!head) return Changes();
      if (head->line == head->before) {
        documents = head->after;
        return std::move(head->after);
      }
      touched = ref;
      HOLDFAST_LET(root, files->roots().root(head->log.root));
      HOLDFAST_TRY(replace_head(context, root, {head->log.path, head->before, head->line, wipe}));
      return std::move(head->after);
    });
    if (!done && done.error().code == Code::conflict && attempt < kAttempts) continue;
    HOLDFAST_TRY(done);
    if (wipe) HOLDFAST_TRY(drop_backups(context, *files, documents));
    if (!touched.id.empty()) files->touched(touched);
    return {};
  }
}

Result<void> move_to_project(const Context& context, Store& store, std::string_view id, std::string_view project,
                             const OwnerClaim& claim) {
  HOLDFAST_LET(files, engine_of(store));
  SessionRef from;
  HOLDFAST_LET(sessions, files->hold_sessions(context, LockKind::exclusive));
  HOLDFAST_TRY(files->change(context, [&](DirectoryFeed& feed) -> Result<Changes> {
    HOLDFAST_LET(ref, files->resolve(context, feed, id));
    from = ref;
    if (auto whole = check_move_finished(*files, ref.id); !whole) return fail(std::move(whole).error());
    HOLDFAST_LET(root, files->roots().root(ref.place.root));
    if (auto unowned = check_unowned(*files, *root, ref.id, claim); !unowned) return fail(std::move(unowned).error());
    HOLDFAST_LET(writer, writer_of(files->layout()));
    return writer->regroup(feed, ref, project, files->moment(context));
  }));
  files->touched(from);
  DirectoryFeed feed(context, files->roots().directories());
  HOLDFAST_LET(now, files->resolve(context, feed, from.id));
  files->touched(now);
  return {};
}

}  // namespace holdfast::inline v1
