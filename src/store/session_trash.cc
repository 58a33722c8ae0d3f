#include "store/session_trash.h"

#include <holdfast/document.h>

#include <algorithm>
#include <optional>
#include <ranges>

#include "base/safe_name.h"
#include "base/time.h"
#include "disk/journal.h"
#include "disk/staged.h"
#include "disk/steps.h"
#include "layout/change.h"
#include "store/blob_collection.h"
#include "store/carry_out.h"
#include "store/engine.h"
#include "store/session_match.h"
#include "text/json_scan.h"
#include "text/json_value.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::string_view kManifest = "manifest.json";

// A file or directory of a session, and its name in the trash.
struct TrashedFile {
  std::string path, name;
};

struct TrashFolder {
  TrashedSession session;
  std::string root;
  std::vector<TrashedFile> files;
};

std::string manifest_of(const TrashFolder& found) {
  JsonWriter json;
  json.begin_object().key("schema_version").int64(1).key("id").string(found.session.id);
  json.key("title").string(found.session.title).key("removed_at").string(found.session.removed_at);
  json.key("bytes").uint64(found.session.bytes).key("root").string(found.root).key("files").begin_array();
  for (const TrashedFile& file : found.files)
    json.begin_object().key("path").string(file.path).key("name").string(file.name).end_object();
  return json.end_array().end_object().take() + "\n";
}

std::optional<TrashFolder> read_manifest(Root& root, const std::string& name, const std::string& folder) {
  const auto bytes = read_whole(root.directory(), folder + "/" + std::string(kManifest));
  if (!bytes || !check_json(*bytes).ok()) return std::nullopt;
  const JsonView json(*bytes);
  TrashFolder found;
  const auto text = [&](std::string_view key) { return json.find(key).as_string().value_or(""); };
  found.session = {text("id"), text("title"), text("removed_at"),
                   static_cast<std::uint64_t>(json.find("bytes").as_int64().value_or(0)), folder};
  found.root = name;
  for (const JsonItem& item : json.find("files").elements()) {
    TrashedFile file{item.value.find("path").as_string().value_or(""),
                     item.value.find("name").as_string().value_or("")};
    // Written by us, but a file all the same: nothing in it may lead elsewhere.
    if (!check_relative_path(file.path) || !check_relative_path(file.name) || file.name.find('/') != std::string::npos)
      return std::nullopt;
    found.files.push_back(std::move(file));
  }
  return found.session.id.empty() ? std::nullopt : std::optional(std::move(found));
}

Result<std::vector<TrashFolder>> look_into(FileStore& engine) {
  std::vector<TrashFolder> all;
  for (const auto& [name, root] : engine.roots().all()) {
    const auto entries = root->directory().list(root->side("removed"));
    if (!entries && entries.error().code != Code::not_found) return fail(entries.error());
    if (!entries) continue;
    for (const DirectoryEntry& entry : *entries) {
      if (auto found = read_manifest(*root, name, root->side("removed", entry.name))) all.push_back(std::move(*found));
    }
  }
  std::ranges::sort(all, [](const TrashFolder& a, const TrashFolder& b) {
    return a.session.removed_at != b.session.removed_at ? a.session.removed_at > b.session.removed_at
                                                        : a.session.id < b.session.id;
  });
  return all;
}

// The manifest first: without it the rest is rubbish that nobody restores.
Result<void> forget(Root& root, const TrashFolder& found) {
  auto gone = root.directory().remove(found.session.folder + "/" + std::string(kManifest));
  if (!gone && gone.error().code != Code::not_found) return gone;
  if (does(Step::trash_forget_sync)) HOLDFAST_TRY(root.directory().sync_directory(found.session.folder));
  return delete_tree(root.directory(), found.session.folder);
}

Error in_between(Error cause, std::string_view what) {
  cause.code = Code::durability_unknown;
  cause.message = std::string(what) + ": " + cause.message;
  return cause;
}

