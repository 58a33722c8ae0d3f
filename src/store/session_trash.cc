#include "store/session_trash.h"

#include <holdfast/document.h>

#include <algorithm>
#include <optional>

#include "base/safe_name.h"
#include "base/time.h"
#include "disk/staged.h"
#include "disk/steps.h"
#include "store/blob_collection.h"
#include "store/engine.h"
#include "store/threads.h"
#include "text/json_scan.h"
#include "text/json_value.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::string_view kManifest = "manifest.json";

// A file of a session, and its second name in the trash.
struct TrashedFile {
  std::string path, name;
};

struct TrashFolder {
  TrashedSession session;
  std::string root;
  std::vector<TrashedFile> files;
};

// Every file at or below `path`; links and other things are not what a session is made of.
Result<void> files_below(Directory& directory, const std::string& path, std::vector<std::string>& into) {
  const auto now = directory.stat(path);
  if (!now) return now.error().code == Code::not_found ? Result<void>() : fail(now.error());
  if (now->kind == FileKind::file && std::ranges::find(into, path) == into.end()) into.push_back(path);
  if (now->kind != FileKind::directory) return {};
  HOLDFAST_LET(entries, directory.list(path));
  for (const DirectoryEntry& entry : entries) HOLDFAST_TRY(files_below(directory, path + "/" + entry.name, into));
  return {};
}

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
  const auto drop = [&](const std::string& name) -> Result<void> {
    auto gone = root.directory().remove(found.session.folder + "/" + name);
    if (!gone && gone.error().code != Code::not_found) return gone;
    return {};
  };
  HOLDFAST_TRY(drop(std::string(kManifest)));
  HOLDFAST_TRY(root.directory().sync_directory(found.session.folder));
  for (const TrashedFile& file : found.files) HOLDFAST_TRY(drop(file.name));
  return root.directory().remove_directory(found.session.folder);
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

// Second names for all files, then the manifest; durable when this returns. Documents that
// go in a commit are copied: a commit refuses a file that has another name.
Result<void> keep_files(const Context& context, Root& root, const std::vector<std::string>& paths,
                        const std::vector<std::string>& documents, TrashFolder& found) {
  HOLDFAST_TRY(root.ensure_directory(found.session.folder));
  for (const std::string& path : paths) {
    TrashedFile file{path, std::to_string(found.files.size())};
    const std::string kept = found.session.folder + "/" + file.name;
    if (std::ranges::find(documents, path) != documents.end()) {
      HOLDFAST_LET(bytes, read_whole(root.directory(), path));
      HOLDFAST_TRY(replace_document(context, root, kept, bytes, without_backup()));
      found.files.push_back(std::move(file));
      continue;
    }
    HOLDFAST_TRY(root.directory().make_link(path, kept));
    // What was appended without a sync of its own must not be younger than its removal.
    HOLDFAST_LET(opened, root.directory().open(kept, OpenMode::read));
    if (does(Step::trash_file_sync)) HOLDFAST_TRY(opened->sync());
    found.files.push_back(std::move(file));
  }
  if (does(Step::trash_kept_names)) HOLDFAST_TRY(root.directory().sync_directory(found.session.folder));
  HOLDFAST_TRY(replace_document(context, root, found.session.folder + "/" + std::string(kManifest), manifest_of(found),
                                without_backup()));
  return {};
}

}  // namespace

Result<void> trash_session(const Context& context, Store& store, std::string_view id) {
  HOLDFAST_LET(engine, writable_engine(store));
  HOLDFAST_LET(session, store.get(context, id));
  DirectoryFeed feed = engine->looking(context);
  HOLDFAST_LET(ref, engine->resolve(context, feed, session.id));
  HOLDFAST_LET(root, engine->roots().root(ref.place.root));
  HOLDFAST_LET(lease, look_at_lease(*root, lease_name(ref.id)));
  if (lease.alive) return fail(Code::busy, "the session is in use", ref.id);
  HOLDFAST_LET(changes, engine->its_layout().remove(feed, ref));
  std::vector<std::string> paths, documents;
  for (const Change& change : changes.list()) {
    const bool goes = change.kind == ChangeKind::remove || change.kind == ChangeKind::remove_tree;
    if (!goes || change.place.root != ref.place.root) continue;
    HOLDFAST_TRY(files_below(root->directory(), change.place.path, paths));
    if (change.kind == ChangeKind::remove) documents.push_back(change.place.path);
  }
  TrashFolder found{{session.id, session.title, iso8601(context.clock->now()), session.bytes,
                     root->side("removed", root->unique_name("session."))},
                    ref.place.root,
                    {}};
  auto done = keep_files(context, *root, paths, documents, found);
  if (done) done = store.remove(context, session.id);
  if (!done) (void)forget(*root, found);  // it is where it was
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
  HOLDFAST_LET(all, look_into(*engine));
  const TrashFolder* found = nullptr;
  for (const TrashFolder& each : all) {
    if (!each.session.id.starts_with(id) || (found != nullptr && found->session.id == each.session.id)) continue;
    if (found != nullptr && found->session.id != id && each.session.id != id)
      return fail(Code::not_found, "\"" + std::string(id) + "\" is ambiguous in the trash: " + found->session.id +
                                       " and " + each.session.id);
    if (found == nullptr || each.session.id == id) found = &each;
  }
  if (found == nullptr)
    return fail(Code::not_found, "no session " + std::string(id) + " is in the trash", store.name());
  HOLDFAST_LET(root, engine->roots().root(found->root));
  Directory& directory = root->directory();
  for (const TrashedFile& file : found->files) {  // all or none
    const std::string kept_path = found->session.folder + "/" + file.name;
    HOLDFAST_LET(kept, directory.stat(kept_path));
    const auto there = directory.stat(file.path);
    if (!there || there->same_file(kept)) continue;
    const auto one = read_whole(directory, file.path), other = read_whole(directory, kept_path);
    if (!one || !other || *one != *other)
      return fail(Code::already_exists, "another file has taken the place of " + found->session.id, file.path);
  }
  for (const TrashedFile& file : found->files) {
    if (const auto slash = file.path.rfind('/'); slash != std::string::npos)
      HOLDFAST_TRY(root->ensure_directory(file.path.substr(0, slash)));
    auto linked = directory.make_link(found->session.folder + "/" + file.name, file.path);
    if (!linked && linked.error().code != Code::already_exists) return fail(linked.error());
    if (does(Step::trash_restored_names)) HOLDFAST_TRY(root->sync_name(file.path));
  }
  HOLDFAST_TRY(forget(*root, *found));
  HOLDFAST_LET(of_sessions, engine->rebuild_indexes(context));
  HOLDFAST_LET(of_threads, rebuild_thread_index(context, store));
  (void)of_sessions, (void)of_threads;
  return found->session.id;
}

Result<std::size_t> empty_trash(const Context& context, Store& store, std::chrono::system_clock::time_point then) {
  HOLDFAST_LET(engine, writable_engine(store));
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
  HOLDFAST_LET(aside, has_blobs_aside(context, store, then));
  if (count > 0 || aside) HOLDFAST_TRY(collect_blobs(context, store, then));
  return count;
}

}  // namespace holdfast::inline v1
