// opencode's fixture as a real database in a directory of its own.
#pragma once

#include <string>

#include "tests/corpus/fixtures.h"

namespace holdfast::corpus {

class FixtureDatabase {
 public:
  // `change`: SQL that follows the fixture's.
  explicit FixtureDatabase(const std::string& change = "");
  FixtureDatabase(const FixtureDatabase&) = delete;
  FixtureDatabase& operator=(const FixtureDatabase&) = delete;
  ~FixtureDatabase();

  // A Feed whose rows come out of it.
  MemoryFeed feed() const;
  std::string path() const { return directory_ + "/opencode.db"; }

 private:
  std::string directory_;
};

}  // namespace holdfast::corpus
