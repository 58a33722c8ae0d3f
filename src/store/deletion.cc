#include "store/deletion.h"

#include <holdfast/document.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/safe_name.h"
#include "disk/journal.h"
#include "disk/log_head.h"
#include "disk/quarantine_name.h"
#include "disk/staged.h"
#include "disk/steps.h"
#include "store/carry_out.h"
#include "store/cleared.h"
#include "store/engine.h"
#include "store/secret_backup.h"
#include "store/unfinished_move.h"
#include "text/json_scan.h"
#include "text/json_value.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::string_view kDeletionNote = "deleted.";
constexpr std::array<std::string_view, 4> kCopyFolders{"backup", "replaced", "corrupt", kClearedFolder};

using DeletedSet = std::set<Place> DeletedFiles::*;
constexpr std::array<std::pair<std::string_view, DeletedSet>, 4> kDeletedSets{{{"files", &DeletedFiles::files},
                                                                               {"trees", &DeletedFiles::trees},
                                                                               {"former", &DeletedFiles::former},
                                                                               {"changed", &DeletedFiles::changed}}};

std::string spell_deletion(const DeletedFiles& deleted) {
  JsonWriter json;
  json.begin_object().key("schema_version").int64(1);
  for (const auto& [name, set] : kDeletedSets) {
    json.key(name).begin_array();
    for (const Place& place : deleted.*set)
      json.begin_object().key("root").string(place.root).key("path").string(place.path).end_object();
    json.end_array();
  }
  json.key("sessions").begin_array();
  for (const std::string& id : deleted.sessions) json.string(id);
  return json.end_array().end_object().take() + "\n";
}

std::optional<DeletedFiles> read_deletion(Root& first, const std::string& path) {
  const auto bytes = read_whole(first.directory(), path);
  if (!bytes || !check_json(*bytes).ok()) return std::nullopt;
  const JsonView json(*bytes);
  DeletedFiles deleted;
  for (const auto& [name, set] : kDeletedSets) {
    for (const JsonItem& item : json.find(name).elements()) {
      Place place{item.value.find("root").as_string().value_or(""), item.value.find("path").as_string().value_or("")};
      if (!check_relative_path(place.path)) return std::nullopt;
      (deleted.*set).insert(std::move(place));
    }
  }
  for (const JsonItem& item : json.find("sessions").elements())
    deleted.sessions.insert(item.value.as_string().value_or(""));
  return deleted;
}

// Adds every file at or below `path`, under the name that it has in its place.
Result<void> add_files_at(Directory& directory, const std::string& path, const Place& place, std::set<Place>& files) {
  const auto now = directory.stat(path);
  if (!now) return now.error().code == Code::not_found ? Result<void>() : fail(now.error());
  if (now->kind != FileKind::directory) {
    files.insert(place);
    return {};
  }
  HOLDFAST_LET(entries, directory.list(path));
  for (const DirectoryEntry& entry : entries)
    HOLDFAST_TRY(add_files_at(directory, path + "/" + entry.name, {place.root, place.path + "/" + entry.name}, files));
  return {};
}

// The path of the document that a backup belongs to; empty if the name was too long to keep it.
std::string document_of_backup(std::string_view name) {
  const std::string_view text = name.substr(0, name.rfind('~'));
  const auto digit = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
  std::string path;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool encoded = text[i] == '%' && i + 2 < text.size();
    path.push_back(encoded ? static_cast<char>(digit(text[i + 1]) * 16 + digit(text[i + 2])) : text[i]);
    if (encoded) i += 2;
  }
  return encode_name(path) == name ? path : std::string();
}

bool touches_root(const DeletedFiles& deleted, std::string_view name) {
  return std::ranges::any_of(kDeletedSets, [&](const auto& named) {
    return std::ranges::any_of(deleted.*(named.second), [&](const Place& place) { return place.root == name; });
  });
}

