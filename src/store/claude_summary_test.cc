// A list and a full read agree about the summary that older versions of Claude Code
// wrote, which is mostly about another session.
#include <gtest/gtest.h>
#include <holdfast/store.h>

#include "crash/disk/sim_file_system.h"

namespace holdfast::inline v1 {
namespace {

std::string said(const std::string& id) {
  return R"({"type":"user","message":{"role":"user","content":"hi"},"uuid":")" + id + "\",\"sessionId\":\"s\"}\n";
}
std::string summary(const std::string& text, const std::string& leaf) {
  return R"({"type":"summary","summary":")" + text + R"(","leafUuid":")" + leaf + "\"}\n";
}

struct ClaudeSummary : testing::Test {
  SimFileSystem files;

  std::shared_ptr<Store> open() {
    StoreOptions options;
    options.layout = "claude-code";
    options.roots[""] = "/c";
    options.cache = "/cache";
    auto opened = Store::open({}, files, options);
    EXPECT_TRUE(opened) << opened.error().text();
    return std::move(*opened);
  }
  void expect(const std::string& log, const std::string& wanted) {
    EXPECT_TRUE(files.put_file("/c/projects/-p/0abc.jsonl", log));
    const auto listed = open()->list({}, {});
    ASSERT_TRUE(listed) << listed.error().text();
    ASSERT_EQ(listed->sessions.size(), 1u);
    EXPECT_EQ(listed->sessions[0].summary, wanted) << log;
    const auto read = open()->read({}, "0abc", {});
    ASSERT_TRUE(read) << read.error().text();
    EXPECT_EQ(read->session.summary, wanted) << log;
  }
};

TEST_F(ClaudeSummary, ListAndReadAgree) {
  expect(summary("of b", "b") + said("a") + said("b") + said("c"), "of b");
  expect(said("a") + said("b") + summary("of b", "b") + said("c"), "of b");
  expect(summary("of another", "z") + said("a"), "");
  expect(said("a") + summary("of b", "b") + said("b") + summary("of another", "z") + said("c"), "of b");
  expect(said("a") + summary("first", "a") + said("b") + summary("second", "b"), "second");
}

TEST_F(ClaudeSummary, ListAndReadAgreeAfterLogGrows) {
  std::string log = said("a") + summary("of b", "b");
  expect(log, "");
  log += said("b");
  expect(log, "of b");
  log += summary("of it again", "b");
  expect(log, "of it again");
}

}  // namespace
}  // namespace holdfast::inline v1
