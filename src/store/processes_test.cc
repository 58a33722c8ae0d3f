// Real processes on one native store: ids, appends.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <holdfast/store.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <set>

#include "disk/real_testing.h"
#include "disk/sim_testing.h"

namespace holdfast::inline v1 {
namespace {

std::shared_ptr<Store> open_at(const std::string& path) {
  StoreOptions options;
  options.roots[""] = path;
  options.write = options.create = true;
  auto store = Store::open({}, real_file_system(), options);
  return store ? *store : nullptr;
}

Message prompt(std::string text) {
  Message message;
  message.blocks.push_back({.text = std::move(text)});
  return message;
}

pid_t start(const std::function<bool()>& work) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(work() ? 0 : 1);
  return child;
}

void expect_all_well(const std::vector<pid_t>& children) {
  for (const pid_t child : children) {
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
}

TEST(Processes, SixteenCreatorsGetSixteenIds) {
  const TemporaryDirectory scratch;
  const std::string path = scratch.path("store");
  ASSERT_TRUE(open_at(path));
  std::vector<pid_t> children;
  for (int n = 0; n < 16; ++n) {
    children.push_back(start([&] {
      const auto store = open_at(path);
      return store && store->create({}, {.project = "/p", .title = std::to_string(n)}, Durability::power);
    }));
  }
  expect_all_well(children);
  std::set<std::string> ids, titles;
  for (const Session& session : must(open_at(path)->list({}, {})).sessions) {
    ids.insert(session.id);
    titles.insert(session.title);
  }
  EXPECT_EQ(ids.size(), 16u);
  EXPECT_EQ(titles.size(), 16u);
}

TEST(Processes, EightSubAgentsAppendToOneSessionAndNothingIsLost) {
  const TemporaryDirectory scratch;
  const std::string path = scratch.path("store");
  const std::string id = must(open_at(path)->create({}, {.project = "/p"}, Durability::power));
  std::vector<pid_t> children;
  constexpr int kEach = 50;
  for (int n = 0; n < 8; ++n) {
    children.push_back(start([&] {
      const auto store = open_at(path);
      if (!store) return false;
      auto writer = store->write({}, id, {});
      for (int m = 0; writer && m < kEach; ++m) {
        if (!(*writer)->append({}, prompt(std::to_string(n) + ":" + std::to_string(m)), Durability::process))
          return false;
      }
      return writer.has_value();
    }));
  }
  expect_all_well(children);
  const Transcript all = must(open_at(path)->read({}, id, {}));
  std::set<std::string> texts;
  for (const Message& message : all.messages) texts.insert(message.text());
  EXPECT_EQ(texts.size(), 8u * kEach);
  EXPECT_TRUE(all.findings.empty());
  // One chain: each message follows the one before it, whoever wrote that.
  for (std::size_t n = 1; n < all.messages.size(); ++n) EXPECT_EQ(all.messages[n].parent, all.messages[n - 1].id);
}

}  // namespace
}  // namespace holdfast::inline v1
