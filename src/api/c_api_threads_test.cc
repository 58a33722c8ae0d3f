// holdfast.h from sixteen threads on one store: half of them share a client, the others have one each.
#include <gtest/gtest.h>
#include <holdfast.h>

#include <barrier>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "disk/real_testing.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {
namespace {

constexpr int kThreads = 16;
constexpr int kRounds = 6;

struct Answer {
  bool ok = false;
  std::string text;

  JsonView member(const char* name) const { return JsonView(text).find(name); }
  std::string code() const { return member("error").find("code").as_string().value_or(""); }
};

Answer asked(hf_client* client, const std::string& method, const std::string& params) {
  char* text = nullptr;
  Answer answer;
  answer.ok = hf_call(client, 0, method.c_str(), params.c_str(), &text) == 0;
  answer.text = text == nullptr ? "" : text;
  hf_free(text);
  return answer;
}

std::string message(const std::string& session, const std::string& text) {
  return R"({"session":")" + session + R"(","text":")" + text + "\"}";
}
std::string entries(const std::string& list) { return R"({"project":"p","session":"s","entries":)" + list + "}"; }
std::string own_session(int number) { return "own-" + std::to_string(number); }
std::string label(int number, int round) { return std::to_string(number) + "." + std::to_string(round); }

std::vector<std::string> texts_of(const Answer& list) {
  std::vector<std::string> texts;
  for (const auto& one : list.member("messages").elements())
    for (const auto& block : one.value.find("blocks").elements())
      texts.push_back(block.value.find("text").as_string().value_or("?"));
  return texts;
}

struct CApiThreads : testing::Test {
  TemporaryDirectory scratch;
  hf_client* shared = open();
  std::barrier<> everybody{kThreads};

  hf_client* open() {
    hf_client* client = nullptr;
    EXPECT_EQ(hf_open((R"({"home":"holdfast:)" + scratch.path() + "/store\"}").c_str(), &client, nullptr), 0);
    return client;
  }

  // What one thread does. Sessions are leased, so only those who share the client may append to `all`.
  void work(int number) {
    const bool shares = number % 2 == 0;
    hf_client* const client = shares ? shared : open();
    const Answer created = asked(client, "session.create", R"({"id":")" + own_session(number) + "\"}");
    EXPECT_TRUE(created.ok) << created.text;
    everybody.arrive_and_wait();
    for (int round = 0; round < kRounds; ++round) {
      const std::string mine = label(number, round);
      const Answer own = asked(client, "message.append", message(own_session(number), mine));
      EXPECT_EQ(own.member("durability").as_string(), "power") << own.text;
      const Answer common = asked(client, "message.append", message("all", mine));
      EXPECT_EQ(common.ok ? "" : common.code(), shares ? "" : "busy") << common.text;
      // Everybody sends the second object of a round: one of them stores it.
      const Answer added =
          asked(client, "entry.append",
                entries(R"([{"uuid":")" + mine + R"("},{"uuid":"round )" + std::to_string(round) + "\"}]"));
      EXPECT_TRUE(added.ok) << added.text;
      const Answer loaded = asked(client, "entry.load", R"({"project":"p","session":"s"})");
      EXPECT_NE(loaded.text.find("\"" + mine + "\""), std::string::npos) << loaded.text;
      EXPECT_TRUE(asked(client, "session.list", "{}").ok);
    }
    follow(client, number);
    if (!shares) hf_free(client);
  }

  // Reads the session of a thread that uses another client, perhaps while it is still written.
  static void follow(hf_client* client, int number) {
    struct Reader {
      hf_client* client;
      std::uint64_t tag;
      int items = 0;
    };
    Reader reader{client, static_cast<std::uint64_t>(number) + 1};
    const hf_item take = [](void* data, const char* item) {
      auto& self = *static_cast<Reader*>(data);
      if (JsonView(item).find("message") && ++self.items == kRounds) hf_cancel(self.client, self.tag);
      return 1;
    };
    char* text = nullptr;
    (void)hf_stream(client, reader.tag, "session.follow", (R"({"id":")" + own_session(number ^ 1) + "\"}").c_str(),
                    take, &reader, &text);
    const Answer answer{false, text == nullptr ? "" : text};
    EXPECT_EQ(answer.code(), "cancelled") << answer.text;
    EXPECT_EQ(reader.items, kRounds);
    hf_free(text);
  }
};

TEST_F(CApiThreads, LoseNothingAndSeeTheSame) {
  ASSERT_TRUE(asked(shared, "session.create", R"({"id":"all"})").ok);
  ASSERT_TRUE(asked(shared, "message.append", message("all", "first")).ok);  // takes the lease
  {
    std::vector<std::jthread> threads;
    for (int number = 0; number < kThreads; ++number) threads.emplace_back([this, number] { work(number); });
  }
  hf_free(shared);

  hf_client* const reader = open();
  std::map<int, int> next;  // by thread: the round that must come next
  const auto comes_next = [&next](const std::string& text) {
    const int number = std::stoi(text);
    EXPECT_EQ(text, label(number, next[number]));
    ++next[number];
  };
  std::vector<std::string> all = texts_of(asked(reader, "message.list", R"({"session":"all","limit":1000})"));
  ASSERT_EQ(all.size(), 1 + kThreads / 2 * kRounds);
  EXPECT_EQ(all.front(), "first");
  all.erase(all.begin());
  for (const auto& text : all) comes_next(text);
  for (int number = 0; number < kThreads; ++number) {
    std::vector<std::string> said;
    for (int round = 0; round < kRounds; ++round) said.push_back(label(number, round));
    EXPECT_EQ(texts_of(asked(reader, "message.list", R"({"session":")" + own_session(number) + "\"}")), said);
  }

  next.clear();
  std::map<std::string, int> common;
  const Answer stored = asked(reader, "entry.load", R"({"project":"p","session":"s"})");
  for (const auto& entry : stored.member("entries").elements()) {
    const std::string uuid = entry.value.find("uuid").as_string().value_or("?");
    if (uuid.starts_with("round "))
      ++common[uuid];
    else
      comes_next(uuid);
  }
  for (int number = 0; number < kThreads; ++number) EXPECT_EQ(next[number], kRounds) << number;
  EXPECT_EQ(common.size(), kRounds);
  for (const auto& [uuid, times] : common) EXPECT_EQ(times, 1) << uuid;
  hf_free(reader);
}

}  // namespace
}  // namespace holdfast::inline v1
