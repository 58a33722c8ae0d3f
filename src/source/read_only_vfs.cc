#include "source/read_only_vfs.h"

#include <sqlite3.h>

namespace holdfast::inline v1 {
namespace {

constexpr char kName[] = "holdfast-read-only";

// unix-none: takes no lock. Constant after the first call of read_only_vfs().
sqlite3_vfs* base = nullptr;

// Of the base, for database files. Constant after the first was opened.
int (*read_as_is)(sqlite3_file*, void*, int, sqlite3_int64) = nullptr;

// SQLite takes the part of a page that is missing at the end of a file for zeros, which are rows without values.
int read_whole(sqlite3_file* file, void* into, int amount, sqlite3_int64 offset) {
  constexpr int kSmallestPage = 512;
  const int result = read_as_is(file, into, amount, offset);
  return result == SQLITE_IOERR_SHORT_READ && amount >= kSmallestPage ? SQLITE_CORRUPT : result;
}

void read_only_whole_pages(sqlite3_file* file) {
  static const sqlite3_io_methods methods = [&] {
    sqlite3_io_methods own = *file->pMethods;
    read_as_is = own.xRead;
    own.xRead = read_whole;
    return own;
  }();
  file->pMethods = &methods;
}

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
  const int opened = base->xOpen(base, name, file, reading, given);
  if (opened == SQLITE_OK && (flags & SQLITE_OPEN_MAIN_DB) != 0) read_only_whole_pages(file);
  return opened;
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
