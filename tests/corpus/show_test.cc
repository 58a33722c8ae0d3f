// Every session of the corpus, printed while it is read: byte for byte the same as
// when it is read first.
#include <gtest/gtest.h>

#include "base/corpus_testing.h"
#include "store/engine.h"
#include "store/streamed_branch.h"
#include "transfer/transcript_stream.h"

namespace holdfast::inline v1 {
namespace {

class NullListener final : public BranchListener {
 public:
  void begin(const Session& /*known*/) override {}
  bool message(Message /*message*/) override { return true; }
};

class ShowCorpus : public testing::TestWithParam<CorpusAgent> {};

TEST_P(ShowCorpus, StreamedTextEqualsFullText) {
  StoreOptions options;
  options.layout = GetParam().name;
  options.roots[""] = corpus_store(GetParam()).string();
  const Context context;
  const auto store = Store::open(context, real_file_system(), options);
  ASSERT_TRUE(store) << store.error().text();
  const auto files = engine_of(**store);
  SessionFilter filter;
  filter.inner = true;
  const auto list = (*store)->list(context, filter);
  ASSERT_TRUE(list) << list.error().text();
  std::size_t messages = 0;
  for (const Session& session : list->sessions) {
    DirectoryFeed feed = (*files)->looking(context);
    const auto ref = (*files)->resolve(context, feed, session.id);
    ASSERT_TRUE(ref) << ref.error().text();
    for (const std::string branch : {"", "all"}) {
      const TranscriptQuery query{.branch = branch};
      const auto read = (*store)->read(context, session.id, query);
      ASSERT_TRUE(read) << read.error().text();
      messages += read->messages.size();
      // The session must be streamed, not read first.
      NullListener listener;
      StreamedBranch told_at_once(context, **files, *ref, query);
      EXPECT_EQ(told_at_once.tell(listener).value(), StreamedBranch::End::told) << session.id;
      for (const TextStyle& style :
           {TextStyle{.totals_last = true}, TextStyle{.tools = true, .thinking = true, .system = true},
            TextStyle{.totals_last = true, .at = 4}}) {
        TextStyle asked = style;
        asked.head = style.totals_last;
        std::string text;
        const auto told = stream_transcript(context, **files, *ref, query, asked, [&](std::string_view piece) {
          text += piece;
          return true;
        });
        ASSERT_TRUE(told) << told.error().text();
        EXPECT_EQ(told->has_value(), !asked.at || has_message(*read, *asked.at)) << session.id << " branch " << branch;
        EXPECT_EQ(text, *told ? transcript_text(*read, asked) : "") << session.id << " branch " << branch;
      }
    }
  }
  EXPECT_GT(messages, 0U);
}

INSTANTIATE_TEST_SUITE_P(Agents, ShowCorpus, testing::ValuesIn(kCorpusAgents), [](const auto& agent) {
  std::string name = agent.param.name;
  std::erase(name, '-');
  return name;
});

}  // namespace
}  // namespace holdfast::inline v1
