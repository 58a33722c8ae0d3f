#include "store/change_undo.h"

#include <ranges>

#include "disk/journal.h"
#include "disk/staged.h"
#include "disk/steps.h"
#include "disk/undo.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::string_view kLink = "link:";

Revision revision_after(const Change& change) {
  switch (change.kind) {
    case ChangeKind::put:
    case ChangeKind::create: return revision_of(change.bytes);
    case ChangeKind::symlink: return std::string(kLink) + change.bytes;
    default: return Revision(kAbsent);
  }
}

}  // namespace

Result<void> sync_move(Root& root, std::string_view from, std::string_view to) {
  if (does(Step::trash_kept_names)) HOLDFAST_TRY(root.sync_name(to));
  return does(Step::trash_old_names) ? root.sync_name(from) : Result<void>();
}

Result<ChangeUndo::Before> ChangeUndo::look(const Context& context, const OpenedRoots& roots, const Change& change) {
  Before before{.change = &change, .root = nullptr, .revision = {}, .bytes = {}};
  HOLDFAST_LET(root, roots.root(change.place.root));
  before.root = std::move(root);
  if (change.kind == ChangeKind::append) return before;
  // We do not hold the root's lock: a file may disappear while it is read, and then counts as absent.
  const auto gone = [](const auto& looked) { return !looked && looked.error().code == Code::not_found; };
  auto revision = name_revision(*before.root, change.place.path);
  // A second name may be the backup that another process is just making. Under the lock there is none, unless
  // somebody else created it.
  if (!revision && revision.error().code == Code::unsafe_path) {
    HOLDFAST_LET(held, before.root->lock(context));
    revision = name_revision(*before.root, change.place.path);
  }
  if (!revision && !gone(revision)) return fail(std::move(revision).error());
  before.revision = gone(revision) ? Revision(kAbsent) : std::move(*revision);
  if (before.revision == kAbsent || before.revision.starts_with(kLink)) return before;
  auto bytes = read_whole(before.root->directory(), change.place.path);
  if (gone(bytes)) {
    before.revision = kAbsent;
    return before;
  }
  if (!bytes) return fail(std::move(bytes).error());
  before.revision = revision_of(*bytes);
  before.bytes = std::move(*bytes);
  return before;
}

Result<void> ChangeUndo::move_back() const {
  for (const Move& move : moves_ | std::views::reverse) {
    Directory& directory = move.root->directory();
    if (directory.exists(move.from))
      return fail(Code::already_exists, "another file is in the place of " + move.to, move.from);
    HOLDFAST_TRY(directory.rename(move.to, move.from));
    HOLDFAST_TRY(sync_move(*move.root, move.to, move.from));
  }
  return {};
}

Result<void> ChangeUndo::commit_back(const Context& context) const {
  if (commit_.empty()) return {};
  Commit commit(commit_[0].root);
  for (const Before& before : commit_) {
    const Change& change = *before.change;
    if (change.kind == ChangeKind::append) return fail(Code::unsupported, "lines stay", change.place.path);
    if (before.bytes) {
      commit.put(before.root, change.place.path, *before.bytes, revision_after(change),
                 change.source ? kKeepMode : 0600);
    } else if (before.revision.starts_with(kLink)) {
      commit.symlink(before.root, change.place.path, before.revision.substr(kLink.size()));
    } else {
      commit.remove(before.root, change.place.path, revision_after(change));
    }
  }
  HOLDFAST_TRY(commit.run(context));
  return {};
}

Result<void> ChangeUndo::replace_back(const Context& context) const {
  for (const Before& before : side_ | std::views::reverse) {
    JournalStep step;
    step.path = before.change->place.path;
    step.before = before.revision;
    step.after = revision_after(*before.change);
    {
      HOLDFAST_LET(held, before.root->lock(context));
      HOLDFAST_LET(done, restore_name(*before.root, step));
      if (done) continue;
    }
    ReplaceOptions options;
    options.expected = step.after;
    HOLDFAST_TRY(replace_document(context, *before.root, step.path, before.bytes.value_or(""), options));
  }
  return {};
}

Error ChangeUndo::take_back(const Context& context, Error cause) const {
  if (cause.code == Code::unfinished || cause.code == Code::durability_unknown || !does(Step::side_taken_back))
    return cause;
  Context patient;  // the caller's deadline may have passed
  patient.clock = context.clock;
  auto back = move_back();
  if (back) back = commit_back(patient);
  if (back) back = replace_back(patient);
  if (back) return cause;
  cause.code = Code::durability_unknown;
  cause.message =
      "some of it was done and could not be undone (" + back.error().text() + "), because of: " + cause.message;
  return cause;
}

}  // namespace holdfast::inline v1
