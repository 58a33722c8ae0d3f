#include "source/read_only_vfs.h"

#include <sqlite3.h>

namespace holdfast::inline v1 {
namespace {

constexpr char kName[] = "holdfast-read-only";

// unix-none: takes no lock. Constant after the first call of read_only_vfs().
sqlite3_vfs* base = nullptr;

int open_for_reading(sqlite3_vfs* /*self*/, const char* name, sqlite3_file* file, int flags, int* given) {
  if (name == nullptr) {  // a temporary file of SQLite's own, for sorting; it has no name
    return base->xOpen(base, name, file, flags, given);
  }
  int reading =
      flags & ~(SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_EXCLUSIVE | SQLITE_OPEN_DELETEONCLOSE);
  reading |= SQLITE_OPEN_READONLY;
  // When root opens files of these kinds, even for reading, SQLite changes their
  // owner to that of the database. It only opens a super-journal.
  if ((flags & (SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL)) != 0) {
    reading = (reading & ~(SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL)) | SQLITE_OPEN_SUPER_JOURNAL;
  }
  return base->xOpen(base, name, file, reading, given);
}

int delete_nothing(sqlite3_vfs* /*self*/, const char* /*name*/, int /*sync*/) { return SQLITE_IOERR_DELETE; }

}  // namespace

const char* read_only_vfs() {
  static const char* const registered = []() -> const char* {
    base = sqlite3_vfs_find("unix-none");
    if (base == nullptr) return nullptr;
    static sqlite3_vfs reading = *base;
    reading.pNext = nullptr;
    reading.zName = kName;
    reading.xOpen = open_for_reading;
    reading.xDelete = delete_nothing;
    return sqlite3_vfs_register(&reading, 0) == SQLITE_OK ? kName : nullptr;
  }();
  return registered;
}

}  // namespace holdfast::inline v1
