// A way into the operating system for SQLite on which nothing can be written,
// created, deleted, locked or mapped: what decision 30 asks for, by construction.
// SQLite itself would open the write-ahead log for writing, and as root even give
// it to the database's owner, which shows in its change time.
// Thread-safety: any thread.
#pragma once

namespace holdfast::inline v1 {

// The name to say as `vfs=` in a URI; nullptr when SQLite has no unix-none.
const char* read_only_vfs();

}  // namespace holdfast::inline v1
