// Two homes as two machines of a team with a database, through the command line.
#include "tests/cli/cli_testing.h"
#include "tests/postgres/server_testing.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;

struct TwoHomesWithADatabase : CliHome {
  PostgresServer& server = PostgresServer::shared();
  const std::string id = "cccccccc-0000-4000-8000-000000000001", schema = "team_of_two";
  const std::string owner = "'" + server.url(schema) + "'", device = "'" + server.url(schema, "device") + "'";

  void SetUp() override {
    CliHome::SetUp();
    for (const char* which : {"a", "b"}) {
      fs::create_directories(home + "/" + which + "/thing/.git");
      std::ofstream(home + "/" + which + "/thing/.git/config")
          << "[remote \"origin\"]\n\turl = git@example.org:me/thing.git\n";
    }
    fs::create_directories(home + "/a/.claude/projects/-thing");
    std::ofstream(home + "/a/.claude/projects/-thing/" + id + ".jsonl")
        << R"({"type":"user","uuid":"u0","parentUuid":null,"sessionId":")" << id << R"(","cwd":")" << home
        << R"(/a/thing","timestamp":"2026-01-01T00:00:00Z","message":{"role":"user","content":"list the files"}})"
        << "\n";
  }
  int on(const std::string& which, const std::string& line) {
    return sh("cd $HOME/" + which + " && env HOME=$HOME/" + which + " $H " + line);
  }
};

TEST_F(TwoHomesWithADatabase, ShareThroughPostgres) {
  EXPECT_EQ(on("a", "remote add db " + device + " --as laptop"), 7) << out;
  EXPECT_TRUE(err.contains("remote migrate")) << err;
  ASSERT_EQ(on("a", "remote migrate " + owner), 0) << err;
  EXPECT_TRUE(out.contains(schema)) << out;
  EXPECT_EQ(on("a", "remote add db " + device + " --as laptop"), 7) << out;
  EXPECT_TRUE(err.contains("lacks a privilege")) << err;
  server.grant(schema, "device");
  ASSERT_EQ(on("a", "remote add db " + device + " --as laptop"), 0) << err;
  ASSERT_EQ(on("a", "remote share thing --with db"), 0) << err;
  ASSERT_EQ(on("a", "sync"), 0) << out << err;
  EXPECT_TRUE(out.contains("sent 1 session")) << out;
  ASSERT_EQ(on("b", "remote add db " + device + " --as tower"), 0) << err;
  ASSERT_EQ(on("b", "sync"), 0) << out << err;
  EXPECT_TRUE(out.contains("received 1 session") && out.contains("new here: laptop")) << out;

  // The list needs no server; the transcript is fetched when it is first shown.
  server.stop("fast");
  ASSERT_EQ(on("b", "ls --machine laptop"), 0) << err;
  EXPECT_TRUE(out.contains("list the files")) << out;
  EXPECT_EQ(on("b", "show cccccccc --machine laptop"), 7) << out;
  EXPECT_EQ(on("b", "sync"), 7) << out;
  EXPECT_TRUE((out + err).contains("cannot be reached")) << out << err;
  EXPECT_EQ(on("b", "remote check db"), 7) << out;
  server.start();
  ASSERT_EQ(on("b", "show cccccccc --machine laptop"), 0) << err;
  EXPECT_TRUE(out.contains("list the files")) << out;

  ASSERT_EQ(on("b", "remote check db"), 0) << err;
  EXPECT_TRUE(out.contains("PostgreSQL") && out.contains(schema) && out.contains("device")) << out;
  ASSERT_EQ(on("b", "remote check db --json"), 0) << err;
  EXPECT_EQ(field({"missing_rights"}), "[]") << out;
  EXPECT_EQ(field({"schema_version"}), "2") << out;
  EXPECT_TRUE(out.contains(R"("machine":"laptop")")) << out;
  ASSERT_EQ(on("b", "remote migrate db"), 0) << err;
  EXPECT_TRUE(out.contains("up to date")) << out;

  ASSERT_EQ(on("a", "remote remove db --erase --yes"), 0) << err;
  EXPECT_EQ(server.sql("SELECT (SELECT count(*) FROM " + schema + ".hf_stream), (SELECT count(*) FROM " + schema +
                       ".hf_chunk)"),
            "1|0")
      << "tower has published how far it has read, and no session";
}