// What came back has its place again. The names in the trash go before the manifest: a log of two names is written
// by nobody, and with the manifest gone no second restore would mend that.
Result<void> let_go(Root& root, const TrashFolder& found) {
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

Result<FileStore*> writable_engine(Store& store) {
  HOLDFAST_LET(engine, engine_of(store));
  if (!engine->roots().writable())
    return fail(Code::invalid_argument, "the store was opened for reading", store.name());
  return engine;
}

ReplaceOptions without_backup() {
  ReplaceOptions options;
  options.backup = false;
  return options;
}

// What was appended without a sync of its own must not be younger than its removal.
Result<void> sync_below(Directory& directory, const std::string& path) {
  const auto now = directory.stat(path);
  if (!now) return now.error().code == Code::not_found ? Result<void>() : fail(now.error());
  if (now->kind == FileKind::file) {
    HOLDFAST_LET(opened, directory.open(path, OpenMode::read));
    return does(Step::trash_file_sync) ? opened->sync() : Result<void>();
  }
  if (now->kind != FileKind::directory) return {};
  HOLDFAST_LET(entries, directory.list(path));
  for (const DirectoryEntry& entry : entries) HOLDFAST_TRY(sync_below(directory, path + "/" + entry.name));
  return {};
}

bool goes_with_a_tree(const Changes& changes, const Place& place) {
  return std::ranges::any_of(changes.list(), [&](const Change& tree) {
    return tree.kind == ChangeKind::remove_tree && tree.place.root == place.root &&
           place.path.starts_with(tree.place.path + "/");
  });
}

// The removal as one into the trash: trees are moved there, documents that go in a commit are copied first. The
// manifest, which says what is or will be there, is durable before anything goes.
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
      HOLDFAST_TRY(sync_below(root.directory(), file.path));
      kept.move_tree(change.place, to);
      found.files.push_back(std::move(file));
      continue;
    }
    kept.add(change);
    const auto there = document ? root.directory().stat(file.path) : Result<FileStat>(FileStat());
    if (!there || there->kind != FileKind::file) continue;       // a link goes without being kept
    HOLDFAST_LET(bytes, feed.document(change.place, kLargest));  // another by then is a conflict
    if (!bytes) continue;
    HOLDFAST_TRY(replace_document(context, root, to, *bytes, without_backup()));
    found.files.push_back(std::move(file));
  }
  HOLDFAST_TRY(replace_document(context, root, found.session.folder + "/" + std::string(kManifest), manifest_of(found),
                                without_backup()));
  return kept;
}

// What comes back: a directory by a rename when nothing is in its place, a file by a second name.
struct Return {
  std::string from, to;
  FileKind kind = FileKind::file;
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

Result<void> plan_return(Directory& directory, const TrashFolder& found, Return one, std::vector<Return>& all) {
  const auto kept = directory.stat(one.from);
  if (!kept && kept.error().code == Code::not_found) return {};  // it has never left, or has come back
  if (!kept) return fail(kept.error());
  one.kind = kept->kind;
  const auto there = directory.stat(one.to);
  if (!there && there.error().code != Code::not_found) return fail(there.error());
  if (one.kind == FileKind::directory && there && there->kind == FileKind::directory) {
    HOLDFAST_LET(entries, directory.list(one.from));
    for (const DirectoryEntry& entry : entries)
      HOLDFAST_TRY(plan_return(directory, found, {one.from + "/" + entry.name, one.to + "/" + entry.name}, all));
    return {};
  }
  if (there && does(Step::trash_taken_look)) {
    HOLDFAST_LET(same, is_same(directory, one));
    if (!same) return taken(found, one.to);
  }
  all.push_back(std::move(one));
  return {};
}

// False: the very same is there already.
Result<bool> bring_back(Root& root, const TrashFolder& found, const Return& one) {
  Directory& directory = root.directory();
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
  if (!directory.exists(one.to)) return fail(std::move(back).error());
  if (!does(Step::trash_taken)) return false;
  HOLDFAST_LET(same, is_same(directory, one));
  if (!same) return taken(found, one.to);
  return false;
}

// All of it or nothing. What was written meanwhile to a file that goes back once more goes with it.
Result<void> put_back(Root& root, const TrashFolder& found) {
  Directory& directory = root.directory();
  std::vector<Return> all;
  for (const TrashedFile& file : found.files)
    HOLDFAST_TRY(plan_return(directory, found, {found.session.folder + "/" + file.name, file.path}, all));
  const auto in_place = [&](const TrashedFile& file) { return directory.exists(file.path); };
  if (all.empty() && std::ranges::none_of(found.files, in_place))
    return fail(Code::not_found, "the files of " + found.session.id + " are gone from the trash", found.session.folder);
  // A tree before what belongs into it.
  std::ranges::sort(all, {}, [](const Return& one) { return std::pair(one.kind != FileKind::directory, one.to); });
  std::vector<const Return*> done;
  const auto undo = [&](Error error) {
    bool all_back = true;
    for (const Return* one : done | std::views::reverse)
      all_back &= (one->kind == FileKind::directory ? directory.rename(one->to, one->from) : directory.remove(one->to))
                      .has_value();
    return fail(all_back ? std::move(error) : in_between(std::move(error), "some of it came back, restore it again"));
  };
  for (const Return& one : all) {
    auto back = bring_back(root, found, one);
    if (!back) return undo(std::move(back).error());
    if (*back) done.push_back(&one);
  }
  if (!does(Step::trash_restored_names)) return {};
  const auto sync = [&]() -> Result<void> {
    for (const Return& one : all) HOLDFAST_TRY(root.sync_name(one.to));
    return directory.sync_directory(found.session.folder);
  };
  if (auto synced = sync(); !synced) return fail(in_between(synced.error(), "it came back, but not durably yet"));
  return {};
}

}  // namespace

