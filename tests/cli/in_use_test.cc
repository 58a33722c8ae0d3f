// What people read when another living process owns a session: one sentence, which names that process.
#include <algorithm>

#include "tests/cli/rpc_process_testing.h"
#include "tests/cli/shell_testing.h"

namespace holdfast::inline v1 {
namespace {

struct InUse : Shell {
  InUse() : Shell("desk") {}
  void TearDown() override {
    if (!owner.empty()) sh("kill " + owner);
    Shell::TearDown();
  }
  // Runs a call for an owner that lives until the end of the test.
  void own(const std::string& call) {
    ASSERT_EQ(sh("sleep 300 >/dev/null 2>&1 & echo $! > pid"), 0);
    owner = text("desk/pid");
    owner.pop_back();
    ASSERT_EQ(sh("$H call " + call + " --owner-pid " + owner + store), 0) << err;
  }
  void expect_refused(const std::string& line, const std::string& id, const std::string& more = {}) {
    EXPECT_EQ(sh("$H " + line + store), 6) << line << out;
    EXPECT_EQ(err, "holdfast: the session is in use by process " + owner + more + " (" + id + ")\n") << line;
  }

  std::string owner, store;
};

TEST_F(InUse, LopenNamesTheOwnersProcess) {
  store = " --store lopen:$PWD/p";
  ASSERT_EQ(sh("mkdir -p p/.git"), 0);
  own("session.start '{\"module\":\"auth\"}'");
  const std::string id = field({"id"});
  for (const char* line : {"session start --module auth", "session resume @last", "session delete @last --yes"})
    expect_refused(line, id);
}

TEST_F(InUse, MaestroNamesTheOwnersProcess) {
  store = " --store maestro:$PWD/m";
  ASSERT_EQ(sh("$H thread create --project /p --json" + store), 0) << err;
  const std::string thread = field({"thread", "id"});
  own("thread.resume '{\"id\":\"" + thread + "\"}'");
  const std::string id = field({"session"});
  for (const std::string& line :
       {"thread resume " + thread, "thread delete " + thread + " --yes", std::string("session delete @last --yes"),
        std::string("message append @last hi"), std::string("session end @last")})
    expect_refused(line, id);
  expect_refused("session resume @last", id, "; use takeover to continue it anyway");
  ASSERT_EQ(sh("$H doctor" + store), 0) << err;
  EXPECT_TRUE(out.contains("session-" + id + ": process " + owner + ", since ")) << out;
}

// A file in the place of the trash: nothing can be removed, not even by root.
struct Blocked {
  explicit Blocked(const std::string& store) {
    const std::string side = store + (std::filesystem::exists(store + "/.side") ? "/.side" : "/.holdfast");
    path = side + "/removed";
    std::ofstream(path) << "x";
  }
  ~Blocked() { std::filesystem::remove(path); }
  Blocked(const Blocked&) = delete;
  Blocked& operator=(const Blocked&) = delete;
  std::string path;
};

TEST_F(InUse, OwnerThatIsRefusedKeepsItsSession) {
  for (const std::string layout : {"holdfast", "linggen", "maestro"}) {
    SCOPED_TRACE(layout);
    const std::string at = layout + ":" + home + "/" + layout;
    RpcProcess door(home, {"--store", at});
    const bool threads = layout == "maestro";
    if (threads) door.ask("thread.save", R"({"thread":{"id":"thr_1"}})");
    const std::string made = door.ask("session.create", threads ? R"({"thread":"thr_1"})" : R"({"project":"/p"})");
    const std::string id = JsonView(made).find("result").find("id").as_string().value_or(made);
    const std::string named = R"({"id":")" + id + "\"}", append = R"({"session":")" + id + R"(","text":"mine"})";
    EXPECT_TRUE(JsonView(door.ask("message.append", append)).find("result"));
    {
      const Blocked blocked(home + "/" + layout);
      for (const std::string method : {"session.delete", "session.trash", "session.clear", "thread.delete"}) {
        if (method == "thread.delete" && !threads) continue;
        const std::string answer = door.ask(method, method == "thread.delete" ? R"({"id":"thr_1"})" : named);
        EXPECT_TRUE(JsonView(answer).find("error")) << method << answer;
        EXPECT_EQ(sh("$H message append " + id + " x --store " + at), 6) << method << out << err;
        EXPECT_TRUE(JsonView(door.ask("message.append", append)).find("result")) << method;
      }
    }
    EXPECT_EQ(sh("$H session delete " + id + " --yes --store " + at), 6) << "it is another's: " << out;
    const std::string gone = door.ask("session.delete", named);
    EXPECT_TRUE(JsonView(gone).find("result")) << gone;
    ASSERT_EQ(sh("$H doctor --store " + at), 0) << err;
    EXPECT_FALSE(out.contains("session-" + id)) << "its lease went with it: " << out;
  }
}

TEST_F(InUse, OwnerOfCallsThatIsRefusedKeepsItsSession) {
  store = " --store holdfast:$HOME/h";
  own("session.create '{\"id\":\"mine\"}'");
  const std::string deletion = "$H call session.delete '{\"id\":\"mine\"}' --owner-pid " + owner + store;
  {
    const Blocked blocked(home + "/h");
    EXPECT_EQ(sh(deletion), 4) << out << err;
  }
  expect_refused("message append mine hi", "mine");
  expect_refused("session delete mine --yes", "mine");
  EXPECT_EQ(sh(deletion), 0) << err;
  ASSERT_EQ(sh("$H doctor" + store), 0) << err;
  EXPECT_FALSE(out.contains("session-mine")) << out;
}

TEST_F(InUse, SessionThatIsNotMovedKeepsItsOwner) {
  const std::string at = "open-agent:" + home + "/oa";
  ASSERT_EQ(sh("mkdir $HOME/oa && $H store create --store " + at), 0) << err;
  RpcProcess door(home, {"--store", at});
  const std::string made = door.ask("session.create", R"({"project":"/p"})");
  const std::string id = JsonView(made).find("result").find("id").as_string().value_or(made);
  EXPECT_TRUE(JsonView(door.ask("message.append", R"({"session":")" + id + R"(","text":"mine"})")).find("result"));
  for (const std::string more : {"", R"(,"project":"/p")"}) {
    const std::string left = door.ask("session.regroup", R"({"id":")" + id + "\"" + more + "}");
    EXPECT_TRUE(left.contains("already")) << left;
    EXPECT_EQ(sh("$H message append " + id + " x --store " + at), 6) << left << out;
  }
}