// As with a directory that a machine may only read.
TEST_F(TwoHomesWithADatabase, RoleThatMayOnlyReadReceivesBeforeReportingIt) {
  const std::string team = server.new_schema();
  server.sql("CREATE ROLE only_reads LOGIN; GRANT USAGE ON SCHEMA " + team + " TO only_reads; GRANT SELECT ON " + team +
             ".hf_schema, " + team + ".hf_charter, " + team + ".hf_stream, " + team + ".hf_segment, " + team +
             ".hf_chunk TO only_reads");
  ASSERT_EQ(on("a", "remote add db '" + server.url(team, "device") + "' --as laptop"), 0) << err;
  ASSERT_EQ(on("a", "remote share thing --with db"), 0) << err;
  ASSERT_EQ(on("a", "sync"), 0) << out << err;
  ASSERT_EQ(on("b", "remote add db '" + server.url(team, "only_reads") + "' --as tower"), 0) << err;
  ASSERT_EQ(on("b", "sync"), 0) << out << err;
  EXPECT_TRUE(out.contains("received 1 session") && out.contains("new here: laptop")) << out;
  EXPECT_EQ(err, "");
  const std::string streams = "SELECT count(*) FROM " + team + ".hf_stream";
  EXPECT_EQ(server.sql(streams), "1");

  fs::create_directories(home + "/b/.claude/projects/-thing");
  std::ofstream(home + "/b/.claude/projects/-thing/dddddddd-0000-4000-8000-000000000002.jsonl")
      << R"({"type":"user","uuid":"n0","parentUuid":null,"sessionId":"s","cwd":")" << home
      << R"(/b/thing","timestamp":"2026-01-01T00:00:00Z","message":{"role":"user","content":"on b"}})"
      << "\n";
  ASSERT_EQ(on("b", "remote share thing --with db"), 0) << err;
  const std::string refused = "the remote is read-only for this machine; what it shares or withdraws there waits";
  EXPECT_EQ(on("b", "sync --fetch all"), 7) << out << err;
  EXPECT_TRUE(out.contains("fetched 1") && out.contains("failed: " + refused) && !out.contains("sent")) << out << err;
  EXPECT_EQ(on("b", "sync"), 7) << out;
  EXPECT_TRUE(err.contains(refused) && err.contains("the role lacks INSERT on hf_stream, UPDATE on hf_stream")) << err;
  EXPECT_EQ(server.sql(streams), "1");
  // Neither decision leaves anything behind: not to share it, and to let the machine write.
  ASSERT_EQ(on("b", "remote unshare thing --with db"), 0) << err;
  EXPECT_EQ(on("b", "sync"), 0) << out << err;
  ASSERT_EQ(on("b", "remote share thing --with db"), 0) << err;
  server.grant(team, "only_reads");
  ASSERT_EQ(on("b", "sync"), 0) << out << err;
  EXPECT_TRUE(out.contains("sent 1 session (")) << out;
  // A server that accepts no changes, such as a standby, is enough to receive too.
  server.sql("ALTER ROLE only_reads SET default_transaction_read_only = on");
  EXPECT_EQ(on("b", "sync"), 0) << out << err;
  ASSERT_EQ(on("b", "remote unshare thing --with db"), 0) << err;
  EXPECT_EQ(on("b", "sync"), 7) << out;
  EXPECT_TRUE(err.contains(refused) && err.contains("the server accepts no changes")) << err;
}

// Nothing more can be published in the epoch with the damage, but what is withdrawn is erased in it.
TEST_F(TwoHomesWithADatabase, WithdrawnSessionsAreErasedBesideDamagedRows) {
  for (const std::string damage :
       {"DELETE FROM HERE.hf_segment WHERE seq = 2", "UPDATE HERE.hf_segment SET header = 'none' WHERE seq = 2",
        "UPDATE HERE.hf_segment SET hash = decode(repeat('00', 32), 'hex') WHERE seq = 2"}) {
    SCOPED_TRACE(damage);
    const std::string team = server.new_schema(), to = "'" + server.url(team, "device") + "'";
    ASSERT_EQ(on("a", "remote add db " + to + " --as laptop"), 0) << err;
    ASSERT_EQ(on("a", "remote share thing --with db"), 0) << err;
    for (const char n : {'1', '2', '3'}) {
      const std::string own = id.substr(0, id.size() - 1) + n;
      std::ofstream(home + "/a/.claude/projects/-thing/" + own + ".jsonl")
          << R"({"type":"user","uuid":"u0","parentUuid":null,"sessionId":")" << own << R"(","cwd":")" << home
          << R"(/a/thing","timestamp":"2026-01-01T00:00:00Z","message":{"role":"user","content":"session )" << n
          << " for " << team << R"("}})"
          << "\n";
      ASSERT_EQ(on("a", "sync"), 0) << out << err;
    }
    ASSERT_EQ(on("b", "remote add db " + to + " --as tower"), 0) << err;
    ASSERT_EQ(on("b", "sync"), 0) << out << err;
    ASSERT_EQ(on("a", "sync"), 0) << out << err;
    std::string statement = damage;
    statement.replace(statement.find("HERE"), 4, team);
    server.sql(statement);
    EXPECT_EQ(on("a", "remote check db"), 4) << out;
    ASSERT_EQ(on("a", "remote unshare thing --with db"), 0) << err;
    ASSERT_EQ(on("a", "sync"), 0) << out << err;
    EXPECT_TRUE(err.contains("epoch 2 follows epoch 1") && !err.contains("can be erased there")) << err;
    EXPECT_TRUE(out.contains("withdrew 3") && out.contains("already been read by: tower")) << out;
    EXPECT_EQ(server.sql("SELECT (SELECT count(body) FROM " + team +
                         ".hf_segment WHERE epoch = 1 AND device = (SELECT "
                         "device FROM " +
                         team + ".hf_stream WHERE epoch = 2)), (SELECT count(*) FROM " + team + ".hf_chunk)"),
              "0|0");
    ASSERT_EQ(on("a", "sync"), 0) << out << err;
    EXPECT_TRUE(err.empty() && !out.contains("withdrew")) << "once: " << out << err;
    ASSERT_EQ(on("b", "sync"), 0) << out << err;
    EXPECT_EQ(on("b", "ls --machine all"), 1) << out;
    for (const char* const which : {"a", "b"}) ASSERT_EQ(on(which, "remote remove db --yes"), 0) << err;
  }
}

TEST_F(TwoHomesWithADatabase, RejectsPasswordInAddress) {
  EXPECT_EQ(on("a", "remote add db postgres://me:hunter2@127.0.0.1/x"), 2) << out;
  EXPECT_TRUE(err.contains(".pgpass")) << err;
  EXPECT_FALSE((out + err).contains("hunter2")) << out << err;
  EXPECT_EQ(sh("grep -r hunter2 $HOME/a"), 1) << out;
  EXPECT_EQ(on("a", "remote add nas dir:" + home + " --allow-insecure"), 2) << out;
}

}  // namespace
}  // namespace holdfast::inline v1