Result<void> trash_session(const Context& context, Store& store, std::string_view id) {
  HOLDFAST_LET(engine, writable_engine(store));
  HOLDFAST_LET(session, store.get(context, id));
  TrashFolder found;
  std::shared_ptr<Root> root;
  auto done = engine->remove_by(
      context, session.id, [&](DirectoryFeed& feed, const SessionRef& ref, const Changes& changes) -> Result<Changes> {
        HOLDFAST_LET(its_root, engine->roots().root(ref.place.root));
        if (root) HOLDFAST_TRY(forget(*root, found));  // of a plan that met a conflict
        root = std::move(its_root);
        found = {{session.id, session.title, iso8601(context.clock->now()), session.bytes,
                  root->side("removed", root->unique_name("session."))},
                 ref.place.root,
                 {}};
        return into_trash(context, *root, feed, changes, found);
      });
  // A commit that is still to be finished may yet take away what is in its place now.
  if (done || !root || (commit_pending(*root) && does(Step::trash_pending_check))) return done;
  if (found.files.empty()) {  // nothing could go
    (void)delete_tree(root->directory(), found.session.folder);
    return done;
  }
  auto back = put_back(*root, found);
  if (back) back = let_go(*root, found);
  if (!back) return fail(in_between(done.error(), "some of it is in the trash, restore brings it back"));
  return done;
}

Result<std::vector<TrashedSession>> trashed_sessions(const Context& /*context*/, Store& store) {
  HOLDFAST_LET(engine, engine_of(store));
  HOLDFAST_LET(all, look_into(*engine));
  std::vector<TrashedSession> sessions;
  for (TrashFolder& found : all) sessions.push_back(std::move(found.session));
  return sessions;
}

Result<std::string> restore_session(const Context& context, Store& store, std::string_view id) {
  HOLDFAST_LET(engine, writable_engine(store));
  HOLDFAST_LET(held, engine->hold_sessions(context, LockKind::exclusive));
  HOLDFAST_LET(all, look_into(*engine));
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
  if (found == nullptr)
    return fail(Code::not_found, "no session " + std::string(id) + " is in the trash", store.name());
  HOLDFAST_LET(root, engine->roots().root(found->root));
  HOLDFAST_TRY(put_back(*root, *found));
  if (auto gone = let_go(*root, *found); !gone) {
    Error error = gone.error();
    error.code = Code::unfinished;
    error.message = "it came back, but is in the trash too until it is restored again: " + error.message;
    return fail(std::move(error));
  }
  // Derived: the session is back, whatever becomes of them.
  (void)engine->rebuild_indexes(context);
  return found->session.id;
}

Result<std::size_t> empty_trash(const Context& context, Store& store, std::chrono::system_clock::time_point then) {
  HOLDFAST_LET(engine, writable_engine(store));
  HOLDFAST_LET(held, engine->hold_sessions(context, LockKind::exclusive));
  HOLDFAST_LET(all, look_into(*engine));
  std::size_t count = 0;
  for (const TrashFolder& found : all) {
    HOLDFAST_TRY(context.check());
    const auto when = parse_iso8601(found.session.removed_at);
    if (!when || *when >= then) continue;
    HOLDFAST_LET(root, engine->roots().root(found.root));
    HOLDFAST_TRY(forget(*root, found));
    ++count;
  }
  held.reset();
  HOLDFAST_LET(aside, has_blobs_aside(context, store, then));
  if (count > 0 || aside) HOLDFAST_TRY(collect_blobs(context, store, then));
  return count;
}

}  // namespace holdfast::inline v1
