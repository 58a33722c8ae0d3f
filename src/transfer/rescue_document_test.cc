#include "transfer/rescue_document.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "text/json_scan.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {
namespace {

constexpr int kMessages = 20;

std::string gemini_message(int number) {
  return "    {\n      \"id\": \"m" + std::to_string(number) + R"(",
      "timestamp": "2026-01-01T00:00:00.000Z",
      "type": ")" +
         (number % 2 == 0 ? "user" : "gemini") + R"(",
      "content": "words } ] \" of )" +
         std::to_string(number) + R"(",
      "toolCalls": [{"id": "c", "args": {"type": "inner", "id": "not a message"}}]
    })";
}

std::string gemini() {
  std::string text = R"({
  "sessionId": "5b1aa648-0000-4000-8000-000000000001",
  "projectHash": "abc",
  "startTime": "2026-01-01T00:00:00.000Z",
  "lastUpdated": "2026-01-01T00:00:09.000Z",
  "messages": [
)";
  for (int n = 0; n < kMessages; ++n) text += gemini_message(n) + (n + 1 < kMessages ? ",\n" : "\n");
  return text + "  ],\n  \"kind\": \"main\"\n}";
}

std::string continue_session() {
  std::string text = R"({"sessionId":"120f6295","title":"a title","workspaceDirectory":"/work","history":[)";
  for (int n = 0; n < kMessages; ++n)
    text += std::string(n > 0 ? "," : "") + R"({"message":{"role":"user","content":"number )" + std::to_string(n) +
            R"(","usage":{"type":"x","content":1}},"contextItems":[]})";
  return text + R"(],"usage":{"totalCost":0}})";
}

Rescued must_rescue(const std::string& bytes, const std::string& name = "120f6295.json") {
  auto rescued = rescue_document(bytes, name);
  EXPECT_TRUE(rescued) << rescued.error().text();
  if (!rescued) return {};
  EXPECT_TRUE(check_json(rescued->bytes).ok()) << rescued->bytes.substr(0, 400);
  return std::move(*rescued);
}

std::size_t elements(const Rescued& rescued, std::string_view list) {
  std::size_t count = 0;
  const JsonView found = JsonView(rescued.bytes).find(list);
  for (const JsonItem& item : found.elements()) {
    EXPECT_EQ(item.value.kind(), JsonKind::object);
    ++count;
  }
  return count;
}

TEST(RescueDocument, HealthyDocumentIsUnchanged) {
  for (const std::string& text : {gemini(), continue_session()}) {
    const Rescued rescued = must_rescue(text);
    EXPECT_EQ(rescued.bytes, text);
    EXPECT_EQ(rescued.records, static_cast<std::uint64_t>(kMessages));
    EXPECT_TRUE(rescued.gone.empty());
  }
}

// However much was written, every element that ends before the cut is saved.
TEST(RescueDocument, CutDocumentKeepsEveryCompleteElement) {
  const std::string text = gemini();
  std::vector<std::size_t> ends;
  for (int n = 0; n < kMessages; ++n) {
    const std::string message = gemini_message(n);
    ends.push_back(text.find(message) + message.size());
  }
  for (std::size_t cut = 0; cut < text.size(); ++cut) {
    const auto whole =
        static_cast<std::size_t>(std::ranges::count_if(ends, [&](std::size_t end) { return end <= cut; }));
    const auto rescued = rescue_document(text.substr(0, cut), "session-2026-01-01T00-00-5b1aa648.json");
    ASSERT_EQ(rescued.has_value(), whole > 0) << cut;
    if (!rescued) continue;
    ASSERT_TRUE(check_json(rescued->bytes).ok()) << cut;
    ASSERT_EQ(rescued->records, whole) << cut;
    ASSERT_EQ(elements(*rescued, "messages"), whole) << cut;
    ASSERT_EQ(JsonView(rescued->bytes).find("projectHash").as_string(), "abc");
  }
}

TEST(RescueDocument, DamagedElementHidesNoOther) {
  for (const bool zeros : {true, false}) {
    std::string text = gemini();
    const std::size_t at = text.find("words } ] \\\" of 7");
    ASSERT_NE(at, std::string::npos);
    if (zeros)
      text.replace(at, 10, std::string(10, '\0'));
    else
      text.erase(at, 18);  // with the end of its string
    const Rescued rescued = must_rescue(text);
    EXPECT_EQ(rescued.records, kMessages - 1u) << zeros;
    EXPECT_EQ(rescued.salvaged, kMessages - 8u) << "those behind it";
    ASSERT_EQ(rescued.gone.size(), 1u);
    EXPECT_LE(rescued.gone[0].offset, at);
    EXPECT_EQ(JsonView(rescued.bytes).find("kind").as_string(), "main") << "what stands behind the list";
    EXPECT_EQ(rescued.bytes.find("\"m7\""), std::string::npos);
    EXPECT_NE(rescued.bytes.find("\"m8\""), std::string::npos);
  }
}

TEST(RescueDocument, LostHeaderIsRebuiltFromName) {
  std::string text = continue_session();
  text.replace(0, 20, std::string(20, '\0'));
  const Rescued rescued = must_rescue(text, "120f6295.json");
  EXPECT_EQ(JsonView(rescued.bytes).find("sessionId").as_string(), "120f6295");
  EXPECT_EQ(JsonView(rescued.bytes).find("title").as_string(), "a title");
  EXPECT_EQ(rescued.headers, 1u);
  EXPECT_EQ(rescued.records, static_cast<std::uint64_t>(kMessages));
}

TEST(RescueDocument, DocumentWithoutElementsIsNotFound) {
  EXPECT_EQ(rescue_document("", "a.json").error().code, Code::not_found);
  EXPECT_EQ(rescue_document(R"({"messages":[{"id":)", "a.json").error().code, Code::not_found);
  EXPECT_EQ(rescue_document(std::string(4096, '\0'), "a.json").error().code, Code::not_found);
}

}  // namespace
}  // namespace holdfast::inline v1
