#include "sync/postgres_address.h"

#include <gtest/gtest.h>

namespace holdfast::inline v1 {
namespace {

TEST(PostgresAddress, HoldfastParametersAreRemoved) {
  const auto address = read_postgres_address(
      "postgres://ann@db.example:5433/holdfast?schema=team_1&sslrootcert=/ca&allow_insecure=true");
  ASSERT_TRUE(address) << address.error().text();
  EXPECT_EQ(address->libpq, "postgres://ann@db.example:5433/holdfast?sslrootcert=/ca");
  EXPECT_EQ(address->schema, "team_1");
  EXPECT_TRUE(address->allow_insecure);
  EXPECT_EQ(address->place, "postgres://ann@db.example:5433/holdfast?schema=team_1");
  const auto service = read_postgres_address("postgresql:///?service=work");
  ASSERT_TRUE(service) << service.error().text();
  EXPECT_EQ(service->libpq, "postgresql:///?service=work");
  EXPECT_EQ(service->schema, "");
  EXPECT_FALSE(service->allow_insecure);
}

TEST(PostgresAddress, RejectsPasswordWithoutRepeatingIt) {
  for (const char* url :
       {"postgres://ann:hunter2@db/x", "postgresql://:hunter2@db/x", "postgres://db/x?password=hunter2",
        "postgres://db/x?p%61ssword=hunter2", "postgres:///x?schema=a&sslpassword=hunter2"}) {
    const auto address = read_postgres_address(url);
    ASSERT_FALSE(address) << url;
    EXPECT_EQ(address.error().code, Code::invalid_argument);
    EXPECT_TRUE(address.error().text().contains(".pgpass"));
    EXPECT_FALSE(address.error().text().contains("hunter2"));
  }
}

TEST(PostgresAddress, RejectsOtherAddressesAndNames) {
  for (const char* url : {"dir:/x", "mysql://db/x", "postgres:/x", "postgres://db/x?schema=Team",
                          "postgres://db/x?schema=", "postgres://db/x?schema=a%22b", "postgres://db/x?schema=pg_temp",
                          "postgres://db/x?allow_insecure=yes"}) {
    const auto address = read_postgres_address(url);
    ASSERT_FALSE(address) << url;
    EXPECT_EQ(address.error().code, Code::invalid_argument);
  }
}

TEST(PostgresAddress, RecognizesAddressesOfOtherMachines) {
  const auto pq = pq_library();
  if (!pq) GTEST_SKIP() << pq.error().text();
  const auto elsewhere = [&](const char* url) { return names_another_machine(**pq, *read_postgres_address(url)); };
  for (const char* url : {"postgres://localhost/x", "postgres://127.0.0.1:5433/x", "postgres://[::1]/x",
                          "postgres:///x?host=/run/postgresql", "postgres://127.0.0.1,localhost/x"})
    EXPECT_FALSE(elsewhere(url).value()) << url;
  for (const char* url :
       {"postgres://db.example/x", "postgres://127.0.0.1,db.example/x", "postgres://127.0.0.1.example/x",
        "postgres://localhost/x?hostaddr=10.0.0.1", "postgres:///x?host=10.0.0.1"})
    EXPECT_TRUE(elsewhere(url).value()) << url;
  const auto unknown = elsewhere("postgres://localhost/x?no_such_parameter=geheim");
  ASSERT_FALSE(unknown);
  EXPECT_FALSE(unknown.error().text().contains("geheim"));
}

TEST(PqLibrary, MissingLibraryErrorNamesThePackage) {
  const auto none = load_pq_library("libpq-that-nobody-has.so.5");
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, Code::sync_transport_failed);
  EXPECT_TRUE(none.error().message.contains("apt install libpq5"));
  const auto other = load_pq_library("libc.so.6");
  ASSERT_FALSE(other);
  EXPECT_TRUE(other.error().message.contains("too old"));
}

}  // namespace
}  // namespace holdfast::inline v1
