// The same kilobyte in SQLite and in LevelDB, each configured as its manual says for data that survives a power loss.
#include "bench/jobs.h"
#ifdef HOLDFAST_HAVE_SQLITE
#include <sqlite3.h>
#endif
#ifdef HOLDFAST_HAVE_LEVELDB
#include <leveldb/db.h>
#endif

namespace holdfast::bench {

#ifdef HOLDFAST_HAVE_SQLITE
std::function<void(std::uint64_t)> sqlite_insert(const std::string& directory) {
  sqlite3* opened = nullptr;
  if (sqlite3_open((directory + "/sqlite.db").c_str(), &opened) != SQLITE_OK) stop("cannot open SQLite");
  const std::shared_ptr<sqlite3> database(opened, sqlite3_close);
  for (const char* const command : {"PRAGMA journal_mode=WAL", "PRAGMA synchronous=FULL",
                                    "CREATE TABLE messages(id INTEGER PRIMARY KEY, line TEXT)"})
    if (sqlite3_exec(opened, command, nullptr, nullptr, nullptr) != SQLITE_OK) stop(sqlite3_errmsg(opened));
  sqlite3_stmt* prepared = nullptr;
  sqlite3_prepare_v2(opened, "INSERT INTO messages(line) VALUES(?)", -1, &prepared, nullptr);
  const std::shared_ptr<sqlite3_stmt> statement(prepared, sqlite3_finalize);
  return [database, statement](std::uint64_t number) {
    const std::string line = message_of(number);
    sqlite3_bind_text(statement.get(), 1, line.data(), static_cast<int>(line.size()), SQLITE_STATIC);
    if (sqlite3_step(statement.get()) != SQLITE_DONE) stop(sqlite3_errmsg(database.get()));
    sqlite3_reset(statement.get());
  };
}
#else
std::function<void(std::uint64_t)> sqlite_insert(const std::string& /*directory*/) { return {}; }
#endif

#ifdef HOLDFAST_HAVE_LEVELDB
std::function<void(std::uint64_t)> leveldb_put(const std::string& directory) {
  leveldb::Options options;
  options.create_if_missing = true;
  leveldb::DB* opened = nullptr;
  if (!leveldb::DB::Open(options, directory + "/leveldb", &opened).ok()) stop("cannot open LevelDB");
  return [database = std::shared_ptr<leveldb::DB>(opened)](std::uint64_t number) {
    leveldb::WriteOptions write;
    write.sync = true;
    if (!database->Put(write, std::to_string(number), message_of(number)).ok()) stop("cannot put into LevelDB");
  };
}
#else
std::function<void(std::uint64_t)> leveldb_put(const std::string& /*directory*/) { return {}; }
#endif

}  // namespace holdfast::bench
