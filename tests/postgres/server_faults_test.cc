// What a person sees when something is wrong with the server: exit code 7 and the reason, nothing lost, and it goes on
// by itself.
#include <unistd.h>

#include <random>

#include "tests/postgres/team_testing.h"

namespace holdfast::inline v1 {
namespace {

struct ServerFaults : TeamHomes {
  PostgresServer& server = PostgresServer::shared();
  const std::string schema = server.new_schema();
  int said = 0;

  void join(const std::string& role) {
    server.grant_index(schema, role);
    for (const char* which : {"a", "b"}) {
      make_home(which);
      ASSERT_EQ(on(which, "remote add db " + quoted(server.url(schema, role)) + " --as " + which), 0) << err;
    }
    ASSERT_EQ(on("a", "remote share thing --with db"), 0) << err;
    say_more();
    ASSERT_EQ(on("a", "sync"), 0) << out << err;
  }
  void say_more(const std::string& prompt = "") {
    const std::string id = "cccccccc-0000-4000-8000-00000000000" + std::to_string(++said);
    say("a", id, prompt.empty() ? "prompt number " + std::to_string(said) : prompt);
  }
  void expect_remote_failure(const std::string& line, const std::string& words) {
    EXPECT_EQ(on("a", line), 7) << line << ": " << out << err;
    EXPECT_TRUE((out + err).contains(words)) << line << ": " << out << err;
  }
  // Everything that was said meanwhile arrives, once.
  void expect_resumed(const std::string& sent = "sent 1 session (") {
    ASSERT_EQ(on("a", "sync"), 0) << out << err;
    EXPECT_TRUE(out.contains(sent) && err.empty()) << out << err;
    ASSERT_EQ(on("b", "sync --fetch all"), 0) << out << err;
    ASSERT_EQ(on("b", "ls --machine a --json"), 0) << err;
    EXPECT_EQ(field({"total"}), std::to_string(said)) << out;
    ASSERT_EQ(on("b", "search number --machine a --count"), 0) << err;
    EXPECT_EQ(out, std::to_string(said) + "\n");
  }
};

TEST_F(ServerFaults, NewerTables) {
  join("device");
  server.sql("UPDATE " + schema + ".hf_schema SET version = 99");
  say_more();
  expect_resumed();
  server.sql("UPDATE " + schema + ".hf_schema SET oldest_reader = 99");
  say_more();
  for (const char* line : {"sync", "sync --json", "remote check db", "remote index db", "remote migrate db",
                           "ls --remote db", "search number --remote db", "stats --remote db"})
    expect_remote_failure(line, "need a newer Holdfast");
  expect_remote_failure("remote add again " + quoted(server.url(schema, "device")), "need a newer Holdfast");
  EXPECT_EQ(server.sql("SELECT version, oldest_reader FROM " + schema + ".hf_schema"), "99|99");
  server.sql("UPDATE " + schema + ".hf_schema SET version = 2, oldest_reader = 1");
  expect_resumed();
}

TEST_F(ServerFaults, OlderTables) {
  join("device");
  server.sql("UPDATE " + schema + ".hf_schema SET version = 0");
  say_more();
  for (const char* line : {"sync", "sync --json", "remote check db", "remote index db", "ls --remote db"})
    expect_remote_failure(line, "older version: run holdfast remote migrate");
  expect_remote_failure("remote add again " + quoted(server.url(schema, "device")), "holdfast remote migrate");
  ASSERT_EQ(on("a", "remote migrate " + quoted(server.url(schema))), 0) << err;
  expect_resumed();
}

// A charter of a later format, in tables that this version supports.
TEST_F(ServerFaults, NewerCharter) {
  join("device");
  const std::string charter = server.sql("SELECT * FROM " + schema + ".hf_charter");
  server.sql("CREATE TABLE " + schema + ".kept AS TABLE " + schema + ".hf_charter; UPDATE " + schema +
             ".hf_charter SET charter = convert_to(replace(convert_from(charter, 'UTF8'), '\"incompat\":[]', "
             "'\"incompat\":[\"later\"]'), 'UTF8')");
  ASSERT_NE(server.sql("SELECT * FROM " + schema + ".hf_charter"), charter);
  say_more();
  for (const char* line : {"sync", "remote check db"}) expect_remote_failure(line, "made by a newer Holdfast: later");
  server.sql("UPDATE " + schema + ".hf_charter SET charter = (SELECT charter FROM " + schema + ".kept)");
  expect_resumed();
}

TEST_F(ServerFaults, ReadOnlyServer) {
  join("device");
  server.sql("ALTER ROLE device SET default_transaction_read_only = on");
  say_more();
  for (const char* line : {"sync", "sync --json"}) expect_remote_failure(line, "the server accepts no changes");
  expect_remote_failure("remote index db", "the server is read-only");
  EXPECT_EQ(on("b", "sync"), 0) << "receiving needs no changes: " << out << err;
  server.sql("ALTER ROLE device RESET default_transaction_read_only");
  expect_resumed();
}

TEST_F(ServerFaults, DroppedRole) {
  server.sql("CREATE ROLE passing LOGIN");
  server.grant(schema, "passing");
  join("passing");
  server.sql("DROP OWNED BY passing; DROP ROLE passing");
  say_more();
  for (const char* line : {"sync", "sync --json", "remote check db", "remote index db", "remote migrate db",
                           "ls --remote db", "remote remove db --erase --yes"})
    expect_remote_failure(line, "does not allow this role to connect");
  server.sql("CREATE ROLE passing LOGIN");
  expect_remote_failure("sync", "lacks a privilege");
  server.grant(schema, "passing");
  expect_resumed();
  server.sql("DROP OWNED BY passing; DROP ROLE passing");
}

TEST_F(ServerFaults, FullDisk) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root to mount a small disk";
  const std::string disk = server.directory() + "/narrow", table = schema + ".hf_chunk";
  std::filesystem::create_directory(disk);
  if (::system(("mount -t tmpfs -o size=6m,mode=700,uid=postgres,gid=postgres tmpfs " + disk).c_str()) != 0)
    GTEST_SKIP() << "cannot mount a small disk";
  server.sql("CREATE TABLESPACE narrow LOCATION '" + disk + "'");
  join("device");
  server.sql("ALTER TABLE " + table + " SET TABLESPACE narrow");
  std::minstd_rand random(7);
  std::string noise = "number ";
  while (noise.size() < std::size_t{16} << 20) noise += static_cast<char>('A' + random() % 26);
  say_more(noise);
  for (const char* line : {"sync", "sync --json"}) expect_remote_failure(line, "the disk of the server is full");
  EXPECT_EQ(on("b", "sync"), 0) << "receiving needs no space: " << out << err;
  server.sql("ALTER TABLE " + table + " SET TABLESPACE pg_default");
  expect_resumed();
  server.sql("DROP TABLESPACE narrow");
  EXPECT_EQ(::system(("umount " + disk).c_str()), 0);
}

}  // namespace
}  // namespace holdfast::inline v1
