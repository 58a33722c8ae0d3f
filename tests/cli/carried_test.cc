// What a session takes along through export, import, share, hand-off and statistics.
#include <fstream>
#include <utility>

#include "tests/cli/cli_testing.h"

namespace holdfast::inline v1 {
namespace {

struct SessionTransfer : CliHome {
  // A session s-1 with a prompt and an answer, two years ago.
  void make_session() {
    ASSERT_EQ(sh("$H call session.create '{\"id\":\"s-1\",\"project\":\"" + home +
                 "\"}' && $H call message.append '{\"session\":\"s-1\",\"message\":{\"role\":\"user\","
                 "\"text\":\"fix it\",\"timestamp\":\"2024-01-01T10:00:00Z\"}}' && $H call message.append "
                 "'{\"session\":\"s-1\",\"message\":{\"role\":\"assistant\",\"text\":\"Done.\",\"model\":\"m\","
                 "\"usage\":{\"input\":7,\"output\":3},\"timestamp\":\"2024-01-01T10:00:05Z\"}}'"),
              0)
        << err;
  }
};

TEST_F(SessionTransfer, ImportsIndentedTrajectory) {
  std::ofstream(home + "/t.atif") << R"({
  "schema_version": "ATIF-v1.7", "session_id": "mini", "agent": {"name": "x", "version": "1"},
  "steps": [
    {"step_id": 1, "source": "user", "message": "hi"},
    {"step_id": 2, "source": "agent", "message": "ok",
     "tool_calls": [{"tool_call_id": "c1", "function_name": "f", "arguments": {
       "a": 1
     }}],
     "observation": {"results": [{"source_call_id": "c1", "content": "out"}]}, "extra": {
       "b": [
         2]}}
  ]
})";
  ASSERT_EQ(sh("$H import $HOME/t.atif"), 0) << err;
  ASSERT_EQ(sh("$H show mini --json | jq -c '[.messages[].blocks[] | select(.type == \"tool_call\") | .input]'"), 0);
  EXPECT_EQ(out, "[{\"a\":1}]\n");
  ASSERT_EQ(sh("$H export mini --format atif > again && HOME=$HOME/other $H import again"), 0) << err;
}

// A step that only carries the result of a tool becomes no empty answer, which not every layout can hold.
TEST_F(SessionTransfer, TrajectoryWithAToolMessageReturnsToItsStore) {
  for (const std::string layout : {"maestro", "holdfast"}) {
    SCOPED_TRACE(layout);
    const std::string store = " --store " + layout + ":$HOME/" + layout;
    ASSERT_EQ(sh("mkdir $HOME/" + layout + " && $H store create" + store), 0) << err;
    ASSERT_EQ(sh("$H session create --no-lease --json --project /p" + store), 0) << err;
    const std::string id = field({"id"});
    ASSERT_EQ(sh("$H message append " + id + " go" + store), 0) << err;
    ASSERT_EQ(sh("$H call message.append '{\"session\":\"" + id +
                 "\",\"message\":{\"role\":\"tool\",\"blocks\":[{\"type\":\"tool_result\",\"id\":\"c1\",\"output\":"
                 "\"seen\"}]}}'" +
                 store),
              0)
        << err;
    ASSERT_EQ(sh("$H export " + id + " --format atif" + store + " > t.atif && $H session delete " + id + " --yes" +
                 store + " && $H import t.atif" + store),
              0)
        << err;
    ASSERT_EQ(sh("$H call message.list '{\"session\":\"" + id + "\"}'" + store +
                 " | jq -c '[.messages[] | .role, .blocks[0].id, .blocks[0].type]'"),
              0)
        << err;
    EXPECT_EQ(out, "[\"user\",null,\"text\",\"tool\",\"c1\",\"tool_result\"]\n");
  }
}

TEST_F(SessionTransfer, ImportReportsRewoundMessages) {
  make_session();
  ASSERT_EQ(sh("$H message append s-1 'a wrong turn' && $H export s-1 --format json | "
               "jq '.messages[2].abandoned = true' > t.json && HOME=$HOME/other $H import t.json"),
            0)
      << err;
  EXPECT_TRUE(
      err.contains("1 message that the agent had taken back, by a rewind or a revert, is part of the "
                   "conversation now"))
      << err;
  ASSERT_EQ(sh("HOME=$HOME/other $H show s-1"), 0) << err;
  EXPECT_TRUE(out.contains("Done.") && out.contains("a wrong turn")) << out;
}

