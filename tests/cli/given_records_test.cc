// Records that callers pass: a value of the wrong kind is refused by name, before anything is written.
#include "tests/cli/cli_testing.h"

namespace holdfast::inline v1 {
namespace {

struct RecordValidation : CliHome {
  int call(const std::string& method, const std::string& params, const std::string& store) {
    std::ofstream(home + "/params") << params;
    return sh("$H call " + method + " @$HOME/params --store " + store);
  }
  // Expects that the call is refused as invalid, with these words.
  void refused(const std::string& method, const std::string& params, const std::string& store,
               const std::string& words) {
    EXPECT_EQ(call(method, params, store), 2) << params << out << err;
    EXPECT_TRUE(err.contains(words)) << params << "\n" << err;
  }
};

TEST_F(RecordValidation, MissionRefusesInvalidAgents) {
  for (const std::string& store : {"linggen:" + home + "/l", "holdfast:" + home + "/h"}) {
    SCOPED_TRACE(store);
    const std::string with = R"({"project":"/p","text":"go","agents":)";
    ASSERT_EQ(call("mission.set", with + R"([{"id":"ling","idle_prompt":null,"idle_interval_secs":60}]})", store), 0)
        << err;
    refused("mission.set", with + "[5]}", store, "agents[0] must be an object");
    refused("mission.set", with + R"([{"idle_prompt":"x"}]})", store, "agents[0] needs the member id");
    refused("mission.set", with + R"([{"id":""}]})", store, "agents[0].id must not be empty");
    refused("mission.set", with + R"([{"id":"a"},{"id":"b","idle_interval_secs":"60"}]})", store,
            "agents[1].idle_interval_secs must be an integer");
    refused("mission.set", with + R"([{"id":"a","idle_prompts":"x"}]})", store, "did you mean idle_prompt?");
    refused("mission.set", R"({"project":"/p","text":""})", store, "text must not be empty");
    ASSERT_EQ(call("mission.list", R"({"project":"/p"})", store), 0) << err;
    EXPECT_EQ(field({"total"}), "1") << "the one that was there is still the active one: " << out;
    EXPECT_TRUE(out.contains("\"active\":true")) << out;
  }
}

TEST_F(RecordValidation, NullThreadMembersCountAsAbsent) {
  const std::string store = "maestro:" + home + "/m";
  ASSERT_EQ(call("save_thread", R"({"thread":{"id":"g","title":null,"privacy":{"redactInputs":true}}})", store), 0)
      << err;
  ASSERT_EQ(
      call("save_thread",
           R"({"thread":{"id":"g","model":null,"harness":null,"projectPath":null,"metadata":null,"privacy":null}})",
           store),
      0)
      << err;
  const std::string file = text("m/threads/g.json");
  for (const char* member :
       {R"("title": "")", R"("harness": "")", R"("model": "")", R"("projectPath": "")", R"("metadata": {)",
        R"("localOnly": true)", R"("redactInputs": true)", R"("redactOutputs": false)"})
    EXPECT_TRUE(file.contains(member)) << member << file;
  EXPECT_FALSE(file.contains(R"("title": null)")) << file;
}

TEST_F(RecordValidation, ThreadRefusesInvalidMembers) {
  for (const std::string& store : {"maestro:" + home + "/m", "holdfast:" + home + "/h"}) {
    SCOPED_TRACE(store);
    const std::string with = R"({"thread":{"id":"t",)";
    refused("save_thread", with + R"("title":5}})", store, "thread.title must be a string");
    refused("save_thread", with + R"("privacy":{"redactInputs":"true"}}})", store,
            "privacy.redactInputs must be true or false");
    refused("save_thread", with + R"("privacy":{"redact_inputs":true}}})", store, "did you mean redactInputs?");
    refused("save_thread", with + R"("metadata":{"tags":"x"}}})", store, "thread.metadata.tags must be an array");
    refused("save_thread", with + R"("metadata":{"tags":["a",1]}}})", store,
            "thread.metadata.tags[1] must be a string");
    refused("thread.create", R"({"project":"/p","privacy":{"redactinputs":true}})", store,
            "did you mean redactInputs?");
    EXPECT_EQ(call("load_thread", R"({"thread_id":"t"})", store), 3) << "nothing was written";
  }
}

TEST_F(RecordValidation, M01_AProjectHasOneThread) {
  for (const std::string& store : {"maestro:" + home + "/m", "holdfast:" + home + "/h"}) {
    SCOPED_TRACE(store);
    ASSERT_EQ(call("thread.create", R"({"project":"/q","id":"first"})", store), 0) << err;
    EXPECT_EQ(call("thread.create", R"({"project":"/q","id":"zzz"})", store), 2) << out;
    EXPECT_TRUE(err.contains("project /q has thread first already")) << err;
    EXPECT_EQ(call("save_thread", R"({"thread":{"id":"yyy","projectPath":"/q"}})", store), 2) << out;
    EXPECT_EQ(call("save_thread", R"({"thread":{"id":"first","projectPath":"/q","title":"t"}})", store), 0) << err;
    ASSERT_EQ(call("list_threads", "{}", store), 0) << err;
    EXPECT_EQ(field({"total"}), "1") << out;
  }
}

TEST_F(RecordValidation, InitiativeKeepsProgressAndRefusesInvalidFields) {
  const std::string store = "workflow:" + home + "/w";
  ASSERT_EQ(sh("mkdir -p $HOME/w/.git $HOME/w/.claude"), 0);
  ASSERT_EQ(call("initiative.create", R"({"name":"login","milestones":["M1","M2"]})", store), 0) << err;
  ASSERT_EQ(call("initiative.milestone", R"({"milestone":"M1"})", store), 0) << err;
  refused("initiative.update", R"({"fields":{"progress":"x"}})", store, "fields.progress must be an object");
  refused("initiative.update", R"({"fields":{"progress":{"M1":5}}})", store,
          "the progress of M1 must be pending, in_progress or completed");
  refused("initiative.update", R"({"fields":{"checkpoints":5}})", store, "fields.checkpoints must be an array");
  refused("initiative.update", R"({"fields":{"lastUpdated":"zzz"}})", store, "fields.lastUpdated must be a time");
  refused("initiative.create", R"({"name":"x","milestones":[1]})", store, "milestones[0] must be a string");
  // A misspelled milestone is taken for a new one, with a notice.
  ASSERT_EQ(call("initiative.milestone", R"({"milestone":"M9"})", store), 0) << err;
  EXPECT_TRUE((out + err).contains("M9 is a new milestone of this initiative, which had M1, M2")) << out << err;
  EXPECT_EQ(field({"initiative", "progress", "M1"}), "completed") << out;
  ASSERT_EQ(call("initiative.start", R"({"milestone":"M2"})", store), 0) << err;
  EXPECT_FALSE((out + err).contains("new milestone")) << out << err;
  // The names of the seed's file are accepted too.
  ASSERT_EQ(call("initiative.update", R"({"fields":{"nextAction":"review"}})", store), 0) << err;
  EXPECT_EQ(field({"initiative", "next_action"}), "review") << out;
}

// Written by an older or a careless program: it is not taken for an empty list.
TEST_F(RecordValidation, InitiativeWithInvalidProgressIsNotChanged) {
  ASSERT_EQ(sh("mkdir -p $HOME/w/.git $HOME/w/.claude && echo '{\"name\":\"a\",\"status\":\"in_progress\","
               "\"lastUpdated\":\"2026-01-01T00:00:00Z\",\"progress\":\"half\"}' > $HOME/w/.claude/initiative.json"),
            0);
  EXPECT_EQ(call("initiative.milestone", R"({"milestone":"M1"})", "workflow:" + home + "/w"), 4) << out;
  EXPECT_TRUE(text("w/.claude/initiative.json").contains("\"progress\":\"half\""));
}

TEST_F(RecordValidation, PlanIsStoredExactlyOrRefused) {
  for (const std::string& store : {"linggen:" + home + "/l", "holdfast:" + home + "/h"}) {
    SCOPED_TRACE(store);
    const auto items = [](const std::string& all) {
      return R"({"project":"/p","summary":"Fix login","items":[)" + all + "]}";
    };
    refused("plan.put", items(R"({"title":"a","description":"- [ ] fake item"})"), store, "description of the item");
    refused("plan.put", items(R"({"title":"a","depth":-1})"), store, "items[0].depth must be an integer of at least 0");
    refused("plan.put", items(R"({"title":"a","depth":99})"), store, "depth 99 of the item");
    refused("plan.put", items(R"({"title":"a","bogus":1})"), store, "items[0] has no member bogus");
    refused("plan.put", items(R"({"title":"two\nlines"})"), store, "title of the item");
    refused("plan.put", items("5"), store, "items[0] must be a string or an object");
    refused("plan.put", R"({"project":"/p","summary":"two\nlines","items":[]})", store, "the summary");
    const std::string good = R"({"title":"a","status":"done","description":"why\n\n  so","depth":0},)"
                             R"({"title":"b","status":"pending","depth":1})";
    ASSERT_EQ(call("plan.put", items(good + R"(,"c")"), store), 0) << err;
    EXPECT_TRUE(out.contains(good)) << out;
    refused("plan.update", R"({"project":"/p","id":"fix-login","items":[{"title":"a","description":"- [x] b"}]})",
            store, "description of the item");
    refused("plan.update", R"({"project":"/p","id":"fix-login","items":["new",{"title":"deep","depth":4}]})", store,
            "depth 4 of the item");
    ASSERT_EQ(call("plan.get", R"({"project":"/p","id":"fix-login"})", store), 0) << err;
    EXPECT_TRUE(out.contains(good)) << "a refused change changed it: " << out;
  }
}

TEST_F(RecordValidation, TextRecordRefusesOtherFields) {
  const std::string store = "linggen:" + home + "/l";
  refused("record.put", R"({"kind":"log","id":"2020-01-01","record":{"body":"x"}})", store, "call log.append");
  const std::string memory = R"({"kind":"memory","id":"n","project":"/p","record":)";
  const std::string native = "holdfast:" + home + "/h";
  ASSERT_EQ(sh("$H store create --store " + native), 0) << err;
  refused("record.put", memory + R"({"text":"x"}})", native, "it has the field body, not text");
  refused("record.put", memory + R"({"body":5}})", native, "body must be a string");
  EXPECT_EQ(call("record.put", memory + R"({"body":"x"}})", native), 0) << err;
  EXPECT_FALSE(std::filesystem::exists(home + "/l/logs/2020-01-01"));
}

}  // namespace
}  // namespace holdfast::inline v1
