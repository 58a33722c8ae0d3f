// A new version of a file, written and synced beside its place and then renamed
// into it: what documents and commits are made of. Only under the root's lock.
#pragma once

#include <holdfast/document.h>
#include <holdfast/root.h>

#include <optional>
#include <string>
#include <string_view>

#include "disk/steps.h"

namespace holdfast::inline v1 {

// The file's bytes, or nullopt when there is none. unsafe_path when the name is
// not a plain file with one link (its backup may be the second).
Result<std::optional<std::string>> read_own_file(Root& root, std::string_view path);

// Any file as it is; not_found when there is none.
Result<std::string> read_whole(Directory& directory, std::string_view path);

// Writes `bytes` to a new temporary file and syncs it (nullopt: does not); its path in the root.
Result<std::string> stage_file(Root& root, std::string_view bytes, std::uint32_t mode = 0600,
                               std::optional<Step> sync = Step::document_sync);

// The permission bits that the next version of `path` gets: `wanted`, or with
// kKeepMode those that the file has.
std::uint32_t next_mode(Root& root, std::string_view path, std::uint32_t wanted);

// The same for a symbolic link.
Result<std::string> stage_symlink(Root& root, std::string_view target);

std::string backup_path(const Root& root, std::string_view path);

// Keeps the present version reachable as the backup. No file: nothing to do.
Result<void> keep_backup(Root& root, std::string_view path);

// For a new document: the backup of one that had its name before is no version of it.
void forget_old_backup(Root& root, std::string_view path);

// Makes a name that is gone exist for a moment: its removal could not be synced,
// and only a new removal can be (I-7).
Result<void> set_name_again(Root& root, std::string_view path);

// Removes a temporary file after a failure; an orphan at worst.
void drop_staged(Root& root, std::string_view staged);

}  // namespace holdfast::inline v1
