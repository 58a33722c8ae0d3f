// What holdfast.h refuses, in words, and its tags.
#include <gtest/gtest.h>
#include <holdfast.h>
#include <holdfast/client.h>

#include <string>
#include <utility>

#include "disk/real_testing.h"

namespace holdfast::inline v1 {
namespace {

struct CApi : testing::Test {
  TemporaryDirectory scratch;
  hf_client* client = nullptr;

  void SetUp() override {
    ASSERT_EQ(hf_open((R"({"home":"holdfast:)" + scratch.path() + "/store\"}").c_str(), &client, nullptr), 0);
    ASSERT_EQ(hf_call(client, 0, "session.create", R"({"id":"one"})", nullptr), 0);
    ASSERT_EQ(hf_call(client, 0, "message.append", R"({"session":"one","text":"hello"})", nullptr), 0);
  }
  void TearDown() override { hf_free(client); }

  // Returns the answer or the error.
  std::string stream(std::uint64_t tag, const char* method, const char* params, hf_item take, void* data) {
    char* answer = nullptr;
    (void)hf_stream(client, tag, method, params, take, data, &answer);
    return taken(answer);
  }
  static std::string taken(char* answer) {
    std::string text = answer == nullptr ? "" : answer;
    hf_free(answer);
    return text;
  }
};

TEST_F(CApi, NamesTheOptionThatIsWrong) {
  const std::pair<const char*, const char*> all[] = {
      {R"({"home":null})", "home must be a string"},
      {R"({"home":5})", "home must be a string"},
      {R"({"home":"holdfast:/x","cache":[]})", "cache must be a string"},
      {R"({"stores":"holdfast:/x"})", "stores must be an array"},
      {R"({"stores":[5]})", "a store must be a string"},
      {R"({"home":"holdfast:/\ud800"})", "home holds half of a surrogate pair"},
      {R"({"hom":"holdfast:/x"})", "there is no option hom; the options are home, stores and cache"}};
  for (const auto& [options, words] : all) {
    hf_client* other = nullptr;
    char* error = nullptr;
    EXPECT_NE(hf_open(options, &other, &error), 0) << options;
    const std::string said = taken(error);
    EXPECT_NE(said.find(words), std::string::npos) << said;
  }
}

TEST_F(CApi, RefusesToStreamACall) {
  const hf_item take = [](void*, const char*) { return 1; };
  for (const char* const method : {"session.list", "message.append"}) {
    const std::string said = stream(1, method, R"({"session":"one","text":"again"})", take, nullptr);
    EXPECT_NE(said.find(std::string(method) + " is not a stream"), std::string::npos) << said;
  }
  EXPECT_NE(stream(1, "session.list", nullptr, take, nullptr).find("is not a stream"), std::string::npos);
  EXPECT_NE(stream(1, "no.such", "{}", take, nullptr).find("no.such"), std::string::npos);
  EXPECT_NE(stream(1, "session.follow", "{", take, nullptr).find("not JSON"), std::string::npos);
  char* answer = nullptr;
  ASSERT_EQ(hf_call(client, 0, "message.list", R"({"session":"one"})", &answer), 0);
  EXPECT_NE(taken(answer).find(R"("total":1)"), std::string::npos);
}

TEST_F(CApi, TagZeroNamesNoCall) {
  struct Reader {
    hf_client* client;
    int items = 0;
  };
  Reader reader{client};
  const hf_item cancel_own = [](void* data, const char*) {
    hf_cancel(static_cast<Reader*>(data)->client, 7);
    return 1;
  };
  EXPECT_NE(stream(7, "session.follow", R"({"id":"one"})", cancel_own, &reader).find("\"cancelled\""),
            std::string::npos);
  const hf_item take_two = [](void* data, const char*) {
    Reader& self = *static_cast<Reader*>(data);
    hf_cancel(self.client, 0);
    if (++self.items == 1)
      (void)hf_call(self.client, 0, "message.append", R"({"session":"one","text":"again"})", nullptr);
    return self.items == 2 ? 0 : 1;
  };
  const std::string whole = stream(0, "session.follow", R"({"id":"one"})", take_two, &reader);
  EXPECT_EQ(whole.find("\"error\""), std::string::npos) << whole;
  EXPECT_EQ(reader.items, 2);
}

}  // namespace
}  // namespace holdfast::inline v1
