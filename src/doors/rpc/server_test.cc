// Runs the real loop over pipes, on files in memory.
#include "doors/rpc/server.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <map>
#include <thread>

#include "api/api_testing.h"
#include "base/lock_rank.h"
#include "doors/rpc/json_rpc.h"
#include "doors/rpc/line_input.h"
#include "doors/rpc/scheduler.h"
#include "text/json_scan.h"

namespace holdfast::inline v1 {
namespace {

struct Rpc : testing::Test {
  void SetUp() override {
    ASSERT_EQ(::pipe(in_), 0);
    ASSERT_EQ(::pipe(out_), 0);
    options_.input = in_[0];
    options_.output = out_[1];
    options_.stop = stop_.get_token();
    options_.settings.files = &files_;
    options_.settings.home.layout = "holdfast";
    options_.settings.home.roots[""] = "/home";
    options_.settings.defaults = {options_.settings.home};
    options_.max_request = 100'000;
    answers_ = std::make_unique<LineInput>(out_[0], std::size_t{1} << 20);
  }
  void TearDown() override {
    if (server_.joinable()) finish();
    for (const int fd : {in_[0], out_[0]}) ::close(fd);
    if (out_[1] >= 0) ::close(out_[1]);
  }

  void start() {
    server_ = std::thread([this] { result_ = serve_rpc(options_); });
  }
  void send(const std::string& line) {
    const std::string text = line + "\n";
    ASSERT_EQ(::write(in_[1], text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }
  std::string receive() {
    auto line = answers_->next();
    return line && *line ? **line : "";
  }
  // Ends the input and returns the server's result.
  Result<void> finish() {
    if (in_[1] >= 0) ::close(in_[1]);
    in_[1] = -1;
    server_.join();
    return result_;
  }
  std::string ask(const std::string& id, const std::string& method, const std::string& params = "{}") {
    send(request(id, method, params));
    return receive();
  }
  static std::string request(const std::string& id, const std::string& method, const std::string& params = "{}") {
    return R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":")" + method + R"(","params":)" + params + "}";
  }
  static int error(const std::string& answer) {
    return static_cast<int>(JsonView(answer).find("error").find("code").as_int64().value_or(0));
  }
  static std::string code(const std::string& answer) {
    return JsonView(answer).find("error").find("data").find("code").as_string().value_or("");
  }
  void greet() {
    start();
    ASSERT_EQ(JsonView(ask("0", "hello")).find("result").find("api_version").as_int64(), 1);
  }

  SimFileSystem files_;
  std::stop_source stop_;
  RpcOptions options_;
  int in_[2] = {-1, -1};
  int out_[2] = {-1, -1};
  std::unique_ptr<LineInput> answers_;
  std::thread server_;
  Result<void> result_;
};

TEST_F(Rpc, RequiresHelloFirst) {
  start();
  EXPECT_EQ(error(ask("1", "session.list")), kHelloRequired);
  EXPECT_EQ(error(ask("2", "hello", R"({"api_version":0})")), kInvalidParams);
  EXPECT_EQ(error(ask("3", "api.version")), kHelloRequired) << "that hello was refused";
  EXPECT_TRUE(JsonView(ask("4", "hello")).find("result"));
  EXPECT_TRUE(JsonView(ask("5", "api.version")).find("result"));
  EXPECT_TRUE(finish());
}

TEST_F(Rpc, InvalidMessagesGetErrorCodes) {
  greet();
  send("garbage");
  EXPECT_EQ(error(receive()), kParseError);
  send("[]");
  EXPECT_EQ(error(receive()), kInvalidRequest);
  send(R"({"id":1,"method":"hello"})");
  EXPECT_EQ(error(receive()), kInvalidRequest);
  send(R"({"jsonrpc":"2.0","id":{},"method":"hello"})");
  EXPECT_EQ(error(receive()), kInvalidRequest);
  const std::string unknown = ask("\"a\"", "session.frob");
  EXPECT_EQ(error(unknown), kMethodNotFound);
  EXPECT_EQ(JsonView(unknown).find("id").as_string(), "a");
  EXPECT_EQ(error(ask("1", "session.get", R"({"idd":1})")), kInvalidParams);
  const std::string missing = ask("2", "message.append", R"({"session":"ses_no","text":"x"})");
  EXPECT_EQ(error(missing), kServerError);
  EXPECT_EQ(code(missing), "not_found");
  send(std::string(200'000, 'x'));
  EXPECT_EQ(code(receive()), "too_large");
  EXPECT_TRUE(JsonView(ask("3", "api.version")).find("result")) << "goes on behind a line that was too long";
  send("");
  send(R"({"jsonrpc":"2.0","method":"nobody.knows"})");
  EXPECT_EQ(JsonView(ask("4", "api.version")).find("id").as_int64(), 4) << "a notification gets no answer";
}

TEST_F(Rpc, BatchGetsOneAnswer) {
  greet();
  send("[" + request("1", "api.version") + "," + request("2", "nope") +
       R"(,7,{"jsonrpc":"2.0","method":"api.version"}])");
  const std::string answer = receive();
  std::map<std::string, bool> good;
  for (const JsonItem& one : JsonView(answer).elements())
    good[std::string(one.value.find("id").raw())] = static_cast<bool>(one.value.find("result"));
  EXPECT_EQ(good, (std::map<std::string, bool>{{"1", true}, {"2", false}, {"null", false}})) << answer;
}

TEST_F(Rpc, RequestsOfOneSessionKeepTheirOrder) {
  greet();
  ask("1", "session.create", R"({"id":"ses_abcd"})");
  for (int i = 0; i < 40; ++i) {
    const std::string id = i % 3 == 0 ? "ses_abcd" : i % 3 == 1 ? "ses_ab" : "@last";
    send(request(std::to_string(100 + i), "message.append",
                 R"({"session":")" + id + R"(","durability":"process","text":"m)" + std::to_string(i) + "\"}"));
  }
  send(request("2", "message.list", R"({"session":"ses_abcd","limit":1000})"));
  std::string last;
  for (int i = 0; i < 41; ++i) last = receive();
  int expected = 0;
  for (const JsonItem& message : JsonView(last).find("result").find("messages").elements()) {
    const JsonView text = message.value.find("blocks").elements().begin()->value.find("text");
    EXPECT_EQ(text.as_string(), "m" + std::to_string(expected++));
  }
  EXPECT_EQ(expected, 40) << last.substr(0, 300);
}

TEST_F(Rpc, EventsAreSentAsNotifications) {
  greet();
  ask("1", "events.subscribe");
  send(request("2", "session.create", R"({"id":"ses_abcd"})"));
  bool told = false;
  bool answered = false;
  while (!told || !answered) {
    const std::string line = receive();
    ASSERT_FALSE(line.empty());
    const JsonView message(line);
    if (message.find("id")) {
      answered = true;
      continue;
    }
    EXPECT_EQ(message.find("method").as_string(), "event");
    told = told || message.find("params").find("name").is_string("session:persisted");
    EXPECT_EQ(message.find("params").find("store").as_string(), "holdfast:/home");
  }
}

TEST_F(Rpc, EndOfInputAnswersEverythingAndReleasesLeases) {
  greet();
  ask("1", "session.create", R"({"id":"ses_abcd"})");
  EXPECT_EQ(JsonView(ask("2", "session.resume", R"({"id":"ses_abcd"})")).find("result").find("owner").as_string(),
            "this");
  for (int i = 0; i < 20; ++i)
    send(request(std::to_string(i), "message.append", R"({"session":"ses_abcd","text":"x"})"));
  EXPECT_TRUE(finish());
  ::close(out_[1]);
  out_[1] = -1;
  int answers = 0;
  while (!receive().empty()) ++answers;
  EXPECT_EQ(answers, 20);
  Stores after(options_.settings);
  auto again = dispatch({}, after, "session.resume", R"({"id":"ses_abcd"})");
  ASSERT_TRUE(again) << again.error().text();
  EXPECT_EQ(JsonView(*again).find("owner").as_string(), "none");
  auto list = dispatch({}, after, "message.list", R"({"session":"ses_abcd"})");
  EXPECT_EQ(JsonView(*list).find("total").as_int64(), 20);
}

// A caller that only appends owns nothing (decision 14): others may append to the same log.
TEST_F(Rpc, AppendTakesNoLease) {
  greet();
  ask("2", "session.create", R"({"id":"ses_abcd","lease":false})");
  const std::string appended = ask("3", "message.append", R"({"session":"ses_abcd","text":"one"})");
  EXPECT_TRUE(JsonView(appended).find("result")) << appended;
  Stores beside(options_.settings);
  const auto second = dispatch({}, beside, "message.append", R"({"session":"ses_abcd","text":"two"})");
  EXPECT_TRUE(second) << second.error().text();
  const std::string shown = ask("4", "session.get", R"({"id":"ses_abcd"})");
  EXPECT_TRUE(JsonView(shown).find("result").find("session").find("status").is_string("active")) << shown;
  EXPECT_TRUE(finish());
}

TEST_F(Rpc, StopRequestEndsTheServer) {
  greet();
  stop_.request_stop();
  server_.join();
  ASSERT_FALSE(result_);
  EXPECT_EQ(result_.error().code, Code::cancelled);
}

TEST_F(Rpc, CancelStopsWaitingRequest) {
  options_.threads = 1;
  greet();
  ask("1", "session.create", R"({"id":"ses_abcd"})");
  constexpr int kMessages = 20;
  for (int i = 0; i < kMessages; ++i)
    ask("2", "message.append", R"({"session":"ses_abcd","text":")" + std::string(50'000, 'x') + "\"}");
  // Nobody reads the answers, and there are more than may wait (LineOutput): the one thread is stuck with
  // them, and 7 waits behind it.
  constexpr int kAnswers = 8;
  for (int i = 0; i < kAnswers; ++i)
    send(request(std::to_string(100 + i), "message.list", R"({"session":"ses_abcd"})"));
  send(request("7", "message.append", R"({"session":"ses_abcd","text":"cancelled"})"));
  send(R"({"jsonrpc":"2.0","method":"$/cancel","params":{"id":7}})");
  // More than a pipe and a reader's buffer hold: once it is accepted, everything sent before has been read and obeyed.
  for (int i = 0; i < 20'000; ++i) send(R"({"jsonrpc":"2.0","method":"$/cancel","params":{"id":"nobody"}})");
  for (int i = 0; i < kAnswers; ++i) EXPECT_TRUE(JsonView(receive()).find("result"));
  const std::string cancelled = receive();
  EXPECT_EQ(JsonView(cancelled).find("id").as_int64(), 7);
  EXPECT_EQ(error(cancelled), kRequestCancelled);
  EXPECT_EQ(code(cancelled), "cancelled");
  const std::string list = ask("8", "message.list", R"({"session":"ses_abcd"})");
  EXPECT_EQ(JsonView(list).find("result").find("total").as_int64(), kMessages);
}

// Ends and resumes a session beside appends that name it as Maestro's records do.
TEST_F(Rpc, EndAndResumeKeepConcurrentAppendsInOrder) {
  greet();
  ask("1", "session.create", R"({"id":"ses_abcd"})");
  constexpr int kRounds = 40;
  int said = 0;
  std::thread sender([&] {
    for (int n = 0; n < kRounds; ++n) {
      for (int i = 0; i < 3; ++i) {
        ++said;
        send(request(std::to_string(1000 + said), "message.append",
                     R"({"durability":"process","message":{"sessionId":"ses_abcd","role":"user","text":"m)" +
                         std::to_string(said) + "\"}}"));
      }
      send(request("2", n % 2 == 0 ? "session.end" : "session.resume", R"({"id":"ses_abcd"})"));
    }
  });
  for (int answers = 0; answers < 4 * kRounds; ++answers) {
    const std::string answer = receive();
    ASSERT_TRUE(JsonView(answer).find("result")) << answer;
  }
  sender.join();
  const std::string list = ask("3", "message.list", R"({"session":"ses_abcd","limit":1000})");
  int seen = 0;
  for (const JsonItem& message : JsonView(list).find("result").find("messages").elements())
    EXPECT_NE(message.value.raw().find("\"m" + std::to_string(++seen) + "\""), std::string::npos) << "in their order";
  EXPECT_EQ(said, seen) << list.substr(0, 600);
}

struct MaestroRpc : Rpc {
  void SetUp() override {
    Rpc::SetUp();
    options_.settings.home.layout = "maestro";
    options_.settings.home.roots[""] = "/m/sessions";
    options_.settings.defaults = {options_.settings.home};
  }
  std::string new_session() {
    const std::string made = ask("1", "session.create", R"({"project":"/p"})");
    return JsonView(made).find("result").find("id").as_string().value_or("");
  }
  static std::string append(int id, const std::string& session, const std::string& text) {
    return request(std::to_string(id), "message.append",
                   R"({"message":{"sessionId":")" + session + R"(","role":"user","content":")" + text + "\"}}");
  }
  // The store as another process sees it.
  std::shared_ptr<Store> elsewhere() {
    StoreOptions options = options_.settings.home;
    options.write = true;
    auto store = Store::open({}, files_, options);
    EXPECT_TRUE(store) << store.error().text();
    return store ? *store : nullptr;
  }
};

// Nothing is read until all is done: the store is free for others, and the work continues.
TEST_F(MaestroRpc, ClientThatDoesNotReadDoesNotBlockTheStore) {
  constexpr int kMessages = 300;  // more than a pipe holds of answers and events
  greet();
  const std::string id = new_session();
  ASSERT_TRUE(JsonView(ask("2", "events.subscribe")).find("result"));
  std::thread sender([&] {
    for (int n = 0; n < kMessages; ++n) send(append(100 + n, id, "m" + std::to_string(n)));
  });
  const auto store = elsewhere();
  const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  std::size_t there = 0;
  while (there < kMessages && std::chrono::steady_clock::now() < patience) {
    const auto made = store->create({}, {.project = "/other"});
    ASSERT_TRUE(made) << made.error().text();
    const auto read = store->read({}, id, {});
    ASSERT_TRUE(read) << read.error().text();
    there = read->messages.size();
  }
  EXPECT_EQ(static_cast<std::size_t>(kMessages), there);
  sender.join();
  int answers = 0, events = 0;
  while (answers < kMessages) {
    const std::string line = receive();
    ASSERT_FALSE(line.empty());
    if (JsonView(line).find("result")) ++answers;
    if (JsonView(line).find("method").is_string("event")) ++events;
  }
  EXPECT_EQ(kMessages, events);
}

// Decision 15: what is kept in memory is not saved, and an end that loses it reports that.
TEST_F(MaestroRpc, EndingWithUnsavedChangesNamesThem) {
  greet();
  const std::string id = new_session();
  ask("2", "message.append", R"({"session":")" + id + R"(","text":"written"})");
  files_.set_capacity(1, 1);
  send(append(3, id, "kept"));
  const std::string kept = receive();
  EXPECT_TRUE(JsonView(kept).find("result").find("durability").is_string("none")) << kept;
  const auto ended = finish();
  ASSERT_FALSE(ended);
  EXPECT_EQ(Code::storage_unavailable, ended.error().code) << "exit 5";
  EXPECT_NE(std::string::npos, ended.error().message.find("not saved, in memory only: ")) << ended.error().text();
  EXPECT_NE(std::string::npos, ended.error().message.find("messages/thr_")) << ended.error().text();
  EXPECT_NE(std::string::npos, ended.error().path.find("/m/sessions")) << ended.error().text();
}

TEST_F(MaestroRpc, EndSavesBufferedChangesWhenThereIsSpace) {
  greet();
  const std::string id = new_session();
  files_.set_capacity(1, 1);
  send(append(3, id, "kept"));
  EXPECT_TRUE(JsonView(receive()).find("result").find("durability").is_string("none"));
  files_.set_capacity(1 << 30, 100'000);
  EXPECT_TRUE(finish());
  const auto read = elsewhere()->read({}, id, {});
  ASSERT_TRUE(read);
  EXPECT_EQ(1U, read->messages.size());
}

TEST(Scheduler, MatchesIdsThatCouldBeTheSame) {
  EXPECT_TRUE(may_be_same("ses_a", "ses_ab"));
  EXPECT_TRUE(may_be_same("ses_ab", "ses_a"));
  EXPECT_TRUE(may_be_same("holdfast/ses_ab", "ses_ab"));
  EXPECT_TRUE(may_be_same("@last", "x"));
  EXPECT_FALSE(may_be_same("ses_a", "ses_b"));
  EXPECT_FALSE(may_be_same("", "ses_b"));
  EXPECT_FALSE(may_be_same("", ""));
}

TEST(Scheduler, RunsIndependentTasksWhileOneWaits) {
  Scheduler scheduler(2, 100);
  std::mutex mutex;
  std::condition_variable changed;
  bool second_ran = false;
  std::vector<int> order;
  scheduler.submit({"a"}, [&] {
    std::unique_lock lock(mutex);
    EXPECT_TRUE(changed.wait_for(lock, std::chrono::seconds(20), [&] { return second_ran; }));
    order.push_back(1);
  });
  scheduler.submit({"x", "a"}, [&] {
    const std::lock_guard lock(mutex);
    order.push_back(2);
  });
  scheduler.submit({"b"}, [&] {
    const std::lock_guard lock(mutex);
    second_ran = true;
    changed.notify_all();
  });
  scheduler.wait_for_all();
  EXPECT_EQ(order, (std::vector<int>{1, 2}));
}

// What a task holds may wait for a pipe when it goes.
TEST(Scheduler, ForgetsTasksWithoutItsLock) {
  struct Waits {
    ~Waits() { check_no_locks_held("a pipe"); }  // ends the test if one is held
  };
  Scheduler scheduler(2, 100);
  for (int i = 0; i < 20; ++i) scheduler.submit({}, [held = std::make_shared<Waits>()] {});
  scheduler.wait_for_all();
}

// A signal ends the door, but everything it was given to save before is saved (L06).
TEST_F(Rpc, L06_StopFinishesAcceptedSaves) {
  greet();
  const std::string started = ask("1", "session.start", R"({"module":"auth"})");
  const std::string id = JsonView(started).find("result").find("id").as_string().value_or("");
  constexpr int kSaves = 60;
  std::string lines;
  for (int n = 0; n < kSaves; ++n)
    lines += request(std::to_string(100 + n), "metrics.record", R"({"session":")" + id + R"(","input_tokens":1})") +
             (n + 1 < kSaves ? "\n" : "");
  send(lines);
  int saved = JsonView(receive()).find("result") ? 1 : 0;
  std::thread reader([&] {
    for (std::string answer = receive(); !answer.empty(); answer = receive()) {
      EXPECT_TRUE(JsonView(answer).find("result")) << answer;
      ++saved;
    }
  });
  stop_.request_stop();  // like SIGTERM
  const auto ended = finish();
  ::close(out_[1]);
  out_[1] = -1;
  reader.join();
  ASSERT_EQ(ended.error().code, Code::cancelled);
  EXPECT_EQ(saved, kSaves);
  Stores stores(options_.settings);
  const auto view = dispatch({}, stores, "metrics.get", R"({"session":")" + id + "\"}");
  ASSERT_TRUE(view) << view.error().text();
  EXPECT_EQ(JsonView(*view).find("metrics").find("iteration_count").as_int64(), kSaves);
}

}  // namespace
}  // namespace holdfast::inline v1