// Every copy in the side folder of this root, as paths in the root.
Result<std::vector<std::string>> copies_of(Root& root, std::string_view name, const DeletedFiles& deleted) {
  std::set<std::string, std::less<>> names;  // in backup/ and replaced/
  std::vector<std::string> ends;             // of names in corrupt/
  for (const auto* const set : {&deleted.files, &deleted.former}) {
    for (const Place& place : *set) {
      if (place.root != name) continue;
      names.insert(backup_path(root, place.path));
      names.insert(replaced_folder(root, place.path));
      ends.push_back("." + quarantined_source(place.path));
    }
  }
  const auto was_below_a_tree = [&](const std::string& path) {
    return !path.empty() && !root.directory().exists(path) &&
           std::ranges::any_of(deleted.trees, [&](const Place& tree) {
             return tree.root == name && path.starts_with(tree.path + "/");
           });
  };
  const auto is_copy = [&](std::string_view folder, const std::string& entry, const std::string& path) {
    if (folder == kClearedFolder)
      return std::ranges::any_of(deleted.sessions, [&](const std::string& id) { return is_cleared_log_of(entry, id); });
    if (folder == "corrupt")
      return std::ranges::any_of(ends, [&](const std::string& end) { return entry.ends_with(end); });
    return names.contains(path) || (folder == "backup" && was_below_a_tree(document_of_backup(entry)));
  };
  std::vector<std::string> copies;
  for (const std::string_view folder : kCopyFolders) {
    const auto entries = root.directory().list(root.side(folder));
    if (!entries && entries.error().code == Code::not_found) continue;
    if (!entries) return fail(entries.error());
    for (const DirectoryEntry& entry : *entries) {
      std::string path = root.side(folder, entry.name);
      if (is_copy(folder, entry.name, path)) copies.push_back(std::move(path));
    }
  }
  return copies;
}

// What is in its place is not deleted, or was created again.
void leave_out_what_is_there(const OpenedRoots& roots, DeletedFiles& deleted) {
  const auto there = [&](const Place& place) {
    const auto root = roots.root(place.root);
    return !root || (*root)->directory().exists(place.path);
  };
  std::erase_if(deleted.files, there);
  std::erase_if(deleted.trees, there);
  std::erase_if(deleted.former, there);
  if (deleted.files.empty() && deleted.trees.empty()) deleted = {};
}

// Durable on return.
Result<void> drop_copies(const Context& context, const OpenedRoots& roots, DeletedFiles deleted) {
  leave_out_what_is_there(roots, deleted);
  for (const auto& [name, root] : roots.all()) {
    if (!touches_root(deleted, name)) continue;
    {
      HOLDFAST_LET(held, root->lock(context));
      HOLDFAST_LET(copies, copies_of(*root, name, deleted));
      for (const std::string& copy : copies) {
        auto gone = delete_tree(root->directory(), copy);
        if (!gone && gone.error().code != Code::not_found) return gone;
      }
      // Also if there was none: whoever removed one before may have died before syncing.
      for (const std::string_view folder : kCopyFolders) {
        if (!does(Step::backup_forgotten) || !root->directory().exists(root->side(folder))) continue;
        HOLDFAST_TRY(root->directory().sync_directory(root->side(folder)));
      }
    }
    for (const Place& place : deleted.changed)
      if (place.root == name) HOLDFAST_TRY(refresh_secret_backup(context, *root, place.path));
  }
  return {};
}

void drop_deletion_note(Root& first, const std::string& note) {
  if (!first.directory().remove(note)) return;  // the next one finds nothing to do
  (void)first.sync_name(note);
}

}  // namespace

