// A tenth agent, added as docs/guides/add-a-reader.md says: the folder chatter/
// and one line in the table of layouts (cmake/testing.cmake adds it to a copy).
// Everything outside of that folder is the product as it is.
#include <gtest/gtest.h>

#include <optional>

#include "api/agents.h"
#include "api/dispatch.h"
#include "crash/disk/sim_file_system.h"
#include "layout/layout.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::string_view kRoot = "/home/me/.chatter";

struct TenthAgent : testing::Test {
  SimFileSystem files;
  Context context;
  std::optional<Stores> stores;

  TenthAgent() {
    put("hello", R"({"in":"/srv/shop"})"
                 "\n"
                 R"({"who":"me","said":"count the marbles","at":"2026-11-15T01:00:00Z"})"
                 "\n"
                 R"({"who":"it","runs":"Bash","with":{"command":"ls"},"call":"c1","at":"2026-11-15T01:00:01Z"})"
                 "\n"
                 R"({"who":"tool","gives":"seven","call":"c1","at":"2026-11-15T01:00:02Z"})"
                 "\n"
                 R"({"who":"it","said":"there are seven","at":"2026-11-15T01:00:03Z"})"
                 "\n");
    StoreSettings settings;
    settings.files = &files;
    for (const AgentPlace& place : agent_places(machine())) {
      StoreOptions options;
      options.layout = place.layout;
      options.roots[""] = place.root;
      settings.defaults.push_back(options);
    }
    stores.emplace(settings);
  }

  std::string must_call(std::string_view method, std::string_view params = "{}") {
    auto answer = dispatch(context, *stores, method, params);
    EXPECT_TRUE(answer) << method << " " << params << ": " << answer.error().text();
    return answer.value_or("{}");
  }
  void put(const std::string& name, std::string_view text) {
    EXPECT_TRUE(files.put_file(std::string(kRoot) + "/chats/" + name + ".jsonl", text));
  }
  Machine machine() {
    return {.variable = [](std::string_view name) { return name == "HOME" ? std::string("/home/me") : std::string(); },
            .exists = [](const std::string& path) { return path == kRoot || path == std::string(kRoot) + "/chats"; },
            .directory = "/srv/shop"};
  }
};

TEST_F(TenthAgent, IsInTheLayoutTable) {
  ASSERT_NE(find_layout("chatter"), nullptr);
  EXPECT_NE(find_layout("codex"), nullptr) << "and those of the product";
}

TEST_F(TenthAgent, HomeIsFound) {
  const auto places = agent_places(machine());
  ASSERT_EQ(places.size(), 1U);
  EXPECT_EQ(places[0].layout + ":" + places[0].root, "chatter:/home/me/.chatter");
  EXPECT_EQ(deletes_after("chatter", R"({"keep":3})"), 3);
  EXPECT_EQ(deletion_setting("chatter"), "keep");
}

TEST_F(TenthAgent, SessionsAreListedWithResumeCommand) {
  const std::string list = must_call("session.list");
  const JsonView session = JsonView(list).find("sessions").elements().begin()->value;
  EXPECT_TRUE(session.find("id").is_string("hello")) << list;
  EXPECT_TRUE(session.find("layout").is_string("chatter"));
  EXPECT_TRUE(session.find("first_prompt").is_string("count the marbles"));
  const auto resume = resume_command_for(session, machine());
  ASSERT_TRUE(resume);
  EXPECT_EQ(resume->words, (std::vector<std::string>{"chatter", "again", "hello"}));
  EXPECT_EQ(resume->directory, "/srv/shop");
}

TEST_F(TenthAgent, SessionsAreSearchedShownAndExported) {
  EXPECT_NE(must_call("session.search", R"({"words":["marbles"]})").find("\"hello\""), std::string::npos);
  EXPECT_NE(must_call("session.show", R"({"id":"chatter/hello"})").find("there are seven"), std::string::npos);
  EXPECT_NE(must_call("message.list", R"({"session":"hello"})").find("seven"), std::string::npos);
  EXPECT_NE(must_call("session.export", R"({"id":"hello","format":"md"})").find("count the marbles"),
            std::string::npos);
}

// Its migrations are a few rows of its table (M03).
TEST_F(TenthAgent, M03_OldNotesAreMigratedInMemoryOnly) {
  const std::string path = std::string(kRoot) + "/notes/n.json",
                    old = R"({"version":1,"body":"buy marbles","odd":1.50})";
  ASSERT_TRUE(files.put_file(path, old));
  const std::string get = R"({"kind":"note","id":"n","store":"chatter:/home/me/.chatter"})";
  const std::string answer = must_call("record.get", get);
  const JsonView note = JsonView(answer).find("record");
  EXPECT_TRUE(note.find("text").is_string("buy marbles")) << answer;
  EXPECT_EQ(note.find("tags").raw(), "[]");
  EXPECT_EQ(note.find("version").as_int64(), 3);
  EXPECT_EQ(note.find("odd").raw(), "1.50");
  EXPECT_EQ(files.read_file(path).value_or(""), old);
  for (const char* version : {"0", "4"}) {
    ASSERT_TRUE(files.put_file(path, R"({"version":)" + std::string(version) + R"(,"text":"x"})"));
    const auto refused = dispatch(context, *stores, "record.get", get);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Code::schema_version_mismatch) << version;
    EXPECT_NE(refused.error().message.find("version 3 is required"), std::string::npos) << refused.error().text();
  }
}

TEST_F(TenthAgent, RescueUsesItsDialect) {
  put("torn", R"({"who":"me","said":"look","at":"2026-11-15T02:00:00Z"})"
              "\n"
              R"({"who":"it","runs":"Bash","with":{},"call":"c9","at":"2026-11-15T02:00:01Z"})"
              "\n"
              R"({"who":"tool","gives":"half of it)"
              "\n"
              R"({"who":"it","said":"done","at":"2026-11-15T02:00:03Z"})"
              "\n");
  const std::string said = must_call("session.rescue", R"({"id":"torn","output":"/clean.jsonl"})");
  EXPECT_NE(said.find("result_made"), std::string::npos) << said;
  const std::string copy = files.read_file("/clean.jsonl").value_or("");
  EXPECT_NE(copy.find(R"("gives":"[The output of this tool call was lost)"), std::string::npos) << copy;
}

}  // namespace
}  // namespace holdfast::inline v1
