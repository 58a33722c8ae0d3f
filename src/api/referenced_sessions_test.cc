#include "api/referenced_sessions.h"

#include <gtest/gtest.h>

namespace holdfast::inline v1 {
namespace {

using Ids = std::vector<std::string>;

Ids meant(std::string_view method, std::string_view params) {
  const Operation* const operation = find_operation(method);
  EXPECT_NE(nullptr, operation) << method;
  return operation == nullptr ? Ids() : referenced_sessions(*operation, JsonView(params));
}

TEST(ReferencedSessions, FindsIdsInEveryParameterForm) {
  EXPECT_EQ(Ids{"s"}, meant("session.end", R"({"id":"s"})"));
  EXPECT_EQ(Ids{"s"}, meant("mark_session_ended", R"({"id":"s"})"));
  EXPECT_EQ(Ids{"s"}, meant("message.append", R"({"session":"s","text":"x"})"));
  EXPECT_EQ(Ids{"s"}, meant("append_message", R"({"message":{"sessionId":"s","id":"m"}})"));
  EXPECT_EQ((Ids{"s", "t"}), meant("message.append", R"({"message":{"sessionId":"s","threadId":"t"}})"));
  EXPECT_EQ((Ids{"s", "u"}), meant("message.append", R"({"session":"s","raw":{"session_id":"u"}})"));
  EXPECT_EQ(Ids{"t"}, meant("thread.save", R"({"thread":{"id":"t"}})"));
  EXPECT_EQ(Ids{"t"}, meant("thread.resume", R"({"id":"t"})"));
  EXPECT_EQ((Ids{"s", "t"}), meant("session.create", R"({"id":"s","thread":"t"})"));
}

TEST(ReferencedSessions, OmittedIdMeansLatestSession) {
  EXPECT_EQ(Ids{"@last"}, meant("session.resume", "{}"));
  EXPECT_EQ(Ids{"@last"}, meant("session.start", R"({"module":"auth"})"));
  EXPECT_EQ(Ids{"s"}, meant("session.start", R"({"resume":"s"})"));
  EXPECT_EQ(Ids(), meant("session.create", "{}"));
  EXPECT_EQ(Ids(), meant("session.list", "{}"));
}

TEST(ReferencedSessions, RecordsWithoutSessionAreGroupedByKind) {
  EXPECT_EQ(meant("permission.allow", R"({"tool":"a"})"), meant("permission.revoke", R"({"tool":"b"})"));
  EXPECT_EQ(meant("initiative.status", "{}"), meant("workflow.state", "{}"));
  EXPECT_NE(meant("permission.list", "{}"), meant("mission.list", "{}"));
  EXPECT_FALSE(meant("mission.list", "{}").empty());
}

}  // namespace
}  // namespace holdfast::inline v1