Result<void> Deletion::add(const Changes& changes) {
  for (const Change& change : changes.list()) {
    if (change.kind == ChangeKind::remove) deleted_.files.insert(change.place);
    if (change.kind == ChangeKind::put) deleted_.changed.insert(change.place);
    if (change.kind != ChangeKind::remove_tree) continue;
    HOLDFAST_LET(root, engine_.roots().root(change.place.root));
    HOLDFAST_TRY(add_files_at(root->directory(), change.place.path, change.place, deleted_.files));
    deleted_.trees.insert(change.place);
  }
  // A commit makes a backup of every document that it removes or replaces.
  leaves_copies_ = leaves_copies_ || std::ranges::any_of(changes.list(), [](const Change& change) {
                     return change.kind == ChangeKind::remove || change.kind == ChangeKind::put;
                   });
  for (const auto& [name, root] : engine_.roots().all()) {
    if (leaves_copies_ || (!touches_root(deleted_, name) && deleted_.sessions.empty())) continue;
    HOLDFAST_LET(copies, copies_of(*root, name, deleted_));
    leaves_copies_ = !copies.empty();
  }
  return {};
}

Result<void> Deletion::note(const Context& context) {
  if (!leaves_copies_) return {};
  Root& first = *engine_.roots().first();
  if (note_.empty()) note_ = notes_of_moves(first) + "/" + first.unique_name(kDeletionNote) + ".json";
  ReplaceOptions options;
  options.backup = false;
  const auto noted = replace_document(context, first, note_, spell_deletion(deleted_), options);
  if (noted || is_unwritable(noted.error().code) || noted.error().code == Code::durability_unknown) return {};
  return fail(noted.error());
}

Result<void> Deletion::end(const Context& context, Result<void> done) {
  if (done) {
    for (const auto& [name, root] : engine_.roots().all()) delete_dropped_trees(*root);
  }
  if (!leaves_copies_ && note_.empty()) return done;
  Root& first = *engine_.roots().first();
  // A deletion that may still be carried out, or that is only in memory, keeps its note: settle_deletions looks again.
  const bool unclear = !done && (done.error().code == Code::unfinished ||
                                 done.error().code == Code::durability_unknown || commit_pending(first));
  if (unclear || engine_.has_unwritten_changes()) return done;
  if (done) {
    if (auto dropped = drop_copies(context, engine_.roots(), deleted_); !dropped) {
      Error error = std::move(dropped).error();
      error.code = Code::unfinished;
      error.message = "deleted, but a copy in the side folder could not be, and will be later: " + error.message;
      return fail(std::move(error));
    }
  }
  if (!note_.empty()) drop_deletion_note(first, note_);
  return done;
}

void settle_deletions(const Context& context, FileStore& engine) {
  Root& first = *engine.roots().first();
  const auto entries = first.directory().list(notes_of_moves(first));
  if (!entries || engine.has_unwritten_changes()) return;
  for (const DirectoryEntry& entry : *entries) {
    if (!entry.name.starts_with(kDeletionNote)) continue;
    const std::string path = notes_of_moves(first) + "/" + entry.name;
    const auto deleted = read_deletion(first, path);
    if (!deleted) continue;
    // A commit that was interrupted may still remove, or bring back, what the note names.
    bool settled = true;
    for (const auto& [name, root] : engine.roots().all())
      settled = settled && (!touches_root(*deleted, name) || renew_journal(context, *root));
    if (!settled) continue;
    for (const auto& [name, root] : engine.roots().all()) delete_dropped_trees(*root);
    if (drop_copies(context, engine.roots(), *deleted)) drop_deletion_note(first, path);
  }
}

Result<void> drop_copies_of_trashed(const Context& context, FileStore& engine, const TrashFolder& found) {
  HOLDFAST_LET(root, engine.roots().root(found.root));
  DeletedFiles deleted;
  for (const TrashedFile& file : found.files) {
    const Place place{found.root, file.path};
    deleted.trees.insert(place);
    HOLDFAST_TRY(add_files_at(root->directory(), found.session.folder + "/" + file.name, place, deleted.files));
  }
  HOLDFAST_LET(writer, writer_of(engine.layout()));
  const std::vector<Place> former = writer->former_files(found.session.id);
  deleted.former.insert(former.begin(), former.end());
  // Under this id there may be another session by now.
  if (std::ranges::none_of(deleted.trees, [&](const Place& place) { return root->directory().exists(place.path); }))
    deleted.sessions.insert(found.session.id);
  return drop_copies(context, engine.roots(), std::move(deleted));
}

}  // namespace holdfast::inline v1
