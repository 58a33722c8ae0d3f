// A VFS for SQLite that cannot write, create, delete, lock or map a file, as
// decision 30 requires. SQLite's own VFS would open the write-ahead log for
// writing, and as root even change its owner to that of the database, which
// changes its ctime.
// Thread-safety: any thread.
#pragma once

namespace holdfast::inline v1 {

// Returns the name for `vfs=` in a URI; nullptr if SQLite has no unix-none.
const char* read_only_vfs();

}  // namespace holdfast::inline v1
