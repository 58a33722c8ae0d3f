// Carries out what a layout wants written: all of it or nothing.
#pragma once

#include <holdfast/append_log.h>

#include "layout/change.h"
#include "store/opened_roots.h"

namespace holdfast::inline v1 {

// `seen`: the Feed through which the changes were planned; a document that was
// read there and has changed since is a `conflict`, and nothing is done.
// With less than `power`, a single document is replaced without waiting for the
// medium; several changes are always durable, because recovery needs it.
Result<void> carry_out(const Context& context, const OpenedRoots& roots, const Layout& layout, const Changes& changes,
                       const DirectoryFeed& seen, Durability durability = Durability::power);

// The kernel lock of a file that is a log, perhaps: who looked under that lock whether it is still there
// (LogFile::lock) has written by the time it goes. Nothing for a directory: a log in it goes with it.
Result<std::unique_ptr<File>> hold_log(const Context& context, Directory& directory, const std::string& path);

// Everything below `path`, then `path`; links are removed, never followed.
Result<void> delete_tree(Directory& directory, const std::string& path);

// Whether the file that `seen` met is already what the change makes of it.
bool changes_nothing(const DirectoryFeed& seen, const Change& change);

}  // namespace holdfast::inline v1
