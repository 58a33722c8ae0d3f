// The suite that every remote passes, with only the rights that the guide grants; and the errors that people
// get when something is wrong with the server.
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "sync/postgres_remote.h"
#include "sync/remote_conformance_testing.h"
#include "tests/postgres/device_testing.h"
#include "tests/postgres/server_testing.h"

namespace holdfast::inline v1 {
namespace {

struct OnServer : RemoteUnderTest {
  const std::string schema = PostgresServer::shared().new_schema();
  std::unique_ptr<Remote> connect() override {
    auto remote = open_postgres_remote(PostgresServer::shared().url(schema, "device"));
    EXPECT_TRUE(remote) << remote.error().text();
    return remote ? std::move(*remote) : nullptr;
  }
};

INSTANTIATE_TEST_SUITE_P(Postgres, RemoteConformance, testing::Values([]() -> std::unique_ptr<RemoteUnderTest> {
                           return std::make_unique<OnServer>();
                         }));

struct PostgresRemote : testing::Test {
  PostgresServer& server = PostgresServer::shared();

  static std::unique_ptr<Remote> open(const std::string& url) {
    auto remote = open_postgres_remote(url, {.connect = std::chrono::seconds(5)});
    EXPECT_TRUE(remote) << remote.error().text();
    return std::move(*remote);
  }
  // Returns the error that a publishing device gets.
  static Error refused(const std::string& url) {
    PublishingDevice device(1);
    const StreamSegment first = PublishingDevice::segment(device.stream, 1);
    const auto outcome = open(url)->publish({}, device.stream, {}, {&first, 1});
    EXPECT_FALSE(outcome);
    return outcome ? Error() : outcome.error();
  }
  static void expect_reported(const Error& error, std::string_view words) {
    EXPECT_EQ(error.code, Code::sync_transport_failed) << error.text();
    EXPECT_TRUE(error.message.contains(words)) << error.text();
  }
};

TEST_F(PostgresRemote, UnreachableServerIsReported) {
  expect_reported(refused("postgres://nobody@127.0.0.1:1/x"), "cannot be reached");
  expect_reported(refused("postgres:///x?host=/nowhere/at/all"), "cannot be reached");
}

TEST_F(PostgresRemote, OnlyMigrateCreatesTables) {
  const std::string url = server.url("not_yet");
  expect_reported(refused(url), "remote migrate");
  EXPECT_EQ(server.sql("SELECT count(*) FROM pg_namespace WHERE nspname = 'not_yet'"), "0");
  std::vector<std::thread> many;
  for (int i = 0; i < 8; ++i)
    many.emplace_back([&] {
      const auto made = migrate_postgres({}, url);
      EXPECT_TRUE(made) << made.error().text();
    });
  for (auto& one : many) one.join();
  const auto again = migrate_postgres({}, url);
  ASSERT_TRUE(again) << again.error().text();
  EXPECT_EQ(again->from, again->to);
  EXPECT_EQ(again->schema, "not_yet");
  EXPECT_TRUE(open(url)->heads({})->empty());
  EXPECT_EQ(server.sql("SELECT string_agg(attname, ' ' ORDER BY attname) FROM pg_attribute WHERE attrelid IN "
                       "('not_yet.hf_segment'::regclass, 'not_yet.hf_chunk'::regclass) AND attstorage = 'e'"),
            "body bytes");
}

TEST_F(PostgresRemote, SearchPathIsUsedWithoutSchema) {
  server.sql(
      "CREATE SCHEMA of_role; CREATE ROLE pathfinder LOGIN; ALTER ROLE pathfinder SET search_path = of_role; "
      "GRANT ALL ON SCHEMA of_role TO pathfinder");
  const std::string url = server.url("", "pathfinder");
  expect_reported(refused(url), "remote migrate");
  const auto made = migrate_postgres({}, url);
  ASSERT_TRUE(made) << made.error().text();
  EXPECT_EQ(made->schema, "of_role");
  PublishingDevice device(1);
  EXPECT_TRUE(device.publish(*open(url), {}));
  EXPECT_EQ(server.sql("SELECT count(*) FROM of_role.hf_segment"), "1");
  const auto check = check_postgres({}, url);
  ASSERT_TRUE(check) << check.error().text();
  EXPECT_EQ(check->schema, "of_role");
}

TEST_F(PostgresRemote, OlderAndNewerTablesAreReported) {
  const std::string schema = server.new_schema(), url = server.url(schema);
  server.sql("UPDATE " + schema + ".hf_schema SET version = 0");
  expect_reported(refused(url), "older version: run holdfast remote migrate");
  const auto made = migrate_postgres({}, url);
  ASSERT_TRUE(made) << made.error().text();
  PublishingDevice device(1);
  EXPECT_TRUE(device.publish(*open(url), {}));
  server.sql("UPDATE " + schema + ".hf_schema SET version = 99");
  EXPECT_EQ(open(url)->heads({})->size(), 1u) << "newer, and says that this one may read it";
  server.sql("UPDATE " + schema + ".hf_schema SET oldest_reader = 99");
  expect_reported(refused(url), "newer Holdfast");
  expect_reported(open(url)->heads({}).error(), "newer Holdfast");
  expect_reported(migrate_postgres({}, url).error(), "newer Holdfast");
}

TEST_F(PostgresRemote, ReadOnlyServerIsReportedAndReadable) {
  const std::string schema = server.new_schema(), url = server.url(schema, "device");
  PublishingDevice device(1);
  ASSERT_TRUE(device.publish(*open(url), {}));
  server.sql("ALTER ROLE device SET default_transaction_read_only = on");
  const auto remote = open(url);
  const StreamSegment next = PublishingDevice::segment(device.stream, 2);
  expect_reported(remote->publish({}, device.stream, device.head, {&next, 1}).error(), "read-only");
  EXPECT_EQ(remote->heads({})->size(), 1u);
  const auto check = check_postgres({}, url);
  ASSERT_TRUE(check) << check.error().text();
  EXPECT_TRUE(check->read_only);
  server.sql("ALTER ROLE device RESET default_transaction_read_only");
  EXPECT_TRUE(device.publish(*open(url), {})) << "it goes on by itself";
}

TEST_F(PostgresRemote, DroppedRoleAndMissingDatabaseAreReported) {
  const std::string schema = server.new_schema();
  server.sql("CREATE ROLE leaver LOGIN");
  server.grant(schema, "leaver");
  const auto remote = open(server.url(schema, "leaver"));
  ASSERT_TRUE(remote->heads({}));
  server.sql("DROP OWNED BY leaver; DROP ROLE leaver");
  EXPECT_FALSE(remote->heads({}));
  expect_reported(refused(server.url(schema, "leaver")), "does not allow this role to connect");
  expect_reported(refused("postgres:///no_such_base?host=" + server.directory() +
                          "&port=" + std::to_string(server.port()) + "&user=app"),
                  "no such database");
}

TEST_F(PostgresRemote, RoleCannotReadAnotherTenant) {
  const std::string own = server.new_schema(), other = "other_" + own;
  ASSERT_TRUE(migrate_postgres({}, server.url(other)));
  PublishingDevice secret(7);
  ASSERT_TRUE(secret.publish(*open(server.url(other)), {}));
  const auto remote = open(server.url(other, "device"));
  expect_reported(remote->heads({}).error(), "lacks a privilege");
  expect_reported(remote->read_after({}, secret.stream, 0).error(), "lacks a privilege");
  expect_reported(remote->charter({}).error(), "lacks a privilege");
  expect_reported(refused(server.url(other, "device")), "lacks a privilege");
  expect_reported(migrate_postgres({}, server.url(other, "device")).error(), "lacks a privilege");
  EXPECT_TRUE(open(server.url(own, "device"))->heads({})->empty());
  EXPECT_EQ(server.sql("SET ROLE device; SELECT count(*) FROM information_schema.tables WHERE table_schema = '" +
                       other + "'"),
            "0");
}

TEST_F(PostgresRemote, CheckNamesMissingPrivileges) {
  const std::string schema = server.new_schema();
  PublishingDevice device(1);
  ASSERT_TRUE(device.publish(*open(server.url(schema)), {}));
  auto check = check_postgres({}, server.url(schema, "device"));
  ASSERT_TRUE(check) << check.error().text();
  EXPECT_EQ(check->missing, std::vector<std::string>());
  EXPECT_EQ(check->streams, 1u);
  EXPECT_EQ(check->role, "device");
  EXPECT_EQ(check->version, 2u);
  EXPECT_FALSE(check->encrypted);
  server.sql("REVOKE INSERT ON " + schema + ".hf_chunk FROM device");
  check = check_postgres({}, server.url(schema, "device"));
  ASSERT_TRUE(check) << check.error().text();
  EXPECT_EQ(check->missing, std::vector<std::string>{"INSERT on hf_chunk"});
}

TEST_F(PostgresRemote, PasswordFileIsUsedAndPasswordNeverShown) {
  const std::string schema = server.new_schema(), word = "Correct-Horse-7";
  server.sql("CREATE ROLE secret LOGIN PASSWORD '" + word + "'");
  server.grant(schema, "secret");
  const std::string file = server.directory() + "/passes";
  const auto write = [&](const std::string& password) {
    std::ofstream(file) << "127.0.0.1:*:*:secret:" << password << "\n";
    ::chmod(file.c_str(), 0600);
  };
  const std::string url = server.tcp_url(schema, "secret") + "&passfile=" + file;
  write(word);
  EXPECT_TRUE(open(url)->heads({}));
  write("Wrong-Horse-8");
  const Error wrong = refused(url);
  expect_reported(wrong, "rejected the password");
  EXPECT_FALSE(wrong.text().contains("Horse")) << wrong.text();
  ASSERT_EQ(::unlink(file.c_str()), 0);
  expect_reported(refused(url), "rejected the password");
}

TEST_F(PostgresRemote, ServiceFileNamesTheServer) {
  const std::string schema = server.new_schema(), file = server.directory() + "/services";
  std::ofstream(file) << "[work]\nhost=127.0.0.1\nport=" << server.port() << "\nuser=device\ndbname=postgres\n";
  ::setenv("PGSERVICEFILE", file.c_str(), 1);
  EXPECT_TRUE(open("postgres:///?service=work&schema=" + schema)->heads({}));
  expect_reported(refused("postgres:///?service=none&schema=" + schema), "cannot be reached");
  ::unsetenv("PGSERVICEFILE");
}

// The server has no TLS; connections on this machine do not need it.
TEST_F(PostgresRemote, RemoteServerRequiresVerifiedTls) {
  FILE* out = ::popen("hostname -I", "re");
  char address[64] = {};
  const bool known = ::fscanf(out, "%63s", address) == 1;
  ::pclose(out);
  if (!known) GTEST_SKIP() << "this machine has no address but loopback";
  const std::string url = "postgres://app@" + std::string(address) + ":" + std::to_string(server.port()) + "/postgres";
  expect_reported(refused(url), "must prove who it is");
  expect_reported(refused(url + "?sslmode=disable"), "must prove who it is");
  expect_reported(refused(url + "?allow_insecure=true"), "does not allow this role to connect");
  // The environment may redirect what the address calls localhost.
  ::setenv("PGHOSTADDR", address, 1);
  expect_reported(refused("postgres://app@localhost:" + std::to_string(server.port()) + "/postgres"),
                  "must prove who it is");
  ::unsetenv("PGHOSTADDR");
}

TEST_F(PostgresRemote, FullDiskIsReportedAndLeavesNoPartialSegment) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root to mount a small disk";
  const std::string schema = server.new_schema(), disk = server.directory() + "/small";
  std::filesystem::create_directory(disk);
  if (::system(("mount -t tmpfs -o size=6m,mode=700,uid=postgres,gid=postgres tmpfs " + disk).c_str()) != 0)
    GTEST_SKIP() << "cannot mount a small disk";
  server.sql("CREATE TABLESPACE small LOCATION '" + disk + "'");
  server.sql("ALTER TABLE " + schema + ".hf_segment SET TABLESPACE small");
  {
    const auto remote = open(server.url(schema, "device"));
    StreamHead head;
    const StreamId stream{device_id(1), 1};
    Result<RemoteOutcome> outcome = RemoteOutcome::done;
    while (outcome && *outcome == RemoteOutcome::done && head.seq < 20) {
      StreamSegment next = PublishingDevice::segment(stream, head.seq + 1);
      next.body = std::string(kMaxSegmentBody, 'x');
      outcome = remote->publish({}, stream, head, {&next, 1});
      if (outcome) head = {next.seq, next.hash};
    }
    ASSERT_FALSE(outcome);
    expect_reported(outcome.error(), "disk of the server is full");
    ASSERT_EQ(remote->heads({})->size(), 1u);
    EXPECT_EQ(remote->heads({})->at(0).head, head);
    server.sql("ALTER TABLE " + schema + ".hf_segment SET TABLESPACE pg_default");
    const StreamSegment next = PublishingDevice::segment(stream, head.seq + 1);
    EXPECT_EQ(remote->publish({}, stream, head, {&next, 1}).value(), RemoteOutcome::done);
  }
  server.sql("DROP TABLESPACE small");
  EXPECT_EQ(::system(("umount " + disk).c_str()), 0);
}

TEST_F(PostgresRemote, StoppedContextCancels) {
  const auto remote = open(server.url(server.new_schema(), "device"));
  std::stop_source stop;
  stop.request_stop();
  Context stopped;
  stopped.stop = stop.get_token();
  EXPECT_EQ(remote->heads(stopped).error().code, Code::cancelled);
}

// A stream that lost rows to manual changes ends before the gap.
TEST_F(PostgresRemote, StreamEndsBeforeGap) {
  const std::string schema = server.new_schema(), url = server.url(schema);
  PublishingDevice device(1);
  const auto remote = open(url);
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(device.publish(*remote, {}));
  server.sql("DELETE FROM " + schema + ".hf_segment WHERE seq = 3");
  EXPECT_EQ(remote->read_after({}, device.stream, 0)->size(), 2u);
  EXPECT_TRUE(remote->read_after({}, device.stream, 2)->empty());
}

}  // namespace
}  // namespace holdfast::inline v1
