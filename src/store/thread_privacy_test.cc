// A thread's own privacy settings (M08): redactInputs and redactOutputs apply to all
// its sessions and messages, including agent.env, whatever the store's options are.
#include <gtest/gtest.h>
#include <holdfast/store.h>

#include "store/layout_store_testing.h"
#include "text/secrets_testing.h"

namespace holdfast::inline v1 {
namespace {

using ::holdfast::testing::kLetters;
using ::holdfast::testing::made_up;

class ThreadPrivacy : public ::testing::TestWithParam<std::string> {
 protected:
  LayoutStore files{GetParam()};
  const std::string typed = "ghp_" + made_up(kLetters, 36, 1);
  const std::string answered = "ghp_" + made_up(kLetters, 36, 2);
  const std::string variable = "zqplainvalue";

  void thread(const std::string& id, const std::string& privacy) {
    must(files.store->edit_records(files.context, [&](const Store::Look&) -> Result<std::vector<RecordEdit>> {
      return std::vector<RecordEdit>{{RecordEdit::Kind::put,
                                      {"thread", {}, id},
                                      R"({"created_at":"2026-01-21T10:00:00Z","updated_at":"2026-01-21T10:00:00Z",)"
                                      R"("title":"T","privacy":)" +
                                          privacy + "}"}};
    }));
  }
  // A session of the thread with a prompt and an answer.
  std::string talk(const std::string& thread) {
    SessionDraft draft;
    draft.thread = thread;
    draft.project = "/p";
    draft.metadata = "{\"env\":{\"TERM\":\"xterm\",\"DEPLOY_KEY\":\"" + variable + "\"}}";
    const std::string id = must(files.store->create(files.context, draft));
    auto writer = must(files.store->write(files.context, id));
    Message prompt;
    prompt.blocks.push_back({.text = "use " + typed});
    must(writer->append(files.context, prompt));
    Message answer;
    answer.role = Role::assistant;
    answer.origin = Origin::model;
    answer.blocks.push_back({.text = "done with " + answered});
    must(writer->append(files.context, answer));
    must(writer->close(files.context));
    return id;
  }
  bool on_disk(const std::string& secret) const { return picture(files.disk).find(secret) != std::string::npos; }
};

TEST_P(ThreadPrivacy, M08_ThreadRedactsInputs) {
  thread("thr_1", R"({"localOnly":true,"redactInputs":true,"redactOutputs":false})");
  const std::string id = talk("thr_1");
  EXPECT_FALSE(on_disk(typed));
  EXPECT_FALSE(on_disk(variable));
  EXPECT_TRUE(on_disk(answered));
  EXPECT_TRUE(on_disk("xterm"));
  EXPECT_EQ("use [redacted: GitHub token]", must(files.store->read(files.context, id)).messages.at(0).text());
}

TEST_P(ThreadPrivacy, M08_ThreadRedactsOutputs) {
  thread("thr_1", R"({"localOnly":true,"redactInputs":false,"redactOutputs":true})");
  talk("thr_1");
  EXPECT_TRUE(on_disk(typed));
  EXPECT_FALSE(on_disk(answered));
}

// A writer that is already open obeys too, and other threads are not affected.
TEST_P(ThreadPrivacy, M08_ChangedSettingAppliesToOpenWriterOfItsThread) {
  thread("thr_1", R"({"localOnly":true,"redactInputs":false,"redactOutputs":false})");
  thread("thr_2", R"({"localOnly":true,"redactInputs":true,"redactOutputs":true})");
  SessionDraft draft;
  draft.thread = "thr_1";
  const std::string id = must(files.store->create(files.context, draft));
  auto writer = must(files.store->write(files.context, id));
  Message prompt;
  prompt.blocks.push_back({.text = "use " + typed});
  must(writer->append(files.context, prompt));
  EXPECT_TRUE(on_disk(typed));
  thread("thr_1", R"({"localOnly":true,"redactInputs":true,"redactOutputs":false})");
  prompt.blocks[0].text = "and " + answered;
  must(writer->append(files.context, prompt));
  EXPECT_FALSE(on_disk(answered));
}

INSTANTIATE_TEST_SUITE_P(Layouts, ThreadPrivacy, ::testing::Values("maestro", "holdfast"),
                         [](const auto& name) { return name.param; });

}  // namespace
}  // namespace holdfast::inline v1
