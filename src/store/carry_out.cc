#include "store/carry_out.h"

#include <holdfast/commit.h>
#include <holdfast/document.h>

#include <algorithm>
#include <iterator>
#include <optional>

#include "base/lock_rank.h"
#include "base/safe_name.h"
#include "disk/lock_wait.h"
#include "disk/log_head.h"
#include "disk/poison.h"
#include "disk/side_car.h"
#include "disk/staged.h"
#include "disk/steps.h"
#include "store/change_undo.h"
#include "store/cleared.h"
#include "store/log_checksums.h"

namespace holdfast::inline v1 {
namespace {

std::optional<Revision> seen_revision(const DirectoryFeed& seen, const Change& change) {
  if (change.kind == ChangeKind::create) return Revision(kAbsent);
  const auto at = seen.revisions().find(change.place);
  if (at == seen.revisions().end()) return std::nullopt;
  return at->second;
}

// Returns false if there is nothing to move. Makes both ends durable: a rename with only one durable end may be
// undone by a crash, and what is then deleted from the new place would be missing in the old one.
Result<bool> move_name(const std::shared_ptr<Root>& root, const std::string& path, const std::string& to,
                       ChangeUndo& undo) {
  Directory& directory = root->directory();
  const auto here = directory.stat(path), there = directory.stat(to);
  if (!here && here.error().code == Code::not_found) return false;
  if (here && there && here->kind == FileKind::directory && there->kind == FileKind::directory) {
    HOLDFAST_LET(entries, directory.list(path));
    for (const DirectoryEntry& entry : entries)
      HOLDFAST_TRY(move_name(root, path + "/" + entry.name, to + "/" + entry.name, undo));
    return true;
  }
  if (there) return fail(Code::already_exists, "another file is in the place of " + path, to);
  auto moved = directory.rename(path, to);
  if (!moved && moved.error().code == Code::not_found) return false;
  HOLDFAST_TRY(moved);
  undo.moved(root, path, to);
  if (auto synced = sync_move(*root, path, to); !synced) {
    Error error = synced.error();
    error.code = Code::durability_unknown;
    error.message = "it was moved away, but perhaps not durably: " + error.message;
    return fail(std::move(error));
  }
  return true;
}

Result<void> make_folder_of(Root& root, const std::string& path) {
  const auto slash = path.rfind('/');
  return slash == std::string::npos ? Result<void>() : root.ensure_directory(path.substr(0, slash));
}

// What the side folder keeps under the path of a log follows it to another one: files whose late lines are still to be
// copied, and checksums. Older checksums of the new path are of other bytes. Requires the log's lock.
Result<void> move_side_files(const std::shared_ptr<Root>& root, const std::string& path, const std::string& to,
                             ChangeUndo& undo) {
  HOLDFAST_TRY(move_name(root, replaced_folder(*root, path), replaced_folder(*root, to), undo));
  if (Poison(*root, path).marked(*root)) HOLDFAST_TRY(Poison(*root, to).mark(*root, 0));
  HOLDFAST_TRY(drop_side_car(*root, to));
  // Advisory: without them the bytes are only unchecked.
  if (!move_name(root, side_car_path(*root, path), side_car_path(*root, to), undo))
    HOLDFAST_TRY(drop_side_car(*root, path));
  return {};
}

// Returns false if there is nothing to move. Moves what belongs to a log first, under the log's lock: if it is
// interrupted before the log moves, the next attempt moves the rest.
Result<bool> move_tree(const Context& context, const std::shared_ptr<Root>& root, const Change& change,
                       ChangeUndo& undo) {
  const std::string& path = change.place.path;
  const std::vector<std::string>& along = change.lines;
  HOLDFAST_TRY(make_folder_of(*root, change.bytes));
  if (along.size() == 2) HOLDFAST_TRY(make_folder_of(*root, along[1]));
  const RankHold rank(LockRank::log);
  HOLDFAST_LET(held, hold_log(context, root->directory(), path));
  if (root->directory().exists(change.bytes))
    return fail(Code::already_exists, "another file is in the place of " + path, change.bytes);
  if (along.size() != 2) return move_name(root, path, change.bytes, undo);
  HOLDFAST_TRY(move_name(root, along[0], along[1], undo));
  HOLDFAST_TRY(move_side_files(root, path, change.bytes, undo));
  HOLDFAST_LET(moved, move_name(root, path, change.bytes, undo));
  Poison(*root, path).clear(*root);
  // What the move has emptied; refused for a folder that has something in it.
  for (const std::string& folder : {along[0], along[0].substr(0, along[0].rfind('/')), replaced_folder(*root, path)})
    (void)root->directory().remove_directory(folder);
  return moved;
}

// Trees that one rename each has durably moved out of sight. If a crash or a full disk interrupts their deletion,
// delete_dropped_trees finishes it.
constexpr std::string_view kDroppedFolder = "trash", kDroppedTree = "tree.";
using Dropped = std::vector<std::pair<std::shared_ptr<Root>, std::string>>;

Result<void> drop_tree(const Context& context, const std::shared_ptr<Root>& root, const Change& change,
                       Dropped& dropped, ChangeUndo& undo) {
  HOLDFAST_TRY(root->ensure_directory(root->side(kDroppedFolder)));
  Change aside{.kind = ChangeKind::move_tree, .place = change.place};
  aside.bytes = root->side(kDroppedFolder, root->unique_name(kDroppedTree));
  HOLDFAST_TRY(drop_checksums(*root, change.place.path));
  HOLDFAST_LET(moved, move_tree(context, root, aside, undo));
  if (moved) dropped.emplace_back(root, std::move(aside.bytes));
  return {};
}

bool in_side(const Root& root, std::string_view path) { return path.starts_with(root.options().side + "/"); }

Result<void> replace_one(const Context& context, Root& root, const Change& change, const DirectoryFeed& seen,
                         Durability durability) {
  ReplaceOptions options;
  options.expected = seen_revision(seen, change);
  options.mode = change.source ? kKeepMode : 0600;
  options.durability = durability;
  options.backup = !change.derived;
  HOLDFAST_TRY(replace_document(context, root, change.place.path, change.bytes, options));
  // One that an older version of Holdfast left.
  if (change.derived) (void)root.directory().remove(backup_path(root, change.place.path));
  return {};
}

struct Sorted {
  // The journal does not cover the side folder. Changes there are made first; new files there that accompany a commit
  // come after it, because otherwise a crash could leave them without the rest of their session; removals there come
  // last.
  std::vector<const Change*> side_made, together, side_added, side_removals, trees;
};

Result<void> sort_changes(const OpenedRoots& roots, const Changes& changes, const DirectoryFeed& seen, Sorted& sorted) {
  for (const Change& change : changes.list()) {
    HOLDFAST_TRY(check_relative_path(change.place.path));
    if (changes_nothing(seen, change)) continue;
    HOLDFAST_LET(root, roots.root(change.place.root));
    if (change.kind == ChangeKind::remove_tree || change.kind == ChangeKind::move_tree) {
      sorted.trees.push_back(&change);
    } else if (!in_side(*root, change.place.path)) {
      sorted.together.push_back(&change);
    } else {
      (change.kind == ChangeKind::remove ? sorted.side_removals : sorted.side_made).push_back(&change);
    }
  }
  if (!sorted.together.empty()) {
    const auto is_new = [](const Change* change) { return change->kind == ChangeKind::create; };
    std::ranges::copy_if(sorted.side_made, std::back_inserter(sorted.side_added), is_new);
    std::erase_if(sorted.side_made, is_new);
  }
  return {};
}

Result<void> commit_together(const Context& context, const OpenedRoots& roots, const Layout& layout,
                             const std::vector<const Change*>& together, const DirectoryFeed& seen,
                             Durability durability) {
  if (together.empty()) return {};
  if (together.size() == 1 && (together[0]->kind == ChangeKind::put || together[0]->kind == ChangeKind::create)) {
    HOLDFAST_LET(root, roots.root(together[0]->place.root));
    return replace_one(context, *root, *together[0], seen, durability);
  }
  Commit commit(roots.first());
  for (const Change* change : together) {
    HOLDFAST_LET(root, roots.root(change->place.root));
    switch (change->kind) {
      case ChangeKind::put:
      case ChangeKind::create:
        commit.put(root, change->place.path, change->bytes, seen_revision(seen, *change),
                   change->source ? kKeepMode : 0600);
        break;
      case ChangeKind::append:
        HOLDFAST_TRY(settle_cleared(context, *root, change->place.path));
        if (!layout.traits().owns_logs) HOLDFAST_TRY(settle_head(context, root, change->place.path));
        commit.append(root, change->place.path, change->lines,
                      layout.traits().owns_logs ? LogMode::ours : LogMode::shared);
        break;
      case ChangeKind::remove: commit.remove(root, change->place.path, seen_revision(seen, *change)); break;
      case ChangeKind::symlink: commit.symlink(root, change->place.path, change->bytes); break;
      case ChangeKind::remove_tree:
      case ChangeKind::move_tree: break;
    }
  }
  HOLDFAST_TRY(commit.run(context));
  return {};
}

}  // namespace

Result<std::unique_ptr<File>> hold_log(const Context& context, Directory& directory, const std::string& path) {
  while (true) {
    const auto named = directory.stat(path);
    if (!named || named->kind != FileKind::file) return nullptr;
    auto file = directory.open(path, OpenMode::read);
    if (!file) return nullptr;  // our writers cannot open it either
    if (does(Step::move_lock)) HOLDFAST_TRY(wait_for_lock(context, **file, LockKind::exclusive, path));
    const auto held = (*file)->stat();
    const auto now = directory.stat(path);
    if ((held && now && held->same_file(*now)) || !does(Step::move_inode_check)) return std::move(*file);
    HOLDFAST_TRY(context.check());
  }
}

Result<void> delete_tree(Directory& directory, const std::string& path) {
  HOLDFAST_LET(stat, directory.stat(path));
  if (stat.kind != FileKind::directory) return directory.remove(path);
  HOLDFAST_LET(entries, directory.list(path));
  for (const DirectoryEntry& entry : entries) HOLDFAST_TRY(delete_tree(directory, path + "/" + entry.name));
  return directory.remove_directory(path);
}

void delete_dropped_trees(Root& root) {
  const auto entries = root.directory().list(root.side(kDroppedFolder));
  if (!entries) return;
  for (const DirectoryEntry& entry : *entries)
    if (entry.name.starts_with(kDroppedTree))
      (void)delete_tree(root.directory(), root.side(kDroppedFolder, entry.name));
}

bool changes_nothing(const DirectoryFeed& seen, const Change& change) {
  if (change.kind == ChangeKind::append) return change.lines.empty();
  const auto at = seen.revisions().find(change.place);
  if (at == seen.revisions().end()) return false;
  if (change.kind == ChangeKind::put) return at->second == revision_of(change.bytes);
  if (change.kind == ChangeKind::remove) return at->second == kAbsent;
  return false;
}

Result<void> carry_out(const Context& context, const OpenedRoots& roots, const Layout& layout, const Changes& changes,
                       const DirectoryFeed& seen, Durability durability) {
  Sorted sorted;
  HOLDFAST_TRY(sort_changes(roots, changes, seen, sorted));
  ChangeUndo undo;
  Dropped dropped;
  const auto all = [&]() -> Result<void> {
    const auto make = [&](const std::vector<const Change*>& side) -> Result<void> {
      for (const Change* change : side) {
        HOLDFAST_LET(before, ChangeUndo::look(context, roots, *change));
        HOLDFAST_TRY(replace_one(context, *before.root, *change, seen, durability));
        undo.replaced(std::move(before));
      }
      return {};
    };
    HOLDFAST_TRY(make(sorted.side_made));
    std::vector<ChangeUndo::Before> before;
    if (!sorted.side_added.empty() || !sorted.side_removals.empty() || !sorted.trees.empty()) {
      for (const Change* change : sorted.together) {
        HOLDFAST_LET(one, ChangeUndo::look(context, roots, *change));
        before.push_back(std::move(one));
      }
    }
    HOLDFAST_TRY(commit_together(context, roots, layout, sorted.together, seen, durability));
    undo.committed(std::move(before));
    HOLDFAST_TRY(make(sorted.side_added));
    for (const Change* change : sorted.side_removals) {
      HOLDFAST_LET(one, ChangeUndo::look(context, roots, *change));
      auto removed = remove_document(context, *one.root, change->place.path, seen_revision(seen, *change));
      if (!removed && removed.error().code != Code::not_found) return removed;
      if (removed) undo.replaced(std::move(one));
    }
    for (const Change* change : sorted.trees) {
      HOLDFAST_LET(root, roots.root(change->place.root));
      if (change->kind == ChangeKind::move_tree) {
        HOLDFAST_TRY(move_tree(context, root, *change, undo));
      } else {
        HOLDFAST_TRY(drop_tree(context, root, *change, dropped, undo));
      }
    }
    return {};
  };
  if (auto done = all(); !done) return fail(undo.take_back(context, std::move(done).error()));
  for (const auto& [root, path] : dropped) (void)delete_tree(root->directory(), path);
  return {};
}

}  // namespace holdfast::inline v1
