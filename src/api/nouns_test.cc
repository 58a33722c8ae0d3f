// Runs, missions, plans and the other nouns through the table: src/rules tests their
// rules; this tests that each method reaches its rule and its answer matches its schema.
#include "api/api_testing.h"

namespace holdfast::inline v1 {
namespace {

std::string field(const std::string& answer, std::string_view object, std::string_view key) {
  const JsonView value = JsonView(answer).find(object).find(key);
  return value.as_string().value_or(std::string(value.raw()));
}
std::string total(const std::string& answer) { return std::string(JsonView(answer).find("total").raw()); }

TEST_F(ApiTest, RunLifecycle) {
  const std::string run = field(must_call("run.start", R"({"project":"/p","agent":"coder"})"), "run", "id");
  const std::string child =
      field(must_call("run.start", R"({"project":"/p","agent":"tester","parent":")" + run + "\"}"), "run", "id");
  const std::string of_run = R"({"project":"/p","id":")" + run + "\"}";
  EXPECT_EQ(total(must_call("run.children", of_run)), "1");
  EXPECT_EQ(total(must_call("run.list", R"({"agent":"tester"})")), "1");
  EXPECT_EQ(std::string(JsonView(must_call("run.cancel", of_run)).find("cancelled").raw()), "2");
  must_call("run.finish", R"({"project":"/p","status":"failed","detail":"no","id":")" + child + "\"}");
  EXPECT_EQ(field(must_call("run.get", R"({"project":"/p","id":")" + child + "\"}"), "run", "detail"), "no");
  EXPECT_EQ(code("run.get", R"({"project":"/p","id":"run-x"})"), Code::not_found);
}

TEST_F(ApiTest, MissionsAreSetListedAndCleared) {
  EXPECT_EQ(code("mission.get", R"({"project":"/p"})"), Code::not_found);
  must_call("mission.set", R"({"project":"/p","text":"one","agents":[{"id":"a"}]})");
  must_call("mission.set", R"({"project":"/p","text":"two"})");
  EXPECT_EQ(field(must_call("mission.get", R"({"project":"/p"})"), "mission", "text"), "two");
  EXPECT_EQ(total(must_call("mission.list", R"({"project":"/p"})")), "2");
  EXPECT_EQ(JsonView(must_call("mission.clear", R"({"project":"/p"})")).find("cleared").as_bool(), true);
  EXPECT_EQ(JsonView(must_call("mission.clear", R"({"project":"/p"})")).find("cleared").as_bool(), false);
}

TEST_F(ApiTest, ProjectsAreAddedListedAndRemoved) {
  must_call("project.add", R"({"project":"/srv/one"})");
  EXPECT_EQ(field(must_call("project.get", R"({"project":"/srv/one"})"), "project", "name"), "one");
  EXPECT_EQ(total(must_call("project.list")), "1");
  must_call("project.remove", R"({"project":"/srv/one"})");
  EXPECT_EQ(total(must_call("project.list")), "0");
  EXPECT_EQ(code("project.remove", R"({"project":"/srv/one"})"), Code::not_found);
}

TEST_F(ApiTest, PermissionAndAgentOperations) {
  must_call("permission.allow", R"({"project":"/p","tool":"Bash"})");
  EXPECT_NE(must_call("permission.list", R"({"project":"/p"})").find(R"(["Bash"])"), std::string::npos);
  must_call("permission.revoke", R"({"project":"/p","tool":"Bash"})");
  EXPECT_EQ(total(must_call("permission.list", R"({"project":"/p"})")), "0");
  must_call("agent.set", R"({"project":"/p","id":"coder","idle_prompt":"go on"})");
  EXPECT_EQ(field(must_call("agent.get", R"({"project":"/p","id":"coder"})"), "override", "idle_prompt"), "go on");
  must_call("agent.remove", R"({"project":"/p","id":"coder"})");
  EXPECT_EQ(code("agent.get", R"({"project":"/p","id":"coder"})"), Code::not_found);
  EXPECT_EQ(total(must_call("agent.list")), "0");
  EXPECT_EQ(total(must_call("skill.list")), "0");
}

