// A new version of a file, written and synced beside its place and then renamed into
// it. Documents and commits are built on it. All functions require the root's lock.
#pragma once

#include <holdfast/document.h>
#include <holdfast/root.h>

#include <optional>
#include <string>
#include <string_view>

#include "disk/steps.h"

namespace holdfast::inline v1 {

// Returns the file's bytes, or nullopt if it does not exist. Fails with unsafe_path
// unless the name is a plain file with one link (its backup may be the second).
Result<std::optional<std::string>> read_own_file(Root& root, std::string_view path);

// Reads any file as it is; fails with not_found if there is none.
Result<std::string> read_whole(Directory& directory, std::string_view path);

// Writes `bytes` to a new temporary file, syncs it unless `sync` is nullopt, and returns its path in the root.
Result<std::string> stage_file(Root& root, std::string_view bytes, std::uint32_t mode = 0600,
                               std::optional<Step> sync = Step::document_sync);

// The permission bits of the next version of `path`: `wanted`, or with
// kKeepMode those of the present file.
std::uint32_t next_mode(Root& root, std::string_view path, std::uint32_t wanted);

// The same for a symbolic link.
Result<std::string> stage_symlink(Root& root, std::string_view target);

std::string backup_path(const Root& root, std::string_view path);

// Keeps the present version reachable as the backup. Does nothing if there is no file.
Result<void> keep_backup(Root& root, std::string_view path);

// For a new document: a backup left by an earlier document of this name is not a version of it.
void forget_old_backup(Root& root, std::string_view path);

// Creates a name that is gone for a moment: its removal could not be synced, and
// only a new removal can be (I-7).
Result<void> recreate_name(Root& root, std::string_view path);

// Removes a temporary file after a failure. If that fails too, the file is left as an orphan.
void drop_staged(Root& root, std::string_view staged);

}  // namespace holdfast::inline v1
