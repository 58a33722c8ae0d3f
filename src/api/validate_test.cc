#include "api/validate.h"

#include "api/api_testing.h"

namespace holdfast::inline v1 {
namespace {

TEST_F(ApiTest, ReportsInvalidParameters) {
  EXPECT_EQ(message("session.get", R"({"idd":"x"})"), "session.get: unknown parameter idd; did you mean id?");
  EXPECT_EQ(message("api.version", R"({"zzz":1})"), "api.version: unknown parameter zzz");
  EXPECT_EQ(message("session.get"), "session.get: id is missing: an id, a prefix of one, @last, or LAYOUT/ID");
  EXPECT_EQ(message("session.get", R"({"id":null})").substr(0, 26), "session.get: id is missing");
  EXPECT_EQ(message("session.get", R"({"id":7})"), "session.get: id must be a string");
  EXPECT_EQ(message("session.get", R"({"id":""})"), "session.get: id must not be empty");
  EXPECT_EQ(message("session.forget", R"({"match":""})"), "session.forget: match must not be empty");
  EXPECT_EQ(message("session.list", R"({"limit":"7"})"), "session.list: limit must be an integer");
  EXPECT_EQ(message("session.list", R"({"limit":1.5})"), "session.list: limit must be an integer");
  EXPECT_EQ(message("session.list", R"({"limit":0})"), "session.list: limit must be at least 1");
  EXPECT_EQ(message("session.list", R"({"subagents":1})"), "session.list: subagents must be a boolean");
  EXPECT_EQ(message("session.end", R"({"id":"x","status":"over"})"),
            "session.end: status must be complete, completed, failed or stopped, not \"over\"");
  EXPECT_EQ(message("session.get", R"({"id":"a","id":"b"})"), "session.get: id is given twice");
  EXPECT_EQ(message("session.get", "[]"), "session.get: parameters must be a JSON object");
  EXPECT_EQ(message("session.get", "{"), "session.get: parameters are not JSON: unexpected end at byte 1");
  EXPECT_EQ(code("session.frob"), Code::invalid_argument);
}

TEST_F(ApiTest, OversizedRequestIsRejected) {
  const std::string large = R"({"id":")" + std::string(kMaxRequest, 'x') + R"("})";
  EXPECT_EQ(code("session.get", large), Code::too_large);
}

TEST_F(ApiTest, CancelledCallCreatesNoStore) {
  std::stop_source stop;
  stop.request_stop();
  context.stop = stop.get_token();
  EXPECT_EQ(code("session.create"), Code::cancelled);
  context.stop = {};
  EXPECT_EQ(code("session.list"), Code::not_found) << "the store was made";
}

}  // namespace
}  // namespace holdfast::inline v1
