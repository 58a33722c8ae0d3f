#include "api/session_branches.h"

#include <gtest/gtest.h>

#include <deque>

namespace holdfast::inline v1 {
namespace {

struct SessionBranches : testing::Test {
  // Adds a store with rows in the order of the list.
  SessionRows& store(const std::vector<std::pair<std::string, std::string>>& sessions) {
    SessionRows& rows = all.emplace_back();
    for (const auto& [id, updated_at] : sessions) {
      SessionRow row;
      row.head.row.id = texts.emplace_back(id);
      row.head.row.updated_at = texts.emplace_back(updated_at);
      rows.order.push_back(rows.all.size());
      rows.all.push_back(row);
    }
    return rows;
  }
  std::deque<SessionRows> all;
  std::deque<std::string> texts;
};

TEST_F(SessionBranches, KeepsLatestCopyAndLinksOthers) {
  SessionRows &here = store({{"one", "3"}, {"two", "2"}}), &there = store({{"two", "5"}, {"one", "1"}});
  std::vector<BranchedStore> stores{{here, "codex"}, {there, "codex", true}};
  const auto branches = gather_branches(stores, {}, {});
  EXPECT_EQ(here.order, (std::vector<std::size_t>{0}));
  EXPECT_EQ(there.order, (std::vector<std::size_t>{0}));
  ASSERT_EQ(branches.size(), 2u);
  EXPECT_EQ(*branches.at(&there.all[0]), (std::vector<const SessionRow*>{&there.all[0], &here.all[1]}));
  EXPECT_EQ(*branches.at(&here.all[0]), (std::vector<const SessionRow*>{&here.all[0], &there.all[1]}));
}

TEST_F(SessionBranches, SameIdOfAnotherAgentIsNotABranch) {
  SessionRows &here = store({{"one", "3"}}), &there = store({{"one", "5"}});
  std::vector<BranchedStore> stores{{here, "codex"}, {there, "pi", true}};
  EXPECT_TRUE(gather_branches(stores, {}, {}).empty());
  EXPECT_EQ(here.order.size() + there.order.size(), 2u);
}

TEST_F(SessionBranches, LocalStoresAreNotBranches) {
  SessionRows &first = store({{"one", "3"}}), &second = store({{"one", "5"}});
  std::vector<BranchedStore> stores{{first, "codex"}, {second, "codex"}};
  EXPECT_TRUE(gather_branches(stores, {{{"codex", "one"}, "3"}}, {{{"codex", "one"}, {"pi", "gone"}}}).empty());
  EXPECT_EQ(first.order.size() + second.order.size(), 2u) << "and nothing is out";
}

TEST_F(SessionBranches, UnchangedContinuedSessionIsNotABranch) {
  for (const bool changed : {false, true}) {
    SessionRows &here = store({{"one", changed ? "4" : "3"}}), &there = store({{"one", "5"}});
    std::vector<BranchedStore> stores{{here, "codex"}, {there, "codex", true}};
    const auto branches = gather_branches(stores, {{{"codex", "one"}, "3"}}, {});
    EXPECT_EQ(branches.size(), changed ? 1u : 0u);
    EXPECT_TRUE(here.order.empty());
    EXPECT_EQ(there.order.size(), 1u);
  }
}

TEST_F(SessionBranches, HandOffChainIsOneFamilyAndKeepsItsRows) {
  SessionRows &codex = store({{"c", "2"}}), &claude = store({{"a", "9"}, {"b", "1"}}), &pi = store({{"p", "5"}});
  std::vector<BranchedStore> stores{{codex, "codex"}, {claude, "claude-code"}, {pi, "pi", true}};
  const HandOffs from{{{"codex", "c"}, {"claude-code", "a"}}, {{"pi", "p"}, {"codex", "c"}}};
  const auto branches = gather_branches(stores, {}, from);
  ASSERT_EQ(branches.size(), 3u);
  EXPECT_EQ(*branches.at(&codex.all[0]), (std::vector<const SessionRow*>{&claude.all[0], &pi.all[0], &codex.all[0]}));
  EXPECT_FALSE(branches.contains(&claude.all[1]));
  EXPECT_EQ(codex.order.size() + claude.order.size() + pi.order.size(), 4u);
}

// Another machine may report anything about its sessions.
TEST_F(SessionBranches, HandOffCyclesEndAndFamiliesAreLimited) {
  std::vector<std::pair<std::string, std::string>> many;
  HandOffs from{{{"pi", "x"}, {"pi", "y"}}, {{"pi", "y"}, {"pi", "x"}}, {{"pi", "z"}, {"pi", "z"}}};
  for (const char* const id : {"x", "y", "z", "top"}) many.emplace_back(id, "9");
  for (int n = 0; n < 5000; ++n) {
    const std::string id = "s" + std::to_string(n);
    many.emplace_back(id, "1");
    from[{"pi", id}] = n % 2 == 0 ? SessionName{"pi", "top"} : SessionName{"pi", "s" + std::to_string(n - 1)};
  }
  SessionRows& there = store(many);
  std::vector<BranchedStore> stores{{there, "pi", true}};
  const auto branches = gather_branches(stores, {}, from);
  EXPECT_EQ(there.order.size(), many.size());
  EXPECT_FALSE(branches.contains(&there.all[2])) << "a session that came from itself";
  ASSERT_TRUE(branches.contains(&there.all[3]));
  EXPECT_EQ(branches.at(&there.all[3])->size(), 32u);
  EXPECT_EQ(branches.at(&there.all[3])->front(), &there.all[3]);
}

}  // namespace
}  // namespace holdfast::inline v1
