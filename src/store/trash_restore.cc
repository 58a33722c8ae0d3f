#include "store/trash_restore.h"

#include <holdfast/document.h>

#include <algorithm>
#include <ranges>

#include "base/lock_rank.h"
#include "disk/staged.h"
#include "disk/steps.h"
#include "store/carry_out.h"
#include "store/log_checksums.h"

namespace holdfast::inline v1 {
namespace {

// Something to be restored: a directory is renamed if nothing is in its place, a file gets a second name.
struct Return {
  std::string from, to;
  FileKind kind = FileKind::file;
  bool back = false;  // it never left, or is already back
};

Result<bool> is_same(Directory& directory, const Return& one) {
  HOLDFAST_LET(kept, directory.stat(one.from));
  HOLDFAST_LET(there, directory.stat(one.to));
  if (there.same_file(kept)) return true;
  if (there.kind != kept.kind || kept.kind != FileKind::file) return false;
  const auto a = read_whole(directory, one.from), b = read_whole(directory, one.to);
  return a && b && *a == *b;
}

Failure taken(const TrashFolder& found, const std::string& path) {
  return fail(Code::already_exists, "another file has taken the place of " + found.session.id, path);
}

// Undoes a name that an attempt with a failed sync put in place, so it is created again.
Result<void> take_again(const Context& context, Directory& directory, const std::string& from, const std::string& to) {
  const auto kept = directory.stat(from), there = directory.stat(to);
  if (!there) return there.error().code == Code::not_found ? Result<void>() : fail(there.error());
  if (!kept && kept.error().code != Code::not_found) return fail(kept.error());
  if (!kept) {
    const RankHold rank(LockRank::log);
    HOLDFAST_LET(held, hold_log(context, directory, to));
    return directory.rename(to, from);
  }
  if (kept->kind == FileKind::directory && there->kind == FileKind::directory) {
    HOLDFAST_LET(entries, directory.list(from));
    for (const DirectoryEntry& entry : entries)
      HOLDFAST_TRY(take_again(context, directory, from + "/" + entry.name, to + "/" + entry.name));
  }
  return kept->kind == FileKind::file && kept->same_file(*there) ? directory.remove(to) : Result<void>();
}

// Suffix of a name in the trash while it is created again.
constexpr std::string_view kBetween = "~";

Result<void> end_names(Directory& directory, const TrashFolder& found) {
  for (const TrashedFile& file : found.files) {
    const std::string name = found.session.folder + "/" + file.name, between = name + std::string(kBetween);
    if (directory.exists(between) && !directory.exists(name)) HOLDFAST_TRY(directory.rename(between, name));
  }
  return {};
}

Result<void> name_again(Directory& directory, const TrashFolder& found) {
  for (const TrashedFile& file : found.files) {
    const std::string name = found.session.folder + "/" + file.name, between = name + std::string(kBetween);
    if (!directory.exists(name)) continue;
    HOLDFAST_TRY(directory.rename(name, between));
    HOLDFAST_TRY(directory.rename(between, name));
  }
  return {};
}

// Renames nothing inside a directory that already exists: until all names are durable, each file also keeps its name
// in the trash.
Result<void> plan_return(Directory& directory, const TrashFolder& found, Return one, bool whole,
                         std::vector<Return>& all) {
  const auto kept = directory.stat(one.from);
  if (!kept && kept.error().code != Code::not_found) return fail(kept.error());
  const auto there = directory.stat(one.to);
  if (!there && there.error().code != Code::not_found) return fail(there.error());
  one.back = !kept;
  if (!kept && !there) return {};
  one.kind = kept ? kept->kind : there->kind;
  const bool merged = there ? there->kind == FileKind::directory : !whole;
  if (kept && one.kind == FileKind::directory && merged) {
    HOLDFAST_LET(entries, directory.list(one.from));
    for (const DirectoryEntry& entry : entries)
      HOLDFAST_TRY(plan_return(directory, found, {one.from + "/" + entry.name, one.to + "/" + entry.name}, false, all));
    return {};
  }
  if (kept && there && does(Step::trash_taken_look)) {
    HOLDFAST_LET(same, is_same(directory, one));
    if (!same) return taken(found, one.to);
  }
  all.push_back(std::move(one));
  return {};
}

// Returns false if the same file is already there.
Result<bool> bring_back(const Context& context, Root& root, const TrashFolder& found, const Return& one) {
  Directory& directory = root.directory();
  if (one.back) return false;
  if (const auto slash = one.to.rfind('/'); slash != std::string::npos)
    HOLDFAST_TRY(root.ensure_directory(one.to.substr(0, slash)));
  Result<void> back;
  if (one.kind == FileKind::symlink) {
    HOLDFAST_LET(target, directory.read_symlink(one.from));
    back = directory.make_symlink(target, one.to);
  } else {
    back = one.kind == FileKind::directory ? directory.rename(one.from, one.to) : directory.make_link(one.from, one.to);
  }
  if (back) return true;
  const auto there = directory.stat(one.to);
  if (!there) return fail(std::move(back).error());
  if (!does(Step::trash_taken)) return false;
  HOLDFAST_LET(same, is_same(directory, one));
  if (!same) return taken(found, one.to);
  const auto kept = directory.stat(one.from);
  if (!kept || kept->same_file(*there)) return false;
  // A copy: make it durable, or rewrite it if a sync of it failed.
  HOLDFAST_LET(bytes, read_whole(directory, one.to));
  ReplaceOptions options;
  options.backup = false;
  options.expected = revision_of(bytes);
  HOLDFAST_TRY(replace_document(context, root, one.to, bytes, options));
  return false;
}

}  // namespace

Error as_durability_unknown(Error cause, std::string_view what) {
  cause.code = Code::durability_unknown;
  cause.message = std::string(what) + ": " + cause.message;
  return cause;
}

bool is_in_place(Directory& directory, const TrashFolder& found) {
  return std::ranges::any_of(found.files, [&](const TrashedFile& file) { return directory.exists(file.path); });
}

Result<void> put_back(const Context& context, Root& root, const TrashFolder& found, bool again) {
  Directory& directory = root.directory();
  const auto in_trash = [&](const TrashedFile& file) { return found.session.folder + "/" + file.name; };
  HOLDFAST_TRY(end_names(directory, found));
  for (const TrashedFile& file : found.files) {
    if (!again || !does(Step::trash_names_anew)) break;
    if (auto taken = take_again(context, directory, in_trash(file), file.path); !taken)
      return fail(as_durability_unknown(taken.error(), "some of it came back; restore it again"));
  }
  std::vector<Return> all;
  for (const TrashedFile& file : found.files)
    HOLDFAST_TRY(plan_return(directory, found, {in_trash(file), file.path}, true, all));
  if (all.empty() && !is_in_place(directory, found))
    return fail(Code::not_found, "the files of " + found.session.id + " are gone from the trash", found.session.folder);
  // Directories before the files inside them.
  std::ranges::sort(all, {}, [](const Return& one) { return std::pair(one.kind != FileKind::directory, one.to); });
  std::vector<const Return*> done;
  const auto sync = [&]() -> Result<void> {
    if (!does(Step::trash_restored_names)) return {};
    for (const Return& one : all) HOLDFAST_TRY(root.sync_name(one.to));
    return directory.sync_directory(found.session.folder);
  };
  const auto undo = [&](Error error) {
    Result<void> back;
    for (const Return* one : done | std::views::reverse) {
      auto gone = one->kind == FileKind::directory ? directory.rename(one->to, one->from) : directory.remove(one->to);
      if (!gone && back) back = std::move(gone);
    }
    if (back && !done.empty()) back = sync();
    if (back) return fail(std::move(error));
    return fail(as_durability_unknown(std::move(error), "some of it came back; restore it again"));
  };
  for (const Return& one : all) {
    auto back = bring_back(context, root, found, one);
    if (!back) return undo(std::move(back).error());
    if (*back) done.push_back(&one);
  }
  restore_checksums(root, found.session.folder);
  if (auto synced = sync(); !synced)
    return fail(as_durability_unknown(synced.error(), "it came back, but not durably yet"));
  return {};
}

Result<void> drop_trash_copy(Root& root, const TrashFolder& found) {
  Directory& directory = root.directory();
  if (!directory.exists(found.session.folder)) return {};
  if (!does(Step::trash_let_go)) return forget(root, found);
  for (const TrashedFile& file : found.files) {
    auto gone = delete_tree(directory, found.session.folder + "/" + file.name);
    if (!gone && gone.error().code != Code::not_found) return gone;
  }
  if (does(Step::trash_let_go_sync)) HOLDFAST_TRY(directory.sync_directory(found.session.folder));
  return forget(root, found);
}

Result<void> keep_in_trash(Root& root, const TrashFolder& found) {
  Directory& directory = root.directory();
  HOLDFAST_TRY(end_names(directory, found));
  if (does(Step::trash_names_anew)) HOLDFAST_TRY(name_again(directory, found));
  HOLDFAST_TRY(directory.sync_directory(found.session.folder));
  for (const TrashedFile& file : found.files) HOLDFAST_TRY(root.sync_name(file.path));
  return {};
}

}  // namespace holdfast::inline v1
