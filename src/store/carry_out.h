// Carries out the changes that a layout wants: all of them or none.
#pragma once

#include <holdfast/append_log.h>

#include "layout/change.h"
#include "store/opened_roots.h"

namespace holdfast::inline v1 {

// `seen` is the Feed through which the changes were planned. If a document that
// was read there has changed since, fails with conflict and does nothing. With
// less than `power`, a single document is replaced without waiting for the
// medium; several changes are always durable, because recovery needs that.
Result<void> carry_out(const Context& context, const OpenedRoots& roots, const Layout& layout, const Changes& changes,
                       const DirectoryFeed& seen, Durability durability = Durability::power);

// Takes the kernel lock of a file that may be a log. Writers that found the log in place under that lock
// (LogFile::lock) have finished writing once this returns. Returns nullptr for anything else: a log inside a directory
// moves along with it, and a file that we cannot open has no writers of ours.
Result<std::unique_ptr<File>> hold_log(const Context& context, Directory& directory, const std::string& path);

// Deletes everything below `path`, then `path`. Removes links without following them.
Result<void> delete_tree(Directory& directory, const std::string& path);

// Deletes what is left of trees whose removal was carried out and then interrupted. What cannot be deleted now is left
// to the next caller. Requires the exclusive sessions lock, under which all trees are removed.
void delete_dropped_trees(Root& root);

// True if the file, as `seen` read it, already is what the change would make it.
bool changes_nothing(const DirectoryFeed& seen, const Change& change);

}  // namespace holdfast::inline v1
