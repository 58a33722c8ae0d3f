#include "model/session_json.h"

#include <gtest/gtest.h>

#include "model/model_json.h"

namespace holdfast::inline v1 {
namespace {

std::string written(const Session& session) {
  JsonWriter json;
  write_session(json, session);
  return json.take();
}

TEST(SessionJson, RoundTrips) {
  Session session{.id = "s",
                  .layout = "claude-code",
                  .store = "claude-code:/home/a/.claude",
                  .path = "projects/-thing/s.jsonl",
                  .project = "/home/a/thing",
                  .title = "a title",
                  .first_prompt = "why?",
                  .status = Status::complete,
                  .created_at = "2026-01-01T00:00:00.000Z",
                  .updated_at = "2026-01-02T00:00:00.000Z",
                  .counts = {1, 2, 3, 4, 5},
                  .models = {"m", "n"},
                  .usage = {.input = 1,
                            .output = 2,
                            .cache_read = 3,
                            .cache_write = 4,
                            .reasoning = 5,
                            .cache_write_1h = 6,
                            .reasoning_apart = 7},
                  .git_branch = "main",
                  .parent = Parent{"p", ParentKind::subagent, "m1"},
                  .subagents = 2,
                  .bytes = 77,
                  .damage = 1,
                  .archived = true,
                  .summary = "in short",
                  .metadata = R"({"imported_from":{"id":"x"}})"};
  EXPECT_EQ(written(session_from_json(JsonView(written(session)))), written(session));
  session.counted = false;
  EXPECT_EQ(written(session_from_json(JsonView(written(session)))), written(session));
  EXPECT_EQ(written(session_from_json(JsonView(written({})))), written({}));
}

TEST(SessionJson, IgnoresMembersOfWrongType) {
  const Session session = session_from_json(JsonView(
      R"({"id":7,"status":"odd","counts":[],"models":{"a":1},"usage":"x","parent":3,"bytes":-1,"metadata":[1]})"));
  EXPECT_EQ(session.id, "");
  EXPECT_EQ(session.status, Status::unknown);
  EXPECT_FALSE(session.counted);
  EXPECT_FALSE(session.parent);
  EXPECT_EQ(session.bytes, 0U);
  EXPECT_EQ(session.metadata, "");
}

}  // namespace
}  // namespace holdfast::inline v1