// What is written next goes to the new place, by the same owner.
TEST_F(InUse, SessionThatIsMovedKeepsItsOwner) {
  const std::string at = "open-agent:" + home + "/oa";
  ASSERT_EQ(sh("mkdir $HOME/oa && $H store create --store " + at), 0) << err;
  RpcProcess door(home, {"--store", at});
  const std::string made = door.ask("session.create", R"({"project":"/p"})");
  const std::string id = JsonView(made).find("result").find("id").as_string().value_or(made);
  const std::string append = R"({"session":")" + id + R"(","text":"mine"})";
  EXPECT_TRUE(JsonView(door.ask("message.append", append)).find("result"));
  for (const std::string project : {"/q", "/r"}) {
    const std::string moved = door.ask("session.regroup", R"({"id":")" + id + R"(","project":")" + project + "\"}");
    EXPECT_TRUE(moved.contains("projects/-" + project.substr(1))) << moved;
    EXPECT_EQ(sh("$H message append " + id + " x --store " + at), 6) << out;
    EXPECT_TRUE(err.contains("in use by process " + std::to_string(door.pid()))) << err;
    const std::string appended = door.ask("message.append", append);
    EXPECT_TRUE(JsonView(appended).find("result")) << appended;
  }
  const std::string log = text("oa/projects/-r/" + id + ".jsonl");
  EXPECT_EQ(std::ranges::count(log, '\n'), 4) << log;  // the header, and one message at each place
  EXPECT_TRUE(JsonView(door.ask("session.end", R"({"id":")" + id + "\"}")).find("result"));
  EXPECT_EQ(sh("$H message append " + id + " x --store " + at), 0) << err;
}

TEST_F(InUse, SessionThatIsMovedKeepsTheOwnerOfCalls) {
  store = " --store open-agent:$HOME/oa";
  ASSERT_EQ(sh("mkdir $HOME/oa && $H store create" + store), 0) << err;
  own("session.create '{\"project\":\"/p\"}'");
  const std::string id = field({"id"}), as = " --owner-pid " + owner + store;
  const std::string append = "$H call message.append '{\"session\":\"" + id + "\",\"text\":\"mine\"}'" + as;
  ASSERT_EQ(sh(append), 0) << err;
  ASSERT_EQ(sh("$H call session.regroup '{\"id\":\"" + id + "\",\"project\":\"/q\"}'" + as), 0) << err;
  EXPECT_TRUE(out.contains("projects/-q")) << out;
  expect_refused("message append " + id + " hi", id);
  EXPECT_EQ(sh(append), 0) << err;
}

