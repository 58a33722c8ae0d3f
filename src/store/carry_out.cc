#include "store/carry_out.h"

#include <holdfast/commit.h>
#include <holdfast/document.h>

#include <optional>
#include <span>

#include "base/lock_rank.h"
#include "base/safe_name.h"
#include "disk/log_head.h"
#include "disk/steps.h"

namespace holdfast::inline v1 {
namespace {

std::optional<Revision> seen_revision(const DirectoryFeed& seen, const Change& change) {
  if (change.kind == ChangeKind::create) return Revision(kAbsent);
  const auto at = seen.revisions().find(change.place);
  if (at == seen.revisions().end()) return std::nullopt;
  return at->second;
}

// The kernel lock of a file that is a log, perhaps: who looked under that lock whether it is still there
// (LogFile::lock) has written by the time it goes. Nothing for a directory: a log in it goes with it.
Result<std::unique_ptr<File>> hold_file(const Context& context, Directory& directory, const std::string& path) {
  while (true) {
    const auto named = directory.stat(path);
    if (!named || named->kind != FileKind::file) return nullptr;
    auto file = directory.open(path, OpenMode::read);
    if (!file) return nullptr;  // nor can our writers open it
    HOLDFAST_TRY(wait_for_lock(context, **file, LockKind::exclusive, path));
    const auto held = (*file)->stat();
    const auto now = directory.stat(path);
    if (held && now && held->same_file(*now)) return std::move(*file);
    HOLDFAST_TRY(context.check());
  }
}

// False: there is nothing to move. Both ends are durable: a rename of which only one is may be undone, and what is
// deleted from the new place would be gone from the old.
Result<bool> move_name(Root& root, const std::string& path, const std::string& to) {
  Directory& directory = root.directory();
  const auto here = directory.stat(path), there = directory.stat(to);
  if (!here && here.error().code == Code::not_found) return false;
  if (here && there && here->kind == FileKind::directory && there->kind == FileKind::directory) {
    HOLDFAST_LET(entries, directory.list(path));
    for (const DirectoryEntry& entry : entries)
      HOLDFAST_TRY(move_name(root, path + "/" + entry.name, to + "/" + entry.name));
    return true;
  }
  if (there) return fail(Code::already_exists, "another file is in the place of " + path, to);
  auto moved = directory.rename(path, to);
  if (!moved && moved.error().code == Code::not_found) return false;
  HOLDFAST_TRY(moved);
  const auto sync = [&]() -> Result<void> {
    if (does(Step::trash_kept_names)) HOLDFAST_TRY(root.sync_name(to));
    return root.sync_name(path);
  };
  if (auto synced = sync(); !synced) {
    Error error = synced.error();
    error.code = Code::durability_unknown;
    error.message = "it is gone from its place, but perhaps not durably: " + error.message;
    return fail(std::move(error));
  }
  return true;
}

Result<void> make_folder_of(Root& root, const std::string& path) {
  const auto slash = path.rfind('/');
  return slash == std::string::npos ? Result<void>() : root.ensure_directory(path.substr(0, slash));
}

// False: there is nothing to move. What goes with a log goes first, under the log's lock: who was cut short before the
// log went moves the rest.
Result<bool> move_tree(const Context& context, Root& root, const Change& change) {
  const std::string& path = change.place.path;
  const std::vector<std::string>& along = change.lines;
  HOLDFAST_TRY(make_folder_of(root, change.bytes));
  if (along.size() == 2) HOLDFAST_TRY(make_folder_of(root, along[1]));
  const RankHold rank(LockRank::log);
  HOLDFAST_LET(held, hold_file(context, root.directory(), path));
  if (root.directory().exists(change.bytes))
    return fail(Code::already_exists, "another file is in the place of " + path, change.bytes);
  if (along.size() == 2) HOLDFAST_TRY(move_name(root, along[0], along[1]));
  return move_name(root, path, change.bytes);
}

// One rename takes the tree out of sight, durably; what is left of the work can
// be cut short by a crash or a full disk and is done by the next one who empties the trash.
Result<void> remove_tree(const Context& context, Root& root, const std::string& path) {
  HOLDFAST_TRY(root.ensure_directory(root.side("trash")));
  const std::string trash = root.side("trash", root.unique_name("tree."));
  HOLDFAST_LET(moved, move_tree(context, root, {.kind = ChangeKind::move_tree, .place = {"", path}, .bytes = trash}));
  if (moved) (void)delete_tree(root.directory(), trash);
  return {};
}

bool in_side(const Root& root, std::string_view path) { return path.starts_with(root.options().side + "/"); }

Result<void> replace_one(const Context& context, Root& root, const Change& change, const DirectoryFeed& seen,
                         Durability durability) {
  ReplaceOptions options;
  options.expected = seen_revision(seen, change);
  options.mode = change.source ? kKeepMode : 0600;
  options.durability = durability;
  HOLDFAST_TRY(replace_document(context, root, change.place.path, change.bytes, options));
  return {};
}

// What was made in the side folder for changes that were then refused goes again.
Error take_back(const OpenedRoots& roots, std::span<const Change* const> made, Error cause) {
  if (cause.code == Code::unfinished || cause.code == Code::durability_unknown) return cause;
  for (const Change* change : made) {
    const auto root = roots.root(change->place.root);
    auto gone = root ? (*root)->directory().remove(change->place.path) : fail(root.error());
    if (!gone && gone.error().code == Code::not_found) continue;
    if (gone) gone = (*root)->sync_name(change->place.path);
    if (gone) continue;
    cause.code = Code::durability_unknown;
    cause.message = "some of it was made and could not be taken back: " + cause.message;
  }
  return cause;
}

}  // namespace

Result<void> delete_tree(Directory& directory, const std::string& path) {
  HOLDFAST_LET(stat, directory.stat(path));
  if (stat.kind != FileKind::directory) return directory.remove(path);
  HOLDFAST_LET(entries, directory.list(path));
  for (const DirectoryEntry& entry : entries) HOLDFAST_TRY(delete_tree(directory, path + "/" + entry.name));
  return directory.remove_directory(path);
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
  std::vector<const Change*> together;
  std::vector<const Change*> trees;
  std::vector<const Change*> side_removals;
  std::vector<const Change*> side_made;
  for (const Change& change : changes.list()) {
    HOLDFAST_TRY(check_relative_path(change.place.path));
    if (changes_nothing(seen, change)) continue;
    HOLDFAST_LET(root, roots.root(change.place.root));
    if (change.kind == ChangeKind::remove_tree || change.kind == ChangeKind::move_tree) {
      trees.push_back(&change);
    } else if (!in_side(*root, change.place.path)) {
      together.push_back(&change);
    } else if (change.kind == ChangeKind::remove) {
      side_removals.push_back(&change);
    } else {
      // No journal covers the side folder: what is new there is made first and
      // may be left over by a crash; what goes there goes last.
      if (auto done = replace_one(context, *root, change, seen, durability); !done)
        return fail(take_back(roots, side_made, std::move(done).error()));
      if (change.kind == ChangeKind::create) side_made.push_back(&change);
    }
  }
  if (together.size() == 1 && (together[0]->kind == ChangeKind::put || together[0]->kind == ChangeKind::create)) {
    HOLDFAST_LET(root, roots.root(together[0]->place.root));
    if (auto done = replace_one(context, *root, *together[0], seen, durability); !done)
      return fail(take_back(roots, side_made, std::move(done).error()));
  } else if (!together.empty()) {
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
          if (!layout.owns_logs()) HOLDFAST_TRY(settle_head(context, root, change->place.path));
          commit.append(root, change->place.path, change->lines, layout.owns_logs() ? LogMode::ours : LogMode::shared);
          break;
        case ChangeKind::remove: commit.remove(root, change->place.path, seen_revision(seen, *change)); break;
        case ChangeKind::symlink: commit.symlink(root, change->place.path, change->bytes); break;
        case ChangeKind::remove_tree:
        case ChangeKind::move_tree: break;
      }
    }
    if (auto done = commit.run(context); !done) return fail(take_back(roots, side_made, std::move(done).error()));
  }
  for (const Change* change : side_removals) {
    HOLDFAST_LET(root, roots.root(change->place.root));
    auto removed = remove_document(context, *root, change->place.path, seen_revision(seen, *change));
    if (!removed && removed.error().code != Code::not_found) return removed;
  }
  for (const Change* change : trees) {
    HOLDFAST_LET(root, roots.root(change->place.root));
    if (change->kind == ChangeKind::move_tree) {
      HOLDFAST_TRY(move_tree(context, *root, *change));
    } else {
      HOLDFAST_TRY(remove_tree(context, *root, change->place.path));
    }
  }
  return {};
}

}  // namespace holdfast::inline v1
