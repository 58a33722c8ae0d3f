#include "tests/corpus/fixture_database.h"

#include <sqlite3.h>
#include <stdlib.h>

#include <filesystem>
#include <stdexcept>

#include "source/rows.h"

namespace holdfast::corpus {
namespace fs = std::filesystem;

FixtureDatabase::FixtureDatabase(const std::string& change) {
  std::string name = (fs::temp_directory_path() / "holdfast-fixture-XXXXXX").string();
  directory_ = ::mkdtemp(name.data());
  auto files = fixture_files("opencode");
  sqlite3* database = nullptr;
  sqlite3_open(path().c_str(), &database);
  for (const std::string& sql : {"PRAGMA synchronous=OFF;" + files["schema.sql"], files["rows.sql"], change}) {
    char* message = nullptr;
    if (sqlite3_exec(database, sql.c_str(), nullptr, nullptr, &message) != SQLITE_OK) throw std::runtime_error(message);
  }
  sqlite3_close(database);
}

FixtureDatabase::~FixtureDatabase() { fs::remove_all(directory_); }

MemoryFeed FixtureDatabase::feed() const {
  MemoryFeed feed("data", {{"opencode.db", ""}});
  feed.answer_rows = [path = path()](const Place&, std::string_view select, std::span<const std::string> parameters,
                                     const Feed::TakeRow& take) { return read_rows(path, select, parameters, take); };
  return feed;
}

}  // namespace holdfast::corpus