// Linggen keeps permissions in the workspace: the named one, not the door's working directory.
TEST_F(ApiTest, PermissionIsGrantedInTheNamedProject) {
  for (const char* const place : {"/ling/config/x", "/srv/here/x", "/srv/named/x"})
    ASSERT_TRUE(files.put_file(place, ""));
  StoreSettings with_workspace = settings(true);
  with_workspace.other_roots["linggen"]["workspace"] = "/srv/here";
  Stores many(std::move(with_workspace));
  const auto ask = [&](std::string_view method, const std::string& more) {
    auto answer = dispatch(context, many, method, R"({"store":"linggen:/ling")" + more + "}");
    return answer ? *answer : answer.error().text();
  };
  ask("permission.allow", R"(,"project":"/srv/named","tool":"Bash")");
  EXPECT_FALSE(files.exists("/srv/here/.linggen/permissions.json"));
  EXPECT_NE(files.read_file("/srv/named/.linggen/permissions.json").value_or("").find("Bash"), std::string::npos);
  EXPECT_NE(ask("permission.list", R"(,"project":"/srv/named")").find("Bash"), std::string::npos);
  EXPECT_EQ(ask("permission.list", "").find("Bash"), std::string::npos) << "here nothing is allowed";
  ask("permission.allow", R"(,"tool":"Read")");
  EXPECT_NE(files.read_file("/srv/here/.linggen/permissions.json").value_or("").find("Read"), std::string::npos);
  EXPECT_NE(ask("record.get", R"(,"kind":"permission","project":"/srv/named")").find("Bash"), std::string::npos);
  ask("permission.revoke", R"(,"project":"/srv/named","tool":"Bash")");
  EXPECT_EQ(ask("permission.list", R"(,"project":"/srv/named")").find("Bash"), std::string::npos);
  EXPECT_NE(ask("permission.allow", R"(,"project":"/srv/none","tool":"Bash")").find("not_found"), std::string::npos);
  EXPECT_FALSE(files.exists("/srv/none"));
}

TEST_F(ApiTest, RecordWritesRefuseKindsWithRules) {
  must_call("mission.set", R"({"project":"/p","text":"one"})");
  EXPECT_NE(message("record.put", R"({"kind":"mission","project":"/p","id":"7","record":{"text":"two","active":true,)"
                                  R"("created_at":"2026-01-01T00:00:00Z"}})")
                .find("mission.set"),
            std::string::npos);
  EXPECT_EQ(total(must_call("mission.list", R"({"project":"/p"})")), "1");
  must_call("initiative.create", R"({"project":"/p","name":"alpha","milestones":["one"]})");
  EXPECT_NE(message("record.put", R"({"kind":"initiative","project":"/p","record":{"status":"completed"}})")
                .find("initiative.update"),
            std::string::npos);
  EXPECT_EQ(code("record.put", R"({"kind":"run","project":"/p","id":"r","record":{"status":"odd"}})"),
            Code::invalid_argument);
  EXPECT_EQ(code("record.delete", R"({"kind":"thread","id":"t"})"), Code::invalid_argument);
  must_call("record.put", R"({"kind":"memory","project":"/p","id":"notes","record":{"body":"free"}})");
}

TEST_F(ApiTest, AnswersNeverContainApiKeys) {
  std::string all = must_call("credential.set", R"({"id":"m1","api_key":"sk-secret"})");
  all += must_call("credential.list");
  EXPECT_EQ(code("record.get", R"({"kind":"credential","id":"m1"})"), Code::invalid_argument);
  EXPECT_EQ(code("record.list", R"({"kind":"credential"})"), Code::invalid_argument);
  all += message("record.put", R"({"kind":"credential","id":"m1","record":{"note":"x"}})");
  all += must_call("credential.remove", R"({"id":"m1"})");
  EXPECT_EQ(all.find("sk-secret"), std::string::npos) << all;
}

TEST_F(ApiTest, PlansAreWrittenTickedAndCompleted) {
  const std::string plan = must_call(
      "plan.put", R"({"project":"/p","summary":"Fix login","status":"executing","items":["Read",{"title":"Test"}]})");
  EXPECT_EQ(field(plan, "plan", "id"), "fix-login");
  must_call("plan.tick", R"({"project":"/p","id":"fix-login","item":"Read"})");
  EXPECT_EQ(field(must_call("plan.get", R"({"project":"/p"})"), "plan", "id"), "fix-login");
  EXPECT_EQ(code("plan.tick", R"({"project":"/p","id":"fix-login","item":"Nope"})"), Code::not_found);
  EXPECT_EQ(code("plan.put", R"({"project":"/p","summary":"x","items":[{"title":"a","status":"odd"}]})"),
            Code::invalid_argument);
  const std::string done = must_call("plan.update", R"({"project":"/p","id":"fix-login","done":true})");
  EXPECT_EQ(field(done, "plan", "status"), "completed");
  EXPECT_EQ(total(must_call("plan.list", R"({"project":"/p"})")), "1");
}

