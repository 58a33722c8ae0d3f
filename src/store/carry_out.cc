#include "store/carry_out.h"

#include <holdfast/commit.h>
#include <holdfast/document.h>

#include <optional>

#include "base/safe_name.h"
#include "disk/log_head.h"

namespace holdfast::inline v1 {
namespace {

std::optional<Revision> seen_revision(const DirectoryFeed& seen, const Change& change) {
  if (change.kind == ChangeKind::create) return Revision(kAbsent);
  const auto at = seen.revisions().find(change.place);
  if (at == seen.revisions().end()) return std::nullopt;
  return at->second;
}

// Everything below `path`, then `path`; links are removed, never followed.
Result<void> delete_below(Directory& directory, const std::string& path) {
  HOLDFAST_LET(entries, directory.list(path));
  for (const DirectoryEntry& entry : entries) {
    const std::string inner = path + "/" + entry.name;
    if (entry.kind == FileKind::directory) {
      HOLDFAST_TRY(delete_below(directory, inner));
    } else {
      HOLDFAST_TRY(directory.remove(inner));
    }
  }
  return directory.remove_directory(path);
}

// One rename takes the tree out of sight, durably; what is left of the work can
// be cut short by a crash and is done by the next one who empties the trash.
Result<void> remove_tree(Root& root, const std::string& path) {
  HOLDFAST_TRY(root.ensure_directory(root.side("trash")));
  const std::string trash = root.side("trash", root.unique_name("tree."));
  auto moved = root.directory().rename(path, trash);
  if (!moved) {
    if (moved.error().code == Code::not_found) return {};
    return moved;
  }
  // Both ends: a rename of which only one is durable may be undone, and what is deleted below would be gone from it.
  HOLDFAST_TRY(root.sync_name(trash));
  HOLDFAST_TRY(root.sync_name(path));
  HOLDFAST_LET(stat, root.directory().stat(trash));
  return stat.kind == FileKind::directory ? delete_below(root.directory(), trash) : root.directory().remove(trash);
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

}  // namespace

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
  for (const Change& change : changes.list()) {
    HOLDFAST_TRY(check_relative_path(change.place.path));
    if (changes_nothing(seen, change)) continue;
    HOLDFAST_LET(root, roots.root(change.place.root));
    if (change.kind == ChangeKind::remove_tree) {
      trees.push_back(&change);
    } else if (!in_side(*root, change.place.path)) {
      together.push_back(&change);
    } else if (change.kind == ChangeKind::remove) {
      side_removals.push_back(&change);
    } else {
      // No journal covers the side folder: what is new there is made first and
      // may be left over by a crash; what goes there goes last.
      HOLDFAST_TRY(replace_one(context, *root, change, seen, durability));
    }
  }
  if (together.size() == 1 && (together[0]->kind == ChangeKind::put || together[0]->kind == ChangeKind::create)) {
    HOLDFAST_LET(root, roots.root(together[0]->place.root));
    HOLDFAST_TRY(replace_one(context, *root, *together[0], seen, durability));
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
        case ChangeKind::remove_tree: break;
      }
    }
    HOLDFAST_TRY(commit.run(context));
  }
  for (const Change* change : side_removals) {
    HOLDFAST_LET(root, roots.root(change->place.root));
    auto removed = remove_document(context, *root, change->place.path, seen_revision(seen, *change));
    if (!removed && removed.error().code != Code::not_found) return removed;
  }
  for (const Change* change : trees) {
    HOLDFAST_LET(root, roots.root(change->place.root));
    HOLDFAST_TRY(remove_tree(*root, change->place.path));
  }
  return {};
}

}  // namespace holdfast::inline v1
