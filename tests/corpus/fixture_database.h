// opencode's fixture as a real database in its own directory.
#pragma once

#include <string>

#include "tests/corpus/fixtures.h"

namespace holdfast::corpus {

class FixtureDatabase {
 public:
  // `change`: SQL to run after the fixture's.
  explicit FixtureDatabase(const std::string& change = "");
  FixtureDatabase(const FixtureDatabase&) = delete;
  FixtureDatabase& operator=(const FixtureDatabase&) = delete;
  ~FixtureDatabase();

  // A Feed whose rows come from the database.
  MemoryFeed feed() const;
  std::string path() const { return directory_ + "/opencode.db"; }

 private:
  std::string directory_;
};

}  // namespace holdfast::corpus
