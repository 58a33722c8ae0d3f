#include "store/session_trash.h"

#include <holdfast/document.h>

#include <algorithm>
#include <optional>

#include "base/time.h"
#include "disk/journal.h"
#include "disk/poison.h"
#include "disk/steps.h"
#include "layout/change.h"
#include "store/blob_collection.h"
#include "store/carry_out.h"
#include "store/deletion.h"
#include "store/engine.h"
#include "store/log_checksums.h"
#include "store/session_match.h"
#include "store/trash_restore.h"
#include "store/unfinished_move.h"

namespace holdfast::inline v1 {
namespace {

Result<FileStore*> writable_engine(Store& store) {
  HOLDFAST_LET(engine, engine_of(store));
  if (!engine->roots().writable()) return fail(Code::invalid_argument, "the store was opened read-only", store.name());
  return engine;
}

ReplaceOptions without_backup() {
  ReplaceOptions options;
  options.backup = false;
  return options;
}

// Bytes appended without a sync must become durable before the removal does.
Result<void> sync_below(Root& root, const std::string& path) {
  Directory& directory = root.directory();
  const auto now = directory.stat(path);
  if (!now) return now.error().code == Code::not_found ? Result<void>() : fail(now.error());
  if (now->kind == FileKind::file) {
    HOLDFAST_LET(opened, directory.open(path, OpenMode::read));
    auto synced = does(Step::trash_file_sync) ? opened->sync() : Result<void>();
    // The next sync may claim success for what this one lost: the next writer rewrites the log first (I-7).
    if (!synced && does(Step::trash_poison_mark)) (void)Poison(root, path).mark(root, 0);
    return synced;
  }
  if (now->kind != FileKind::directory) return {};
  HOLDFAST_LET(entries, directory.list(path));
  for (const DirectoryEntry& entry : entries) HOLDFAST_TRY(sync_below(root, path + "/" + entry.name));
  return {};
}

// True if a crash cannot split the removal: it is a single rename, or a commit.
bool goes_in_one_step(const Changes& changes) {
  return std::ranges::count(changes.list(), ChangeKind::remove_tree, &Change::kind) < 2;
}

bool goes_with_a_tree(const Changes& changes, const Place& place) {
  return std::ranges::any_of(changes.list(), [&](const Change& tree) {
    return tree.kind == ChangeKind::remove_tree && tree.place.root == place.root &&
           place.path.starts_with(tree.place.path + "/");
  });
}

// Turns the removal into a move to the trash: trees are moved there; documents that a commit removes are copied
// first. The manifest, which lists what is or will be there, is durable before anything goes.
Result<Changes> into_trash(const Context& context, Root& root, DirectoryFeed& feed, const Changes& changes,
                           TrashFolder& found) {
  constexpr std::uint64_t kLargest = std::uint64_t{1} << 30;
  HOLDFAST_TRY(root.ensure_directory(found.session.folder));
  Changes kept;
  for (const Change& change : changes.list()) {
    const bool document = change.kind == ChangeKind::remove && change.place.root == found.root;
    if (document && goes_with_a_tree(changes, change.place)) continue;
    TrashedFile file{change.place.path, std::to_string(found.files.size())};
    const std::string to = found.session.folder + "/" + file.name;
    if (change.kind == ChangeKind::remove_tree && change.place.root == found.root) {
      HOLDFAST_TRY(sync_below(root, file.path));
      kept.move_tree(change.place, to);
      found.files.push_back(std::move(file));
      continue;
    }
    kept.add(change);
    const auto there = document ? root.directory().stat(file.path) : Result<FileStat>(FileStat());
    if (!there || there->kind != FileKind::file) continue;       // a link is removed without being kept
    HOLDFAST_LET(bytes, feed.document(change.place, kLargest));  // a later change is a conflict
    if (!bytes) continue;
    HOLDFAST_TRY(replace_document(context, root, to, *bytes, without_backup()));
    found.files.push_back(std::move(file));
  }
  HOLDFAST_TRY(replace_document(context, root, manifest_path(found), manifest_of(found), without_backup()));
  for (const TrashedFile& file : found.files) move_checksums(root, file.path, found.session.folder);
  return kept;
}

std::string came_back_sentence(std::string_view id) {
  return "session " + std::string(id) +
         " was being moved to or from the trash when a process ended; all of it is in its place";
}

Finding came_back(const TrashFolder& found) {
  Finding finding;
  finding.file = found.files.empty() ? found.session.folder : found.files[0].path;
  finding.kind = "came_back";
  finding.consequence = came_back_sentence(found.session.id);
  return finding;
}

Finding stays_away(const TrashFolder& found, const Error& why) {
  Finding finding;
  finding.file = found.session.folder;
  finding.kind = "conflict";
  finding.consequence =
      "session " + found.session.id + " is partly in the trash, and another file has taken its place: " + why.text();
  return finding;
}

Result<void> take_away(const Context& context, Store& store, std::string_view id, bool for_good,
                       const OwnerClaim& claim) {
  HOLDFAST_LET(engine, writable_engine(store));
  Session session;
  if (!for_good) {
    HOLDFAST_LET(known, store.get(context, id));
    session = std::move(known);
  }
  TrashFolder found;
  std::shared_ptr<Root> root;
  Root& first = *engine->roots().first();
  using Goal = UnfinishedMove::Goal;
  const auto move = [&] {
    return UnfinishedMove{found.root, found.session.folder, for_good ? Goal::gone : Goal::trash};
  };
  return engine->remove_by(
      context, for_good ? id : session.id, for_good, claim,
      [&](DirectoryFeed& feed, const SessionRef& ref, Changes changes) -> Result<Changes> {
        HOLDFAST_LET(its_root, engine->roots().root(ref.place.root));
        if (root) {  // left by a plan that met a conflict
          restore_checksums(*root, found.session.folder);
          HOLDFAST_TRY(forget(*root, found));
          HOLDFAST_TRY(end_move(first, move()));
          root = nullptr;
        }
        if (for_good && goes_in_one_step(changes)) return changes;
        root = std::move(its_root);
        found = {{ref.id, session.title, iso8601(context.clock->now()), session.bytes,
                  root->side("removed", root->unique_name("session."))},
                 ref.place.root,
                 {}};
        HOLDFAST_TRY(note_move(context, first, move()));
        return into_trash(context, *root, feed, changes, found);
      },
      [&](Result<void> done) -> Result<void> {
        if (!root) return done;
        // A commit that is not finished, or may reappear after a power loss, may still remove what is in place
        // now: whoever finishes the move checks again.
        const bool unclear = !done && (done.error().code == Code::unfinished ||
                                       done.error().code == Code::durability_unknown || commit_pending(*root));
        if (unclear && does(Step::trash_pending_check)) return done;
        if (!done && found.files.empty()) {  // nothing could be moved
          (void)delete_tree(root->directory(), found.session.folder);
        } else if (!done) {
          auto back = put_back(context, *root, found, false);
          if (back) back = drop_trash_copy(*root, found);
          if (!back) return fail(as_durability_unknown(done.error(), "some of it is in the trash; restore it"));
        } else if (for_good && !forget(*root, found)) {
          return done;  // out of sight; whoever finishes the move deletes it
        }
        (void)end_move(first, move());  // on failure, the next one finds nothing to do
        return done;
      });
}

// If nothing of the session is in its place, it is in the trash.
Result<void> settle(const Context& context, FileStore& engine, Root& first, UnfinishedMove move) {
  const auto root = engine.roots().root(move.root);
  if (!root) return end_move(first, move);
  // First finish commits that were interrupted.
  for (Root* each : {&first, root->get()}) HOLDFAST_TRY(renew_journal(context, *each));
  const auto found = read_manifest(**root, move.root, move.folder);
  if (found && (move.goal == UnfinishedMove::Goal::place || is_in_place((*root)->directory(), *found))) {
    // Somebody may have written to it by now: record that it must come back even if this is interrupted again.
    if (std::exchange(move.goal, UnfinishedMove::Goal::place) != UnfinishedMove::Goal::place)
      HOLDFAST_TRY(note_move(context, first, move));
    auto back = put_back(context, **root, *found, true);
    if (back) back = drop_trash_copy(**root, *found);
    if (!back && back.error().code != Code::already_exists) return back;
    engine.note_finding(back ? came_back(*found) : stays_away(*found, back.error()));
    if (back) (void)engine.rebuild_indexes(context);
  } else if (found) {
    // Its old names must be durably gone before their contents are.
    HOLDFAST_TRY(keep_in_trash(**root, *found));
    if (move.goal == UnfinishedMove::Goal::gone) HOLDFAST_TRY(forget(**root, *found));
  } else if (move.goal != UnfinishedMove::Goal::trash) {
    HOLDFAST_TRY(forget_folder(**root, move.folder));
  }
  return end_move(first, move);
}

}  // namespace

Result<void> trash_session(const Context& context, Store& store, std::string_view id, const OwnerClaim& claim) {
  return take_away(context, store, id, false, claim);
}

Result<void> delete_session(const Context& context, Store& store, std::string_view id, const OwnerClaim& claim) {
  return take_away(context, store, id, true, claim);
}

void settle_trash(const Context& context, FileStore& engine) {
  Root& first = *engine.roots().first();
  const auto moves = noted_moves(first);
  if (!moves || !does(Step::trash_settle)) return;
  bool all = true;
  for (const UnfinishedMove& move : *moves) all = settle(context, engine, first, move).has_value() && all;
  if (all) settle_deletions(context, engine);
}

Result<void> check_move_finished(FileStore& engine, std::string_view id) {
  HOLDFAST_LET(moves, noted_moves(*engine.roots().first()));
  for (const UnfinishedMove& move : moves) {
    const auto root = engine.roots().root(move.root);
    const auto found = root ? read_manifest(**root, move.root, move.folder) : std::nullopt;
    if (found && found->session.id == id)
      return fail(Code::unfinished, "session " + std::string(id) + " is partly in the trash; restore it first",
                  move.folder);
  }
  return {};
}

Result<std::vector<TrashedSession>> trashed_sessions(const Context& /*context*/, Store& store) {
  HOLDFAST_LET(engine, engine_of(store));
  HOLDFAST_LET(all, list_trash_folders(*engine));
  HOLDFAST_LET(moves, noted_moves(*engine->roots().first()));
  // Hide sessions that were deleted permanently but whose files could not be removed yet.
  std::erase_if(all, [&](const TrashFolder& found) {
    const auto root = engine->roots().root(found.root);
    return root && !is_in_place((*root)->directory(), found) &&
           std::ranges::any_of(moves, [&](const UnfinishedMove& move) {
             return move.goal == UnfinishedMove::Goal::gone && move.root == found.root &&
                    move.folder == found.session.folder;
           });
  });
  std::vector<TrashedSession> sessions;
  for (TrashFolder& found : all) sessions.push_back(std::move(found.session));
  return sessions;
}

Result<std::string> restore_session(const Context& context, Store& store, std::string_view id) {
  HOLDFAST_LET(engine, writable_engine(store));
  HOLDFAST_LET(held, engine->hold_sessions(context, LockKind::exclusive));
  HOLDFAST_TRY(engine->flush_unwritten(context));
  HOLDFAST_LET(all, list_trash_folders(*engine));
  const TrashFolder* found = nullptr;
  for (const TrashFolder& each : all) {
    if ((each.session.id != id && !abbreviates(id, each.session.id)) ||
        (found != nullptr && found->session.id == each.session.id))
      continue;
    if (found != nullptr && found->session.id != id && each.session.id != id)
      return fail(Code::not_found, "\"" + std::string(id) + "\" is ambiguous in the trash: " + found->session.id +
                                       " and " + each.session.id);
    if (found == nullptr || each.session.id == id) found = &each;
  }
  // An earlier call was interrupted, and opening the store finished it.
  if (found == nullptr && std::ranges::any_of(engine->opening_findings(), [&](const Finding& finding) {
        return finding.consequence == came_back_sentence(id);
      }))
    return std::string(id);
  if (found == nullptr)
    return fail(Code::not_found, "no session " + std::string(id) + " is in the trash", store.name());
  HOLDFAST_LET(root, engine->roots().root(found->root));
  Root& first = *engine->roots().first();
  const UnfinishedMove move{found->root, found->session.folder};
  HOLDFAST_TRY(note_move(context, first, move));
  if (auto back = put_back(context, *root, *found, false); !back) {
    if (back.error().code != Code::durability_unknown) (void)end_move(first, move);
    return fail(std::move(back).error());
  }
  if (auto gone = drop_trash_copy(*root, *found); !gone) {
    Error error = gone.error();
    error.code = Code::unfinished;
    error.message = "it came back, but is in the trash too until it is restored again: " + error.message;
    return fail(std::move(error));
  }
  (void)end_move(first, move);  // on failure, the next one finds nothing to do
  // Indexes are derived: the session is back even if this fails.
  (void)engine->rebuild_indexes(context);
  return found->session.id;
}

Result<std::size_t> empty_trash(const Context& context, Store& store, std::chrono::system_clock::time_point then) {
  HOLDFAST_LET(engine, writable_engine(store));
  HOLDFAST_LET(held, engine->hold_sessions(context, LockKind::exclusive));
  HOLDFAST_LET(all, list_trash_folders(*engine));
  for (const auto& [name, root] : engine->roots().all()) delete_dropped_trees(*root);
  std::size_t count = 0;
  for (const TrashFolder& found : all) {
    HOLDFAST_TRY(context.check());
    const auto when = parse_iso8601(found.session.removed_at);
    if (!when || *when >= then || !check_move_finished(*engine, found.session.id)) continue;
    HOLDFAST_LET(root, engine->roots().root(found.root));
    HOLDFAST_TRY(drop_copies_of_trashed(context, *engine, found));
    HOLDFAST_TRY(forget(*root, found));
    ++count;
  }
  held.reset();
  HOLDFAST_LET(aside, has_blobs_aside(context, store, then));
  if (count > 0 || aside) HOLDFAST_TRY(collect_blobs(context, store, then));
  return count;
}

}  // namespace holdfast::inline v1
