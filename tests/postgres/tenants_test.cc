// Two teams on one server, each with a schema and a role of its own: no command shows one of them anything of the
// other.
#include "tests/postgres/team_testing.h"

namespace holdfast::inline v1 {
namespace {

struct Tenants : TeamHomes {
  PostgresServer& server = PostgresServer::shared();
  const std::string ours = server.new_schema(), theirs = server.new_schema();
  const std::string our_id = "cccccccc-0000-4000-8000-000000000001", their_id = "dddddddd-0000-4000-8000-000000000002";
  // What nobody of ours may learn. The address of the remote is what they asked for.
  const std::vector<std::string> hidden{"walrus", "dddddddd", "their_machine", "their_project"};

  // Each team has a machine that shares and indexes, with a role that has rights in its own schema only.
  void SetUp() override {
    CliHome::SetUp();
    server.sql(
        "DROP ROLE IF EXISTS our_role; DROP ROLE IF EXISTS their_role; CREATE ROLE our_role LOGIN; CREATE ROLE "
        "their_role LOGIN");
    grant(ours, "our_role");
    grant(theirs, "their_role");
    make_home("a");
    make_home("z", "their_project");
    say("a", our_id, "our otter");
    say("z", their_id, "their walrus");
    for (const auto& [which, schema, role, name] :
         {std::tuple("a", ours, "our_role", "our_machine"), std::tuple("z", theirs, "their_role", "their_machine")}) {
      ASSERT_EQ(on(which, "remote add db " + quoted(server.url(schema, role)) + " --as " + name), 0) << err;
      ASSERT_EQ(on(which, "remote share thing --with db"), 0) << err;
      ASSERT_EQ(on(which, "sync"), 0) << out << err;
      ASSERT_EQ(on(which, "remote index db"), 0) << out << err;
    }
  }
  void TearDown() override {
    server.sql("DROP OWNED BY our_role, their_role; DROP ROLE our_role, their_role");
    CliHome::TearDown();
  }
  void grant(const std::string& schema, const std::string& role) {
    server.grant(schema, role);
    server.grant_index(schema, role);
  }
  void expect_hidden(const std::string& line) {
    for (const std::string& word : hidden) EXPECT_FALSE((out + err).contains(word)) << line << ": " << out << err;
  }
  // Whether any file of the home contains what is hidden.
  void expect_nothing_kept(const std::string& which) {
    for (const std::string& word : hidden)
      EXPECT_EQ(sh("grep -rlF " + word + " $HOME/" + which), 1) << word << ": " << out;
  }
};

TEST_F(Tenants, TeamSeesOnlyItsOwnSessions) {
  make_home("b");
  ASSERT_EQ(on("b", "remote add db " + quoted(server.url(ours, "our_role")) + " --as our_second"), 0) << err;
  for (const char* line : {"sync --fetch all", "remote index db", "remote check db", "remote check db --json",
                           "sync status --json", "machine list --json", "ls --remote db", "ls --remote db --json",
                           "ls --all --remote db --json", "search otter --remote db", "stats --remote db --json",
                           "stats --by session --remote db", "ls --machine all", "search otter --machine all"}) {
    EXPECT_EQ(on("b", line), 0) << line << ": " << out << err;
    expect_hidden(line);
  }
  ASSERT_EQ(on("b", "ls --remote db --json"), 0) << err;
  EXPECT_EQ(field({"total"}), "1") << out;
  EXPECT_TRUE(out.contains(our_id)) << out;
  EXPECT_EQ(on("b", "search walrus --remote db"), 1) << out;
  EXPECT_EQ(on("b", "search walrus --machine all"), 1) << out;
  EXPECT_EQ(on("b", "show dddddddd --machine all"), 3) << out;
  expect_nothing_kept("b");
}

// A colleague who had rights on both, and has them on one only.
TEST_F(Tenants, RoleWithRightsOnOneSeesNothingOfTheOther) {
  make_home("b");
  grant(theirs, "our_role");
  ASSERT_EQ(on("b", "remote add db " + quoted(server.url(ours, "our_role")) + " --as our_second"), 0) << err;
  ASSERT_EQ(on("b", "remote add foreign " + quoted(server.url(theirs, "our_role")) + " --as our_second"), 0) << err;
  ASSERT_EQ(on("b", "ls --remote foreign"), 0) << err;
  EXPECT_TRUE(out.contains("walrus")) << "with the rights it is there: " << out;
  for (const char* kind : {"TABLES", "SEQUENCES"})
    server.sql("REVOKE ALL ON ALL " + std::string(kind) + " IN SCHEMA " + theirs + " FROM our_role");
  const auto expect_refused = [&] {
    for (const char* line : {"sync foreign", "sync foreign --fetch all", "remote index foreign", "remote check foreign",
                             "remote check foreign --json", "remote migrate foreign", "ls --remote foreign",
                             "ls --remote foreign --json", "search walrus --remote foreign", "stats --remote foreign",
                             "serve --no-open --remote foreign", "remote remove foreign --erase --yes"}) {
      EXPECT_EQ(on("b", line), 7) << line << ": " << out << err;
      EXPECT_TRUE(err.contains("lacks a privilege")) << line << ": " << err;
      for (const std::string& word : hidden)
        EXPECT_TRUE(!(out + err).contains(word) || std::string(line).contains(word)) << line << ": " << out << err;
    }
    EXPECT_EQ(on("b", "remote add other " + quoted(server.url(theirs, "our_role"))), 7) << out;
  };
  expect_refused();  // it may see that there is a schema
  server.sql("REVOKE ALL ON SCHEMA " + theirs + " FROM our_role");
  expect_refused();
  // A sync with all remotes says what failed, and receives from the other.
  EXPECT_EQ(on("b", "sync --fetch all"), 7) << out;
  EXPECT_TRUE(out.contains("received 1 session")) << out << err;
  expect_hidden("sync --fetch all");
  ASSERT_EQ(on("b", "ls --machine all --json"), 0) << err;
  EXPECT_EQ(field({"total"}), "1") << out;
  expect_nothing_kept("b");
  // And by SQL.
  for (const char* table :
       {"hf_schema", "hf_charter", "hf_stream", "hf_segment", "hf_chunk", "hf_indexed", "hf_session", "hf_message"})
    EXPECT_EQ(server.sql("SELECT has_schema_privilege('our_role', '" + theirs +
                         "', 'USAGE'), has_table_privilege('our_role', '" + theirs + "." + table +
                         "', 'SELECT, INSERT, UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER')"),
              "f|f")
        << table;
}

}  // namespace
}  // namespace holdfast::inline v1
