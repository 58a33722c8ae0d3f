#include "api/doctor.h"

#include "api/agents.h"
#include "api/api_testing.h"

namespace holdfast::inline v1 {
namespace {

TEST(Doctor, KnowsAgentRetentionPeriods) {
  EXPECT_EQ(deletes_after("claude-code", ""), 30);
  EXPECT_EQ(deletes_after("claude-code", R"({"cleanupPeriodDays":90})"), 90);
  EXPECT_EQ(deletes_after("claude-code", R"({"cleanupPeriodDays":"soon"})"), 30);
  EXPECT_EQ(deletes_after("gemini", "{}"), 30);
  EXPECT_EQ(deletes_after("gemini", R"({"general":{"sessionRetention":{"enabled":false}}})"), 0);
  EXPECT_EQ(deletes_after("gemini", R"({"general":{"sessionRetention":{"maxAge":"2w"}}})"), 14);
  EXPECT_EQ(deletes_after("codex", ""), 0);
  EXPECT_EQ(deletes_after("holdfast", ""), 0);
}

struct DoctorOperation : ApiTest {};

TEST_F(DoctorOperation, CountsSessionsWithoutShowingTitles) {
  must_call("session.create", R"({"title":"a secret"})");
  const std::string answer = must_call("store.doctor");
  const std::string first(JsonView(answer).find("stores").elements().begin()->value.raw());
  const JsonView store(first);
  EXPECT_TRUE(store.find("layout").is_string("holdfast")) << answer;
  EXPECT_EQ(store.find("sessions").as_int64(), 1) << answer;
  EXPECT_EQ(answer.find("secret"), std::string::npos) << answer;
  EXPECT_EQ(code("store.doctor", R"({"store":"nonesuch:/x"})"), Code::invalid_argument);
}

TEST_F(DoctorOperation, RefusedSettingsAreAProblem) {
  StoreSettings refused = settings(false);
  refused.person = "/home/me";
  refused.refused = Error{Code::invalid_argument, "the configuration cannot be read", "/home/me/config.toml"};
  Stores none(std::move(refused));
  const auto answer = dispatch(context, none, "store.doctor", "{}");
  ASSERT_TRUE(answer);
  EXPECT_NE(answer->find(R"("stores":[],"problems":[{"kind":"unavailable","where":"~/config.toml")"), std::string::npos)
      << *answer;
}

}  // namespace
}  // namespace holdfast::inline v1