TEST_F(ApiTest, MemoryIsReadableAsRecords) {
  must_call("memory.put", R"({"project":"/p","id":"notes","body":"one\ntwo"})");
  EXPECT_EQ(field(must_call("memory.get", R"({"project":"/p","id":"notes"})"), "memory", "body"), "one\ntwo");
  EXPECT_EQ(total(must_call("memory.list", R"({"project":"/p"})")), "1");
  EXPECT_EQ(total(must_call("record.list", R"({"kind":"memory","project":"/p"})")), "1");
  must_call("record.delete", R"({"kind":"memory","project":"/p","id":"notes"})");
  EXPECT_EQ(code("memory.get", R"({"project":"/p","id":"notes"})"), Code::not_found);
}

TEST_F(ApiTest, StoreInfoReportsSessionsAndRoot) {
  EXPECT_EQ(code("store.info"), Code::not_found) << "there is none yet";
  must_call("store.create", R"({"store":"holdfast:/other"})");
  must_call("session.create", R"({"store":"holdfast:/other"})");
  const std::string info = must_call("store.info", R"({"store":"holdfast:/other"})");
  EXPECT_EQ(field(info, "store", "sessions"), "1");
  EXPECT_EQ(field(info, "store", "root"), "/other");
  must_call("store.repair", R"({"store":"holdfast:/other"})");
  must_call("store.findings", R"({"store":"holdfast:/other"})");
  EXPECT_EQ(code("store.info", R"({"store":"holdfst:/other"})"), Code::invalid_argument);
  EXPECT_EQ(code("store.info", R"({"store":"holdfast:other"})"), Code::invalid_argument);
  EXPECT_EQ(total(must_call("store.list")), "1");
}

TEST_F(ApiTest, HelloReturnsVersionAndMethods) {
  EXPECT_NE(must_call("hello", R"({"client":"test"})").find("\"session.create\""), std::string::npos);
  EXPECT_EQ(std::string(JsonView(must_call("hello", R"({"api_version":99})")).find("api_version").raw()), "1");
  EXPECT_EQ(std::string(JsonView(must_call("api.version")).find("api_version").raw()), "1");
}

TEST_F(ApiTest, SessionsAreCompactedAndCleared) {
  must_call("session.create", R"({"title":"one"})");
  for (int i = 0; i < 3; ++i) must_call("message.append", R"({"session":"@last","text":"hello"})");
  const std::string done = must_call("session.compact", R"({"id":"@last","summary":"greetings","pre_tokens":12})");
  EXPECT_NE(std::string(JsonView(done).find("boundary").raw()), "");
  EXPECT_NE(must_call("message.list", R"({"session":"@last"})").find("greetings"), std::string::npos);
  EXPECT_EQ(total(must_call("message.list", R"({"session":"@last","branch":"all"})")), "5");
  EXPECT_NE(must_call("session.clear", R"({"id":"@last","dry_run":true})").find("5 records"), std::string::npos);
  EXPECT_EQ(JsonView(must_call("session.clear", R"({"id":"@last"})")).find("cleared").as_int64(), 5);
  EXPECT_EQ(total(must_call("message.list", R"({"session":"@last"})")), "0");
}

TEST_F(ApiTest, ConfigSetMergesAndRemovesValues) {
  must_call("store.create");
  EXPECT_NE(must_call("config.get").find(R"("config":{})"), std::string::npos);
  must_call("config.set", R"({"values":{"name":"x","sync":{"enabled":true,"directory":"/s"}}})");
  must_call("config.set", R"({"values":{"name":null,"sync":{"directory":null}}})");
  const std::string config = must_call("config.get");
  EXPECT_NE(config.find(R"("sync":{"enabled":true})"), std::string::npos) << config;
  EXPECT_EQ(config.find("name"), std::string::npos) << config;
  EXPECT_EQ(code("config.get", R"({"store":"open-agent:/none"})"), Code::not_found);
}

}  // namespace
}  // namespace holdfast::inline v1
