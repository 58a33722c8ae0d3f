#include "model/task_tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>

#include "model/task_tree_testing.h"
#include "text/json_scan.h"

namespace holdfast::inline v1 {
namespace {

std::string state_of(const TaskTree& tree, std::string_view path) {
  for (const TaskNode& node : tree.nodes()) {
    std::string ids;
    for (const std::string& id : node.ids) ids += (ids.empty() ? "" : "/") + id;
    if (ids == path) return node.state.text();
  }
  return "none";
}

TEST(TaskTree, L02_AllowsExactlyFourStateTransitions) {
  using enum TaskState;
  int possible = 0;
  for (const TaskState from : {pending, in_progress, complete, failed}) {
    for (const TaskState to : {pending, in_progress, complete, failed}) {
      TaskTree tree(R"([{"id":"a","name":"A","state":")" + Word(from).text() +
                    R"(","node_type":"task","children":[]}])");
      const auto changed = tree.set_state("a", Word(to).text());
      EXPECT_EQ(changed.has_value(), is_valid_transition(from, to)) << Word(from).text() << " > " << Word(to).text();
      possible += changed ? 1 : 0;
      if (!changed) {
        EXPECT_EQ(changed.error().code, Code::invalid_argument);
      }
    }
  }
  EXPECT_EQ(possible, 4);
  EXPECT_TRUE(is_valid_transition(pending, in_progress) && is_valid_transition(in_progress, complete) &&
              is_valid_transition(in_progress, failed) && is_valid_transition(failed, in_progress));
}

TEST(TaskTree, L02_ParentStateFollowsFromChildren) {
  using enum TaskState;
  EXPECT_EQ(aggregate_state({complete, complete}), complete);
  EXPECT_EQ(aggregate_state({complete, failed, in_progress}), failed);
  EXPECT_EQ(aggregate_state({complete, pending}), in_progress);
  EXPECT_EQ(aggregate_state({in_progress, pending}), in_progress);
  EXPECT_EQ(aggregate_state({pending, pending}), pending);
  EXPECT_EQ(aggregate_state({complete, Word<TaskState>("Dreaming")}), in_progress);
  EXPECT_EQ(aggregate_state({}), pending);
  TaskTree tree(kTree);
  EXPECT_TRUE(tree.set_state("sign", "in_progress"));
  EXPECT_EQ(tree.changed().size(), 4u);  // and the three above it
  EXPECT_TRUE(tree.set_state("sign", "complete"));
  EXPECT_EQ(state_of(tree, "auth/api/jwt"), "Complete");
  EXPECT_EQ(state_of(tree, "auth/api"), "InProgress");
  EXPECT_EQ(state_of(tree, "auth"), "InProgress");
  EXPECT_EQ(state_of(tree, "auth/db/test"), "Pending");
  EXPECT_NE(tree.text().find(R"("note":"kept")"), std::string::npos);
}

TEST(TaskTree, L02_AmbiguousIdNeedsPath) {
  TaskTree tree(kTree);
  const auto twice = tree.set_state("test", "InProgress");
  ASSERT_FALSE(twice);
  EXPECT_NE(twice.error().message.find("auth/api/test"), std::string::npos) << twice.error().message;
  EXPECT_EQ(tree.set_state("nobody", "InProgress").error().code, Code::not_found);
  EXPECT_FALSE(tree.set_state("api", "InProgress"));  // its state follows from its children
  EXPECT_EQ(tree.text(), kTree);
  EXPECT_TRUE(tree.set_state("auth/db/test", "InProgress"));
  EXPECT_EQ(state_of(tree, "auth/db/test"), "InProgress");
  EXPECT_EQ(state_of(tree, "auth/api/test"), "Pending");
}

