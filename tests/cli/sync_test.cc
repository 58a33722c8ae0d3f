// The queue, enabled by its settings file, through a real `holdfast rpc`, with the events that a subscriber gets.
#include <algorithm>
#include <filesystem>
#include <fstream>

#include "disk/real_testing.h"
#include "tests/cli/rpc_process_testing.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;

struct SyncDoor : testing::Test {
  TemporaryDirectory scratch;

  void configure(const std::string& toml) const {
    fs::create_directories(scratch.path(".config/holdfast"));
    std::ofstream(scratch.path(".config/holdfast/config.toml")) << toml;
  }
  std::vector<std::string> arguments(const std::string& layout) const {
    return {"--store", layout + ":" + scratch.path("store")};
  }
  static std::string result(const std::string& answer, std::string_view key) {
    const JsonView value = JsonView(answer).find("result").find(key);
    return value ? value.as_string().value_or(std::string(value.raw())) : answer;
  }
  // "sync:enqueued {...}" for each event since the last call.
  static std::vector<std::string> told(RpcProcess& door) {
    std::vector<std::string> all;
    for (const std::string& event : door.events) {
      const JsonView json(event);
      const std::string name = json.find("name").as_string().value_or("");
      if (name.starts_with("sync:")) all.push_back(name + " " + std::string(json.find("data").raw()));
    }
    door.events.clear();
    return all;
  }
  std::size_t parcels() const {
    std::size_t count = 0;
    if (!fs::exists(scratch.path("share"))) return 0;
    for (const auto& entry : fs::recursive_directory_iterator(scratch.path("share")))
      count += entry.path().filename().string().starts_with("0") ? 1 : 0;
    return count;
  }
  // Returns whether a file between the machines contains the text.
  bool share_contains(const std::string& text) const {
    for (const auto& entry : fs::recursive_directory_iterator(scratch.path("share"))) {
      if (!entry.is_regular_file()) continue;
      std::ifstream file(entry.path());
      const std::string bytes{std::istreambuf_iterator<char>(file), {}};
      if (bytes.find(text) != std::string::npos) return true;
    }
    return false;
  }
};

constexpr const char* kShared = R"({"thread":{"id":"thr_1","title":"t","privacy":{"localOnly":false}}})";
constexpr const char* kSecret = "ghp_0123456789abcdefghijABCDEFGHIJ012345";

TEST_F(SyncDoor, M12_SubscriberReceivesQueuedAndFailedEvents) {
  configure("sync_enabled = true\nsync_directory = \"" + scratch.path("share") + "\"\n");
  RpcProcess door(scratch.path(), arguments("maestro"));
  ASSERT_TRUE(JsonView(door.ask("store.create")).find("result"));
  ASSERT_TRUE(JsonView(door.ask("events.subscribe")).find("result"));
  const std::string saved = door.ask("thread.save", kShared);
  ASSERT_TRUE(JsonView(saved).find("result")) << saved;
  EXPECT_EQ(told(door),
            std::vector<std::string>{R"(sync:enqueued {"entity":"thread","entityId":"thr_1","op":"upsert"})"});
  const std::string session = result(door.ask("session.create", R"({"thread":"thr_1"})"), "id");
  const auto of_session = told(door);
  EXPECT_NE(std::ranges::find(of_session,
                              R"(sync:enqueued {"entity":"session","entityId":")" + session + R"(","op":"upsert"})"),
            of_session.end());
  const std::string message =
      result(door.ask("message.append", R"({"session":")" + session + R"(","text":"hello"})"), "id");
  const auto of_message = told(door);
  EXPECT_NE(std::ranges::find(of_message,
                              R"(sync:enqueued {"entity":"message","entityId":")" + message + R"(","op":"upsert"})"),
            of_message.end());

  std::ofstream(scratch.path("share")) << "a file where the directory should be";
  EXPECT_EQ(result(door.ask("queue.run"), "sent"), "0");
  const auto failures = told(door);
  ASSERT_EQ(failures.size(), 3u);
  for (const std::string& failure : failures) {
    EXPECT_TRUE(failure.starts_with(R"(sync:failed {"itemId":"sq_)")) << failure;
    EXPECT_TRUE(failure.ends_with(R"(","code":"sync_transport_failed","attempts":1})")) << failure;
  }
  fs::remove(scratch.path("share"));
  EXPECT_EQ(result(door.ask("queue.init"), "created"), "true");
  EXPECT_EQ(result(door.ask("queue.run"), "sent"), "0") << "not due yet";
  for (const std::string& failure : failures) {
    const std::string id =
        failure.substr(failure.find("sq_"), failure.find("\",", failure.find("sq_")) - failure.find("sq_"));
    EXPECT_EQ(result(door.ask("queue.retry", R"({"id":")" + id + R"("})"), "retried"), "1");
  }
  EXPECT_EQ(result(door.ask("queue.run"), "sent"), "3");
  EXPECT_EQ(parcels(), 3u);
  EXPECT_EQ(result(door.ask("queue.status"), "depth"), "0");
}

TEST_F(SyncDoor, M07_LocalThreadsAndDisabledQueueSendNothing) {
  configure("sync_enabled = true\nsync_directory = \"" + scratch.path("share") + "\"\n");
  {
    RpcProcess door(scratch.path(), arguments("maestro"));
    door.ask("store.create");
    door.ask("events.subscribe");
    ASSERT_TRUE(JsonView(door.ask("thread.save", R"({"thread":{"id":"thr_2","title":"t"}})")).find("result"));
    ASSERT_TRUE(JsonView(door.ask("session.create", R"({"thread":"thr_2"})")).find("result"));
    EXPECT_EQ(told(door), std::vector<std::string>{});
    EXPECT_EQ(result(door.ask("queue.run"), "sent"), "0");
  }
  configure("sync_directory = \"" + scratch.path("share") + "\"\n");
  RpcProcess door(scratch.path(), arguments("maestro"));
  door.ask("events.subscribe");
  ASSERT_TRUE(JsonView(door.ask("thread.save", kShared)).find("result"));
  EXPECT_EQ(told(door), std::vector<std::string>{});
  EXPECT_NE(door.ask("queue.run").find("sync_enabled"), std::string::npos);
  EXPECT_EQ(parcels(), 0u);
}

TEST_F(SyncDoor, M06_RedactSettingMasksOnlyWhatIsSent) {
  for (const bool redact : {false, true}) {
    fs::remove_all(scratch.path("share"));
    fs::remove_all(scratch.path("store"));
    configure("sync_enabled = true\nsync_redact = " + std::string(redact ? "true" : "false") + "\nsync_directory = \"" +
              scratch.path("share") + "\"\n");
    RpcProcess door(scratch.path(), arguments("holdfast"));
    const std::string id = result(door.ask("session.create", R"({"metadata":{"privacy":{"localOnly":false}}})"), "id");
    const std::string mine = R"({"session":")" + id + R"(","text":"token )" + kSecret + R"("})";
    ASSERT_TRUE(JsonView(door.ask("message.append", mine)).find("result"));
    EXPECT_EQ(result(door.ask("queue.init"), "created"), "true");
    EXPECT_EQ(result(door.ask("queue.run"), "sent"), "3");
    EXPECT_EQ(share_contains(kSecret), !redact);
    EXPECT_NE(door.ask("message.list", R"({"session":")" + id + R"("})").find(kSecret), std::string::npos);
  }
}

}  // namespace
}  // namespace holdfast::inline v1
