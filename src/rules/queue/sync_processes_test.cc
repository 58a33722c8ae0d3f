// Real processes and real files: several that drain one queue, and one that is killed
// during a transfer from store to store.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <functional>
#include <map>
#include <set>

#include "crash/disk/sim_testing.h"
#include "disk/real_testing.h"
#include "rules/queue/directory_transport.h"
#include "rules/queue/drain.h"
#include "rules/queue/queue.h"
#include "rules/queue/receive.h"
#include "store/record_text.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::string_view kShared = R"({"localOnly":false})";

struct SyncProcesses : testing::TestWithParam<const char*> {
  TemporaryDirectory scratch;

  std::shared_ptr<Store> open(const std::string& name) const {
    StoreOptions options;
    options.layout = GetParam();
    options.roots[""] = scratch.path(name);
    options.write = options.create = options.sync = true;
    auto store = Store::open({}, real_file_system(), options);
    return store ? *store : nullptr;
  }

  // Creates a thread or session with messages; returns its id.
  std::string fill(Store& store, int messages, bool share) const {
    return store.layout_name() == "maestro" ? fill_thread(store, messages, share)
                                            : fill_session(store, messages, share);
  }
  static std::string fill_session(Store& store, int messages, bool share) {
    SessionDraft draft{.project = "/srv/p", .title = share ? "shared" : "PRIVATE"};
    if (share) draft.metadata = R"({"privacy":)" + std::string(kShared) + "}";
    const std::string id = must(store.create({}, draft));
    auto writer = must(store.write({}, id));
    for (int i = 0; i < messages; ++i) {
      Message message;
      message.blocks.push_back({.text = (share ? "text " : "PRIVATE ") + std::to_string(i)});
      must(writer->append({}, message, Durability::process));
    }
    return id;
  }
  static std::string fill_thread(Store& store, int messages, bool share) {
    const std::string id = share ? "thr_shared" : "thr_PRIVATE";
    const auto put = [&](RecordKey key, std::string json) {
      must(store.edit_records(
          {}, [&](const Store::Look&) -> Result<Edits> { return Edits{{RecordEdit::Kind::put, key, json}}; }));
    };
    put({"thread", "", id}, R"({"created_at":"2026-01-21T10:00:00Z","updated_at":"2026-01-21T10:00:00Z","privacy":)" +
                                std::string(share ? kShared : "{}") + "}");
    for (int i = 0; i < messages; ++i) {
      put({"message", id, "msg_" + std::to_string(i)},
          R"({"session_id":"s","role":"user","content":"c","created_at":"2026-01-21T10:00:00Z","thread_id":")" + id +
              "\"}");
    }
    return id;
  }
};

pid_t start(const std::function<bool()>& work) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(work() ? 0 : 1);
  return child;
}

// Records when each item comes and goes.
class NotingTransport final : public Transport {
 public:
  explicit NotingTransport(const std::string& path)
      : file_(::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600)) {}
  ~NotingTransport() override { ::close(file_); }
  DeliveryResult send(const Context&, const Parcel& parcel) override {
    note("begin " + parcel.item + "\n");
    ::usleep(1000);
    note("end " + parcel.item + "\n");
    return {};
  }

 private:
  void note(const std::string& line) const {
    if (::write(file_, line.data(), line.size()) != static_cast<ssize_t>(line.size())) ::_exit(3);
  }
  int file_;
};

// Kills itself before or after the parcel that follows `sends` others.
class DyingTransport final : public Transport {
 public:
  DyingTransport(const std::string& share, int sends, bool before)
      : inner_(real_file_system(), share), sends_(sends), before_(before) {
    EXPECT_TRUE(make_sync_directory({}, real_file_system(), share));
  }
  DeliveryResult send(const Context& context, const Parcel& parcel) override {
    const bool last = sends_-- == 0;
    if (last && before_) ::kill(::getpid(), SIGKILL);
    DeliveryResult done = inner_.send(context, parcel);
    if (last) ::kill(::getpid(), SIGKILL);
    return done;
  }

 private:
  DirectoryTransport inner_;
  int sends_;
  bool before_;
};

TEST_P(SyncProcesses, M06_ConcurrentDrainsSendEachItemOnce) {
  const std::string notes = scratch.path("notes");
  std::size_t depth = 0;
  {
    const auto store = open("a");
    fill(*store, 40, true);
    depth = must(queue_state({}, *store)).depth;
    EXPECT_GT(depth, 40u);
  }
  std::vector<pid_t> children;
  for (int n = 0; n < 3; ++n) {
    children.push_back(start([&] {
      const auto store = open("a");
      if (!store) return false;
      NotingTransport transport(notes);
      return drain_queue({}, *store, transport).has_value();
    }));
  }
  for (const pid_t child : children) {
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
  std::map<std::string, int> begun;
  std::ifstream file(notes);
  for (std::string what, item; file >> what >> item;) begun[item] += what == "begin" ? 1 : 0;
  EXPECT_EQ(begun.size(), depth) << "nothing was left out";
  for (const auto& [item, times] : begun) EXPECT_EQ(times, 1) << item;
  EXPECT_EQ(must(queue_state({}, *open("a"))).depth, 0u);
}

TEST_P(SyncProcesses, M06_KilledDrainNeverLosesOrDuplicatesItems) {
  std::string shared;
  {
    const auto store = open("a");
    shared = fill(*store, 30, true);
    fill(*store, 5, false);
  }
  const std::string share = scratch.path("share");
  const auto drain = [&](int sends, bool before) {
    const auto store = open("a");
    if (!store) return false;
    DyingTransport transport(share, sends, before);
    return drain_queue({}, *store, transport, {.origin = "a"}).has_value();
  };
  int kills = 0;
  for (int round = 0; round < 24; ++round) {
    // Half of them die at a parcel, the others at any point.
    const bool at_parcel = round % 2 == 0;
    const pid_t child = start([&] { return drain(at_parcel ? round / 2 % 4 : 1000, round % 4 == 0); });
    if (!at_parcel) {
      ::usleep(static_cast<useconds_t>(500 * round * round));
      ::kill(child, SIGKILL);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    kills += WIFSIGNALED(status) ? 1 : 0;
    if (round % 5 == 1) (void)receive_directory({}, real_file_system(), share, *open("b"));
  }
  ASSERT_TRUE(drain(1000, false));
  EXPECT_GT(kills, 0);
  const auto a = open("a"), b = open("b");
  EXPECT_EQ(must(queue_state({}, *a)).depth, 0u);
  EXPECT_TRUE(must(receive_directory({}, real_file_system(), share, *b)).findings.empty());
  if (a->layout_name() == "maestro") {
    EXPECT_EQ(must(b->list_records({}, {"message", shared, ""})).records,
              must(a->list_records({}, {"message", shared, ""})).records);
    EXPECT_EQ(must(b->list_records({}, {"thread", "", ""})).records.size(), 1u);
  } else {
    const auto texts = [&](Store& store) {
      std::vector<std::string> all;
      for (const Message& message : must(store.read({}, shared, {.raw = true})).messages) all.push_back(message.raw);
      return all;
    };
    EXPECT_EQ(texts(*b), texts(*a));
    EXPECT_EQ(must(b->list({}, {})).total, 1u);
  }
  EXPECT_NE(std::system(("grep -rq PRIVATE " + share).c_str()), 0) << "what is local never leaves";
}

INSTANTIATE_TEST_SUITE_P(Layouts, SyncProcesses, testing::Values("holdfast", "maestro"),
                         [](const auto& test) { return std::string(test.param); });

}  // namespace
}  // namespace holdfast::inline v1
