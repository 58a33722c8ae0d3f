// postgres_test [--long]: the PostgreSQL remote against a real server. Exit code 77 if none is installed.
#include <gtest/gtest.h>
#include <stdio.h>

#include <string_view>

#include "tests/postgres/server_testing.h"

namespace {
bool long_tests = false;
}

bool holdfast::long_run() { return long_tests; }

int main(int count, char** arguments) {
  testing::InitGoogleTest(&count, arguments);
  for (int i = 1; i < count; ++i) long_tests = long_tests || std::string_view(arguments[i]) == "--long";
  if (!testing::GTEST_FLAG(list_tests) && holdfast::PostgresServer::programs().empty()) {
    ::puts("skipped: PostgreSQL is not installed (./dev setup postgres)");
    return 77;
  }
  return RUN_ALL_TESTS();
}
