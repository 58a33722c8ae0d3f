// Databases of other agents, created by tests.
#pragma once

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <filesystem>
#include <string>

namespace holdfast::inline v1 {

// Creates the database if there is none.
inline void run_sql(const std::string& path, const std::string& statements) {
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  sqlite3* database = nullptr;
  char* problem = nullptr;
  EXPECT_EQ(sqlite3_open(path.c_str(), &database), SQLITE_OK) << path;
  EXPECT_EQ(sqlite3_exec(database, statements.c_str(), nullptr, nullptr, &problem), SQLITE_OK)
      << (problem == nullptr ? "" : problem);
  sqlite3_free(problem);
  sqlite3_close(database);
}

}  // namespace holdfast::inline v1