// Whoever lost the session to a takeover may change nothing of it, by any call.
TEST_F(InUse, OwnerThatLostItsSessionIsRefused) {
  for (const std::string layout : {"holdfast", "open-agent"}) {
    SCOPED_TRACE(layout);
    const std::string at = layout + ":" + home + "/" + layout;
    ASSERT_EQ(sh("mkdir $HOME/" + layout + " && $H store create --store " + at), 0) << err;
    RpcProcess first(home, {"--store", at}), second(home, {"--store", at});
    const std::string made = first.ask("session.create", R"({"project":"/p","title":"KEPT"})");
    const std::string id = JsonView(made).find("result").find("id").as_string().value_or(made);
    const std::string named = R"("id":")" + id + "\"";
    EXPECT_TRUE(JsonView(first.ask("message.append", R"({"session":")" + id + R"(","text":"x"})")).find("result"));
    EXPECT_TRUE(JsonView(second.ask("session.resume", "{" + named + R"(,"takeover":true})")).find("result"));
    for (const auto& [method, more] :
         {std::pair("session.update", R"(,"title":"GHOST")"), std::pair("session.compact", R"(,"summary":"GHOST")"),
          std::pair("session.end", R"(,"summary":"GHOST")"), std::pair("session.trash", ""),
          std::pair("session.delete", "")}) {
      const std::string answer = first.ask(method, "{" + named + more + "}");
      EXPECT_TRUE(answer.contains("the session is in use by process " + std::to_string(second.pid()))) << answer;
    }
    const std::string list = second.ask("message.list", R"({"session":")" + id + "\"}");
    const std::string session = second.ask("session.get", "{" + named + "}");
    EXPECT_TRUE(session.contains("KEPT") && !session.contains("GHOST") && !list.contains("GHOST")) << session << list;
  }
}

// An agent that was taken over ends its session when it exits: nothing of that reaches the new owner.
TEST_F(InUse, OwnerThatLostItsSessionCannotEndIt) {
  for (const std::string layout : {"holdfast", "open-agent", "linggen", "maestro"}) {
    SCOPED_TRACE(layout);
    const std::string at = layout + ":" + home + "/" + layout;
    ASSERT_EQ(sh("mkdir $HOME/" + layout + " && $H store create --store " + at), 0) << err;
    RpcProcess first(home, {"--store", at}), second(home, {"--store", at});
    const std::string made = first.ask("session.create", R"({"project":"/p"})");
    const std::string id = JsonView(made).find("result").find("id").as_string().value_or(made);
    const std::string named = R"({"id":")" + id + "\"";
    EXPECT_TRUE(JsonView(second.ask("session.resume", named + R"(,"takeover":true})")).find("result"));
    const std::string before = second.ask("session.get", named + "}");
    const std::string answer = first.ask("session.end", named + R"(,"status":"failed"})");
    EXPECT_TRUE(answer.contains("the session is in use by process " + std::to_string(second.pid()))) << answer;
    const auto status = [](const std::string& got) {
      return std::string(JsonView(got).find("result").find("session").find("status").raw());
    };
    EXPECT_EQ(status(second.ask("session.get", named + "}")), status(before)) << before;
  }
}

// The conversation goes on. Ids of messages that are gone are free again.
TEST_F(InUse, ClearingKeepsTheOwner) {
  for (const std::string layout : {"holdfast", "linggen"}) {
    SCOPED_TRACE(layout);
    const std::string at = layout + ":" + home + "/" + layout;
    RpcProcess door(home, {"--store", at});
    const std::string made = door.ask("session.create", R"({"project":"/p"})");
    const std::string id = JsonView(made).find("result").find("id").as_string().value_or(made);
    const auto append = [&](const std::string& message) {
      const std::string answer = door.ask("message.append", R"({"session":")" + id + "\"," + message + "}");
      EXPECT_TRUE(JsonView(answer).find("result")) << message << answer;
    };
    append(R"("message":{"id":"m1","role":"user","content":"before"})");
    const std::string cleared = door.ask("session.clear", R"({"id":")" + id + "\"}");
    EXPECT_TRUE(JsonView(cleared).find("result")) << cleared;
    EXPECT_EQ(sh("$H message append " + id + " x --store " + at), 6) << out;
    append("\"text\":\"" + std::string(2000, 'a') + "\"");
    append(R"("message":{"id":"m1","role":"user","content":"after"})");
    const std::string list = door.ask("message.list", R"({"session":")" + id + "\"}");
    EXPECT_TRUE(list.contains("after") && !list.contains("before")) << list;
  }
}

}  // namespace
}  // namespace holdfast::inline v1