TEST(TaskTree, L02_TasksAreAddedLevelByLevel) {
  TaskTree tree("");
  EXPECT_TRUE(tree.add({.id = "auth", .name = "Auth"}));
  EXPECT_TRUE(tree.add({.parent = "auth", .id = "api", .name = "Api"}));
  EXPECT_TRUE(tree.add({.parent = "api", .id = "t", .name = "T"}));
  EXPECT_TRUE(tree.add({.parent = "t", .id = "s", .name = "S"}));
  EXPECT_EQ(tree.text(), R"([{"id":"auth","name":"Auth","state":"Pending","node_type":"module","children":[)"
                         R"({"id":"api","name":"Api","state":"Pending","node_type":"component","children":[)"
                         R"({"id":"t","name":"T","state":"Pending","node_type":"task","children":[)"
                         R"({"id":"s","name":"S","state":"Pending","node_type":"subtask","children":[]}]}]}]}])");
  EXPECT_FALSE(tree.add({.parent = "s", .id = "x", .name = "X"}));
  EXPECT_FALSE(tree.add({.parent = "api", .id = "x", .name = "X", .type = "subtask"}));
  EXPECT_EQ(tree.add({.parent = "api", .id = "t", .name = "X"}).error().code, Code::already_exists);
}

// Nodes with unknown members, odd orders and unknown states.
std::string random_nodes(std::mt19937& random, std::size_t depth, std::size_t& ids) {
  const auto below = [&](std::size_t count) { return random() % count; };
  std::string text = "[";
  for (std::size_t count = depth == 0 ? 2 : below(3), i = 0; i < count; ++i) {
    std::vector<std::string> members = {R"("id" : "n)" + std::to_string(ids++) + "\"",
                                        R"("x":[1, {"state":"Pending"}])"};
    constexpr std::array<std::string_view, 6> kSome = {"Pending", "InProgress", "Complete",
                                                       "Failed",  "Dreaming",   "\\u00e9"};
    if (below(6) != 0) members.push_back(R"("state":")" + std::string(kSome[below(kSome.size())]) + "\"");
    if (depth < 3 && below(5) != 0) members.push_back("\"children\" :" + random_nodes(random, depth + 1, ids));
    std::ranges::shuffle(members, random);
    text += i == 0 ? "\n{" : " , {";
    for (std::size_t m = 0; m < members.size(); ++m) text += (m == 0 ? " " : ",\t") + members[m];
    text += "}";
  }
  return text + "]";
}

TEST(TaskTree, StateChangeTouchesOnlyTaskAndAncestors) {
  std::mt19937 random(1);
  int changed = 0;
  for (int round = 0; round < 2000; ++round) {
    std::size_t ids = 0;
    const std::string text = random_nodes(random, 0, ids);
    ASSERT_TRUE(check_json(text).ok()) << text;
    TaskTree tree(text);
    EXPECT_EQ(tree.text(), text);
    const std::vector<TaskNode> before = tree.nodes();
    EXPECT_EQ(before.size(), ids);
    const TaskNode& node = before[random() % before.size()];
    const auto to = static_cast<TaskState>(random() % 4);
    const bool leaf = node.children == 0;
    if (!tree.set_state(node.id, Word(to).text())) {
      EXPECT_TRUE(!leaf || !is_valid_transition(node.state, to));
      EXPECT_EQ(tree.text(), text);
      continue;
    }
    ++changed;
    const std::vector<TaskNode> after = tree.nodes();
    ASSERT_EQ(after.size(), before.size());
    for (std::size_t i = 0; i < before.size(); ++i) {
      const bool above = std::ranges::find(node.ids, before[i].id) != node.ids.end();
      EXPECT_EQ(after[i].ids, before[i].ids);
      EXPECT_TRUE(above || after[i].state == before[i].state) << text;
    }
    for (const TaskChange& each : tree.changed())
      EXPECT_TRUE(std::ranges::find(node.ids, each.node.id) != node.ids.end());
    // Without any states, both texts are the same, except for nodes that had none.
    const auto without_states = [](std::string all) {
      for (std::size_t at = 0; (at = all.find("\"state\":\"", at)) != std::string::npos;)
        all.erase(at, all.find('"', at + 9) + 1 - at);
      return all;
    };
    const bool all_had_one =
        std::ranges::none_of(tree.changed(), [](const TaskChange& each) { return each.before.text().empty(); });
    EXPECT_TRUE(!all_had_one || without_states(tree.text()) == without_states(text)) << text << tree.text();
  }
  EXPECT_GT(changed, 100);
}

}  // namespace
}  // namespace holdfast::inline v1
