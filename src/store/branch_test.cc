#include "store/branch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

namespace holdfast::inline v1 {
namespace {

// "a b<a c<a!": ids, their parents, and ! for messages abandoned by a rewind.
std::vector<Message> messages(const std::string& script) {
  std::vector<Message> all;
  std::istringstream words(script);
  for (std::string word; words >> word;) {
    Message message;
    message.abandoned = word.ends_with('!');
    if (message.abandoned) word.pop_back();
    const std::size_t mark = word.find('<');
    message.id = word.substr(0, mark);
    if (mark != std::string::npos) message.parent = word.substr(mark + 1);
    all.push_back(std::move(message));
  }
  return all;
}

std::string ids(const std::vector<Message>& all) {
  std::string text;
  for (const Message& message : all) text += (text.empty() ? "" : " ") + message.id;
  return text;
}

std::string left(std::vector<Message> all, std::string_view leaf) {
  mark_abandoned(all, leaf);
  std::erase_if(all, [](const Message& message) { return !message.abandoned; });
  return ids(all);
}

TEST(Branch, TreeFollowsBranchOfLeaf) {
  const auto tree = messages("a b<a c<b d<a e<d");
  EXPECT_EQ(ids(branch_of(tree, "")), "a d e");
  EXPECT_EQ(ids(branch_of(tree, "c")), "a b c");
  EXPECT_EQ(left(tree, ""), "b c");
  EXPECT_EQ(left(tree, "c"), "d e");
}

TEST(Branch, LinearLogExcludesRewoundMessages) {
  EXPECT_EQ(ids(branch_of(messages("a b c"), "")), "a b c");
  const auto line = messages("a b! c! d e! f");
  EXPECT_EQ(ids(branch_of(line, "")), "a d f");
  EXPECT_EQ(ids(branch_of(line, "c")), "a b c") << "the branch that was left first";
  EXPECT_EQ(ids(branch_of(line, "e")), "a d e");
  EXPECT_EQ(left(line, ""), "b c e");
}

TEST(Branch, BranchIncludesResultsOfParallelCalls) {
  auto all = messages("p a<p b<a ra<a rb<b n<rb x<p");
  all[1].blocks = {{.kind = BlockKind::tool_call, .id = "A"}};
  all[2].blocks = {{.kind = BlockKind::tool_call, .id = "B"}};
  all[3].blocks = {{.kind = BlockKind::tool_result, .id = "A"}};
  all[4].blocks = {{.kind = BlockKind::tool_result, .id = "B"}};
  EXPECT_EQ(ids(branch_of(all, "n")), "p a b ra rb n");
  EXPECT_EQ(left(all, "n"), "x");
}

TEST(Branch, BranchIncludesAllCallsOfOneResponse) {
  auto all = messages("p a<p b<a c<b rc<c rb<b ra<a n<ra x<p y<x");
  const std::string calls = "ABC";
  for (std::size_t i = 0; i < 3; ++i) {
    all[1 + i].blocks = {{.kind = BlockKind::tool_call, .id = calls.substr(i, 1)}};
    all[1 + i].response = "r";
    all[6 - i].blocks = {{.kind = BlockKind::tool_result, .id = calls.substr(i, 1)}};
  }
  all[9].response = "r";  // the same response, but not its continuation
  EXPECT_EQ(ids(branch_of(all, "n")), "p a b c rc rb ra n");
  EXPECT_EQ(left(all, "n"), "x y");
  std::ranges::reverse(all);
  EXPECT_EQ(ids(branch_of(all, "n")), "n ra rb rc c b a p") << "stored the other way round";
}

TEST(Branch, CyclicParentsTerminate) {
  EXPECT_EQ(ids(branch_of(messages("a<c b<a c<b"), "")), "a b c");
  EXPECT_EQ(ids(branch_of(messages("a<a"), "")), "a");
}

TEST(Branch, SubagentMessagesAreNotAbandoned) {
  auto all = messages("a b<a s");
  all[2].side = true;
  mark_abandoned(all, "");
  EXPECT_FALSE(all[2].abandoned);
}

}  // namespace
}  // namespace holdfast::inline v1
