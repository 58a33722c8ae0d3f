// The tables for search, with several writers at once, some of which have read less.
#include "sync/projection.h"

#include <thread>

#include "tests/postgres/server_testing.h"

namespace holdfast::inline v1 {
namespace {

struct SearchTables : testing::Test {
  PostgresServer& server = PostgresServer::shared();
  const std::string schema = server.new_schema();
  const StreamId stream{std::string(32, 'a'), 1};
  const std::string hash = std::string(64, 'b');
  const Context context;

  void SetUp() override {
    server.sql("INSERT INTO " + schema + ".hf_stream (device, epoch, seq, hash) VALUES (decode('" + stream.device +
               "', 'hex'), 1, 9, decode('" + hash + "', 'hex'))");
  }
  Projection opened() {
    auto projection = Projection::open(server.url(schema));
    EXPECT_TRUE(projection && projection->check(context));
    EXPECT_TRUE(projection->begin(context, stream));
    return std::move(*projection);
  }
  ProjectedSession session(const std::string& id, std::uint64_t number) const {
    return {.stream = stream,
            .session = {"claude-code", "/home/.claude", id},
            .part_of = id,
            .number = number,
            .machine = "laptop",
            .policy = "full",
            .listed = "{}",
            .counted = "{}"};
  }
  StreamHead head(std::uint64_t seq) const { return {seq, hash}; }
  static ProjectedMessageSource say(std::vector<std::string> texts) {
    return [texts](const ProjectedMessageSink& take) -> Result<void> {
      for (std::size_t i = 0; i < texts.size(); ++i) {
        ProjectedMessage message{.ordinal = i, .same = i, .role = "user", .kind = "prompts"};
        const std::string_view said[] = {texts[i]};
        project_texts(said, {}, {}, message);
        HOLDFAST_TRY(take(std::move(message)));
      }
      return {};
    };
  }
  PutOutcome put(Projection& projection, const ProjectedSession& one, std::uint64_t seq,
                 const ProjectedMessageSource& tell) {
    const auto outcome = projection.put(context, one, head(seq), tell, counts);
    EXPECT_TRUE(outcome) << outcome.error().text();
    return outcome.value_or(PutOutcome::busy);
  }
  std::string rows() const {
    return server.sql("SELECT (SELECT count(*) FROM " + schema +
                      ".hf_session), (SELECT string_agg(said, ' ' ORDER BY "
                      "session, ordinal) FROM " +
                      schema + ".hf_message)");
  }
  PutCounts counts;
};

TEST_F(SearchTables, StaleWriterRestoresNothing) {
  Projection mine = opened(), behind = opened();
  const ProjectedSession one = session("one", 3);
  ASSERT_EQ(put(mine, one, 5, say({"a", "b"})), PutOutcome::done);
  ASSERT_TRUE(mine.finish(context, stream, {head(5), "2026"}, {one.key()}).value_or(false));
  EXPECT_EQ(rows(), "1|a b");
  // The session was dropped meanwhile; a writer that does not know writes it again, before and after.
  ASSERT_EQ(put(behind, one, 5, say({"a", "c"})), PutOutcome::done);
  ASSERT_TRUE(mine.finish(context, stream, {head(7), "2026"}, {}).value_or(false));
  EXPECT_EQ(rows(), "0|");
  EXPECT_EQ(put(behind, one, 5, say({"a"})), PutOutcome::overtaken);
  EXPECT_FALSE(behind.finish(context, stream, {head(5), "2026"}, {one.key()}).value_or(true));
  EXPECT_EQ(rows(), "0|");
  const auto streams = mine.streams(context);
  ASSERT_TRUE(streams);
  EXPECT_EQ(streams->at(stream).head, head(7));
  // Nor does an older state replace a newer one.
  ASSERT_EQ(put(mine, session("one", 9), 7, say({"new"})), PutOutcome::done);
  EXPECT_EQ(put(behind, session("one", 8), 7, say({"old"})), PutOutcome::overtaken);
  EXPECT_EQ(rows(), "1|new");
  // The stream is gone, or began anew: everything from it is removed.
  server.sql("UPDATE " + schema + ".hf_stream SET seq = 2");
  EXPECT_EQ(mine.remove_gone(context).value_or(0), 1U);
  EXPECT_EQ(rows(), "0|");
  EXPECT_EQ(put(behind, one, 5, say({"a"})), PutOutcome::overtaken);
}

TEST_F(SearchTables, WritesOnlyChangedMessages) {
  Projection projection = opened();
  ASSERT_EQ(put(projection, session("one", 1), 1, say({"a", "b", "c"})), PutOutcome::done);
  EXPECT_EQ(counts.messages, 3U);
  ASSERT_EQ(put(projection, session("one", 2), 1, say({"a", "b", "c", "d"})), PutOutcome::done);
  EXPECT_EQ(counts.messages, 4U);
  ASSERT_EQ(put(projection, session("one", 3), 1, say({"a", "x"})), PutOutcome::done);
  EXPECT_EQ(counts.messages, 5U);
  EXPECT_EQ(rows(), "1|a x");
  ASSERT_EQ(put(projection, session("one", 4), 1, say({"a"})), PutOutcome::done);
  EXPECT_EQ(rows(), "1|a");
  ASSERT_EQ(put(projection, session("one", 5), 1, {}), PutOutcome::done);
  EXPECT_EQ(rows(), "1|a") << "the row alone";
  // A session that cannot be read to its end changes nothing.
  PutCounts none;
  EXPECT_FALSE(projection.put(
      context, session("one", 6), head(1),
      [](const ProjectedMessageSink&) -> Result<void> { return fail(Code::corrupt, "torn"); }, none));
  EXPECT_EQ(rows(), "1|a");
  EXPECT_EQ(put(projection, session("one", 6), 1, say({"a", "e"})), PutOutcome::done) << "and the connection goes on";
}

TEST_F(SearchTables, ConcurrentWritersLeaveOneConsistentState) {
  std::vector<std::thread> threads;
  for (std::size_t n = 0; n < 4; ++n) {
    threads.emplace_back([this, n] {
      Projection projection = opened();
      for (std::size_t i = 0; i < 15; ++i) {
        PutCounts written;
        std::vector<std::string> texts(1 + (n + i) % 4, "w" + std::to_string(n));
        const auto outcome = projection.put(context, session("one", i), head(1), say(texts), written);
        EXPECT_TRUE(outcome) << outcome.error().text();
        if (i % 5 == n) {
          EXPECT_TRUE(projection.remove(context, session("one", 0).key()));
        }
      }
    });
  }
  for (std::thread& one : threads) one.join();
  EXPECT_EQ(server.sql("SELECT count(*) FROM " + schema + ".hf_message AS m WHERE NOT EXISTS (SELECT FROM " + schema +
                       ".hf_session AS s WHERE s.session = m.session)"),
            "0");
  EXPECT_EQ(server.sql("SELECT count(*) FROM " + schema + ".hf_session AS s WHERE messages <> (SELECT count(*) FROM " +
                       schema + ".hf_message AS m WHERE m.session = s.session)"),
            "0");
  EXPECT_EQ(server.sql("SELECT count(DISTINCT said) FROM " + schema + ".hf_message"), "1") << rows();
}

}  // namespace
}  // namespace holdfast::inline v1
