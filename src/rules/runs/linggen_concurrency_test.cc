// Real processes, threads and a foreign writer on one session (G13).
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <map>
#include <thread>

#include "disk/real_testing.h"
#include "disk/resolve.h"
#include "rules/rules_testing.h"
#include "rules/runs/missions.h"
#include "store/projects.h"

namespace holdfast::inline v1 {
namespace {

struct RealStore : testing::TestWithParam<const char*> {
  TemporaryDirectory directory;
  Context context;

  std::shared_ptr<Store> open() {
    StoreOptions options;
    options.layout = GetParam();
    options.roots = {{"", directory.path("store")}};
    options.write = true;
    options.create = true;
    return must(Store::open(context, real_file_system(), options));
  }
};

void append_all(Store& store, const std::string& id, const std::string& who, int count) {
  auto writer = must(store.write({}, id));
  for (int i = 0; i < count; ++i) {
    Message message;
    message.blocks.push_back({.kind = BlockKind::text, .text = who + "-" + std::to_string(i)});
    must(writer->append({}, message, Durability::process));
  }
}

// Like Linggen at the seed's commit: the line, then its newline, in two writes.
void append_in_two_writes(const std::string& path, int count) {
  const int file = ::open(path.c_str(), O_WRONLY | O_APPEND);
  for (int i = 0; i < count; ++i) {
    const std::string line = R"({"agent_id":"ling","from_id":"user","to_id":"ling","content":"foreign-)" +
                             std::to_string(i) + R"(","timestamp":1,"is_observation":false})";
    if (::write(file, line.data(), line.size()) != static_cast<ssize_t>(line.size()) || ::write(file, "\n", 1) != 1)
      ::_exit(2);
  }
  ::close(file);
}

template <typename Work>
pid_t in_process(Work work) {
  const pid_t child = ::fork();
  if (child == 0) {
    work();
    ::_exit(testing::Test::HasFailure() ? 1 : 0);
  }
  return child;
}

TEST_P(RealStore, G13_NoLineIsMergedTornOrLost) {
  constexpr int kEach = 150, kProcesses = 3, kThreads = 3;
  const bool foreign = std::string_view(GetParam()) == "linggen";
  std::string id, path;
  {
    auto store = open();
    id = must(store->create(context, {.project = "/srv/p", .title = "t"}));
    append_all(*store, id, "first", 1);
    path = directory.path("store") + "/" + must(store->get(context, id)).path;
  }
  std::vector<pid_t> children;
  for (int p = 0; p < kProcesses; ++p) {
    children.push_back(in_process([&] { append_all(*open(), id, "process" + std::to_string(p), kEach); }));
  }
  if (foreign) children.push_back(in_process([&] { append_in_two_writes(path, kEach); }));
  auto store = open();
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] { append_all(*store, id, "thread" + std::to_string(t), kEach); });
  }
  for (std::thread& thread : threads) thread.join();
  for (const pid_t child : children) {
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
  const Transcript transcript = must(store->read(context, id, {.branch = "all"}));
  std::map<std::string, std::vector<std::string>> by_writer;
  for (const Message& message : transcript.messages) {
    const std::string text = message.text();
    by_writer[text.substr(0, text.rfind('-'))].push_back(text);
  }
  EXPECT_EQ(by_writer.size(), 1u + kProcesses + kThreads + (foreign ? 1 : 0));
  for (const auto& [who, texts] : by_writer) {
    if (who == "first") continue;
    ASSERT_EQ(texts.size(), static_cast<std::size_t>(kEach)) << who;
    for (std::size_t i = 0; i < texts.size(); ++i) EXPECT_EQ(texts[i], who + "-" + std::to_string(i));
  }
}

TEST_P(RealStore, G05_ConcurrentProcessesLeaveOneActiveMission) {
  {
    auto store = open();
  }
  std::vector<pid_t> children;
  for (int p = 0; p < 8; ++p) {
    children.push_back(
        in_process([&] { must(set_mission(context, *open(), {"/srv/p", "m" + std::to_string(p), ""})); }));
  }
  for (const pid_t child : children) {
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
  const Listed<Mission> all = must(list_missions(context, *open(), "/srv/p"));
  EXPECT_EQ(all.records.size(), 8u);
  int active = 0;
  for (const Mission& mission : all.records) active += mission.active;
  EXPECT_EQ(active, 1);
}

TEST_P(RealStore, G02_LinkedDirectoryIsSameProject) {
  const std::string real = directory.path("real"), link = directory.path("link");
  must(real_file_system().open_directory(real + "/p", true));
  ASSERT_EQ(::symlink(real.c_str(), link.c_str()), 0);
  auto store = open();
  must(add_project(context, *store, link + "/p", {}, resolve_path));
  must(add_project(context, *store, real + "/p/", {}, resolve_path));
  const RecordList all = must(list_projects(context, *store));
  ASSERT_EQ(all.records.size(), 1u);
  EXPECT_EQ(text_in(all.records[0], "path"), resolve_path(real + "/p"));
  EXPECT_EQ(resolve_path(link + "/gone/deeper"), resolve_path(real) + "/gone/deeper");
  EXPECT_EQ(resolve_path("relative"), "relative");
}

INSTANTIATE_TEST_SUITE_P(Linggen, RealStore, testing::Values("linggen"));
INSTANTIATE_TEST_SUITE_P(Native, RealStore, testing::Values("holdfast"));

}  // namespace
}  // namespace holdfast::inline v1
