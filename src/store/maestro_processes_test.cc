// Real processes that save in one Maestro store at the same time.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <functional>
#include <set>
#include <sstream>

#include "disk/real_testing.h"
#include "store/maestro_testing.h"

namespace holdfast::inline v1 {
namespace {

std::shared_ptr<Store> open_at(const std::string& path) {
  StoreOptions options;
  options.layout = "maestro";
  options.roots[""] = path;
  options.write = options.create = true;
  auto store = Store::open({}, real_file_system(), options);
  return store ? *store : nullptr;
}

void in_processes(int count, const std::function<bool(int)>& work) {
  std::vector<pid_t> children;
  for (int n = 0; n < count; ++n) {
    const pid_t child = ::fork();
    if (child == 0) ::_exit(work(n) ? 0 : 1);
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
}

std::set<std::string> indexed(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path + "/index.json").rdbuf();
  std::set<std::string> ids;
  const std::string index = text.str();
  for (const JsonItem& item : JsonView(index).find("threads").elements()) ids.insert(text_in(item.value.raw(), "id"));
  return ids;
}

TEST(MaestroProcesses, M04_TwentySaversLeaveAllThreadsInTheIndex) {
  const TemporaryDirectory scratch;
  const std::string path = scratch.path("sessions");
  ASSERT_TRUE(open_at(path));
  in_processes(20, [&](int n) {
    const auto store = open_at(path);
    if (!store) return false;
    const std::string wish = R"({"id":"thr_)" + std::to_string(n) + R"(","title":"x"})";
    return save_thread({}, *store, JsonView(wish)).has_value();
  });
  std::set<std::string> want;
  for (int n = 0; n < 20; ++n) want.insert("thr_" + std::to_string(n));
  EXPECT_EQ(indexed(path), want);
}

TEST(MaestroProcesses, M01_TenCreatorsOfOneProjectGetOneThread) {
  const TemporaryDirectory scratch;
  const std::string path = scratch.path("sessions");
  ASSERT_TRUE(open_at(path));
  in_processes(10, [&](int) {
    const auto store = open_at(path);
    return store && create_thread({}, *store, {.project = "/p"});
  });
  EXPECT_EQ(must(list_threads({}, *open_at(path))).records.size(), 1u);
}

TEST(MaestroProcesses, M05_FourWritersOfOneSessionLoseNothing) {
  const TemporaryDirectory scratch;
  const std::string path = scratch.path("sessions");
  const std::string session = must(open_at(path)->create({}, {.project = "/p"}));
  in_processes(4, [&](int n) {
    const auto store = open_at(path);
    auto writer = store->write({}, session);
    for (int i = 0; i < 5; ++i) {
      if (!(*writer)->append({}, said(Role::user, std::to_string(n) + "." + std::to_string(i)))) return false;
    }
    return true;
  });
  const auto messages = must(open_at(path)->read({}, session, {})).messages;
  EXPECT_EQ(messages.size(), 20u);
  std::set<std::string> texts;
  for (const Message& message : messages) texts.insert(message.text());
  EXPECT_EQ(texts.size(), 20u);
}

}  // namespace
}  // namespace holdfast::inline v1
