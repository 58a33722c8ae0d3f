// Clients and fork, on real files.
#include "api/own_process.h"

#include <gtest/gtest.h>
#include <holdfast.h>
#include <holdfast/client.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>

#include "disk/real_testing.h"

namespace holdfast::inline v1 {
namespace {

constexpr const char* kAppend = R"({"session":"one","text":"hello"})";

struct ForkedProcess : testing::Test {
  TemporaryDirectory scratch;
  std::string store = "holdfast:" + scratch.path() + "/store";

  hf_client* open() const {
    hf_client* client = nullptr;
    EXPECT_EQ(hf_open((R"({"home":")" + store + "\"}").c_str(), &client, nullptr), 0);
    return client;
  }
  // Returns the answer or the error.
  static std::string call(hf_client* client, const char* method, const char* params) {
    char* answer = nullptr;
    (void)hf_call(client, 1, method, params, &answer);
    std::string text = answer == nullptr ? "" : answer;
    hf_free(answer);
    return text;
  }
  static bool works_in_child(const std::function<bool()>& work) {
    const pid_t child = ::fork();
    if (child == 0) ::_exit(work() ? 0 : 1);
    int status = -1;
    return ::waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  }
  // Whether others are still kept from writing to the session.
  bool is_held() const {
    hf_client* const other = open();
    const std::string answer = call(other, "message.append", kAppend);
    hf_free(other);
    return answer.find("\"busy\"") != std::string::npos;
  }
};

TEST_F(ForkedProcess, LeavesAClientOfCToItsParent) {
  hf_client* const client = open();
  EXPECT_EQ(call(client, "session.create", R"({"id":"one"})").find("\"error\""), std::string::npos);
  EXPECT_TRUE(works_in_child([&] {
    const std::string refused = call(client, "message.append", kAppend);
    hf_cancel(client, 1);
    hf_free(client);
    return refused.find("\"invalid_argument\"") != std::string::npos &&
           refused.find("after a fork, open one in the child") != std::string::npos;
  }));
  EXPECT_TRUE(is_held());
  const std::string appended = call(client, "message.append", kAppend);
  EXPECT_EQ(appended.find("\"error\""), std::string::npos) << appended;
  hf_free(client);
  EXPECT_FALSE(is_held());
}

TEST_F(ForkedProcess, LeavesAClientOfCppToItsParent) {
  ClientOptions options;
  options.home = store;
  auto client = Client::open(options);
  ASSERT_TRUE(client);
  EXPECT_TRUE((*client)->call({}, "session.create", R"({"id":"one"})"));
  EXPECT_TRUE(works_in_child([&] {
    const auto called = (*client)->call({}, "message.append", kAppend);
    const auto streamed =
        (*client)->stream({}, "session.follow", R"({"id":"one"})", [](std::string_view) { return true; });
    const auto closed = (*client)->close({});
    client->reset();
    return !called && called.error().code == Code::invalid_argument && !streamed && !closed;
  }));
  EXPECT_TRUE(is_held());
  const auto appended = (*client)->call({}, "message.append", kAppend);
  EXPECT_TRUE(appended) << appended.error().text();
  EXPECT_TRUE((*client)->close({}));
  EXPECT_FALSE(is_held());
}

}  // namespace
}  // namespace holdfast::inline v1