TEST_F(SessionTransfer, MessageWithoutTimeGetsTimeOfPreviousMessage) {
  make_session();
  ASSERT_EQ(sh("$H export s-1 --format json > whole.json"), 0) << err;
  const auto times = [&](const std::string& other, const std::string& change) {
    EXPECT_EQ(sh("jq '" + change + "' whole.json > t.json && HOME=$HOME/" + other +
                 " $H import t.json >/dev/null && HOME=$HOME/" + other +
                 " $H show s-1 --json | jq -c '.session.created_at as $c | "
                 "[.messages[].timestamp | if . == $c then \"created\" else . end]'"),
              0)
        << err;
    return out;
  };
  EXPECT_EQ(times("one", ".messages[1].timestamp = null"),
            "[\"2024-01-01T10:00:00.000Z\",\"2024-01-01T10:00:00.000Z\"]\n");
  // Before the first is the creation of the session.
  EXPECT_EQ(times("two", ".messages[0].timestamp = null"), "[\"created\",\"2024-01-01T10:00:05.000Z\"]\n");
  EXPECT_EQ(times("three", ".messages[].timestamp = null"), "[\"created\",\"created\"]\n");
}

// A store would otherwise use the time of the import.
TEST_F(SessionTransfer, ImportRefusesWhatIsNoTime) {
  make_session();
  ASSERT_EQ(sh("$H export s-1 --format json > whole.json && $H export s-1 --format atif > whole.atif"), 0) << err;
  const std::pair<std::string, std::string> cases[] = {
      {"jq '.steps[1].timestamp = \"yesterday noon\"' whole.atif", "message 1: timestamp is not a time"},
      {"jq '.session.created_at = \"last year\" | .messages[].timestamp = null' whole.json",
       "created_at is not a time"},
      {"jq '.session.updated_at = \"soon\"' whole.json", "updated_at is not a time"}};
  for (const auto& [change, reason] : cases) {
    ASSERT_EQ(sh(change + " > t.json"), 0) << err;
    for (const std::string option : {" --dry-run", ""}) {
      EXPECT_EQ(sh("HOME=$HOME/other $H import t.json" + option), 2) << change << option << out;
      EXPECT_TRUE(err.contains(reason)) << change << option << err;
    }
    EXPECT_NE(sh("HOME=$HOME/other $H show s-1"), 0) << change << out;
  }
}

TEST_F(SessionTransfer, ChosenTitleIsUsedEverywhere) {
  make_session();
  ASSERT_EQ(sh("mkdir $HOME/.codex && $H rename s-1 'My own title'"), 0) << err;
  for (const std::string command :
       {"show s-1 --format md", "export s-1 --format md", "export s-1 --format json", "export s-1 --format html",
        "share s-1", "stats --by session", "stats --by session --csv", "handoff s-1 --to codex --json"}) {
    ASSERT_EQ(sh("$H " + command), 0) << command << err;
    EXPECT_TRUE(out.contains("My own title")) << command << out;
  }
}

TEST_F(SessionTransfer, StatsCountHandedOffMessagesOnce) {
  make_session();
  ASSERT_EQ(sh("mkdir -p $HOME/.codex $HOME/.claude $HOME/.pi/agent && $H stats --by agent --json | jq -c .total"), 0)
      << err;
  const std::string before = out;
  for (const std::string to : {"codex", "holdfast", "claude-code", "pi", "codex", "holdfast"}) {
    ASSERT_EQ(
        sh("$H handoff holdfast/s-1 --to " + to + " --project " + home + " --json > handed && jq -r .id handed > id"),
        0)
        << err;
    ASSERT_EQ(sh("$H stats --by agent --json | jq -c .total"), 0) << err;
    EXPECT_EQ(out, before) << to;
  }
  // A hand-off of a hand-off, which goes on.
  ASSERT_EQ(
      sh("$H handoff holdfast/$(cat id) --to holdfast --project " + home + " --json > handed && jq -r .id handed > id"),
      0)
      << err;
  ASSERT_EQ(sh("$H message append $(cat id) 'one more prompt' && $H stats --json | jq -c '.total.prompts'"), 0) << err;
  EXPECT_TRUE(out.ends_with("\n2\n")) << out;
}

TEST_F(SessionTransfer, ResumeCommandWorksForHandoffToDirectory) {
  make_session();
  ASSERT_EQ(sh("$H handoff s-1 --to holdfast -o out/hf --project " + home), 0) << err;
  ASSERT_EQ(sh("$H handoff s-1 --to holdfast -o out/two --project " + home + " --json | jq -r '.resume[1:][]' > words"),
            0)
      << err;
  ASSERT_EQ(sh("$H $(cat words)"), 0) << out << err;
  EXPECT_TRUE(out.contains("Done.")) << out;
}

TEST_F(SessionTransfer, ReportsIndexOfWronglyTypedElement) {
  make_session();
  for (const std::string wrong : {"5", "null", "{}", "[]", "true"}) {
    EXPECT_EQ(sh("$H call session.search '{\"words\":[\"fix\"," + wrong + "]}'"), 2) << out;
    EXPECT_TRUE(err.contains("words[1] must be a string")) << err;
  }
  EXPECT_EQ(sh("$H call session.tag '{\"id\":\"s-1\",\"tags\":[5]}'"), 2) << out;
  EXPECT_TRUE(err.contains("tags[0] must be a string")) << err;
}

}  // namespace
}  // namespace holdfast::inline v1
