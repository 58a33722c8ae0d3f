// Real processes on one native store: ids, appends.
#include <set>

#include "store/processes_testing.h"

namespace holdfast::inline v1 {
namespace {

Message prompt(std::string text) {
  Message message;
  message.blocks.push_back({.text = std::move(text)});
  return message;
}

TEST(Processes, SixteenCreatorsGetSixteenIds) {
  const TemporaryDirectory scratch;
  const std::string path = scratch.path("store");
  ASSERT_TRUE(open_at("holdfast", path));
  std::vector<pid_t> children;
  for (int n = 0; n < 16; ++n) {
    children.push_back(start_process([&] {
      const auto store = open_at("holdfast", path);
      return store && store->create({}, {.project = "/p", .title = std::to_string(n)}, Durability::power);
    }));
  }
  expect_all_well(children);
  std::set<std::string> ids, titles;
  for (const Session& session : must(open_at("holdfast", path)->list({}, {})).sessions) {
    ids.insert(session.id);
    titles.insert(session.title);
  }
  EXPECT_EQ(ids.size(), 16u);
  EXPECT_EQ(titles.size(), 16u);
}

TEST(Processes, EightConcurrentAppendersLoseNothing) {
  const TemporaryDirectory scratch;
  const std::string path = scratch.path("store");
  const std::string id = must(open_at("holdfast", path)->create({}, {.project = "/p"}, Durability::power));
  std::vector<pid_t> children;
  constexpr int kEach = 50;
  for (int n = 0; n < 8; ++n) {
    children.push_back(start_process([&] {
      const auto store = open_at("holdfast", path);
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
  const Transcript all = must(open_at("holdfast", path)->read({}, id, {}));
  std::set<std::string> texts;
  for (const Message& message : all.messages) texts.insert(message.text());
  EXPECT_EQ(texts.size(), 8u * kEach);
  EXPECT_TRUE(all.findings.empty());
  // One chain: each message follows the one before it, whichever process wrote it.
  for (std::size_t n = 1; n < all.messages.size(); ++n) EXPECT_EQ(all.messages[n].parent, all.messages[n - 1].id);
}

}  // namespace
}  // namespace holdfast::inline v1
