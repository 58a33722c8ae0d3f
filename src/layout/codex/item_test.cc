#include "layout/codex/item.h"

#include <gtest/gtest.h>

namespace holdfast::codex {
namespace {

Origin origin(const std::string& text, const std::string& provenance = "") {
  const std::string metadata =
      provenance.empty()
          ? ""
          : ",\"internal_chat_message_metadata_passthrough\":{\"content_item_metadata\":[{\"provenance\":"
            "{\"type\":\"" +
                provenance + "\"}}]}";
  const std::string json = "{\"type\":\"message\",\"role\":\"user\",\"content\":[{\"type\":\"input_text\",\"text\":\"" +
                           text + "\"}]" + metadata + "}";
  return read_item(JsonView(json)).origin;
}

TEST(CodexItem, DetectsPromptOrigin) {
  EXPECT_EQ(origin("hello"), Origin::typed);
  EXPECT_EQ(origin("<environment_context>x"), Origin::injected);
  EXPECT_EQ(origin("<environment_context> as a question", "user"), Origin::typed);
  EXPECT_EQ(origin("anything", "harness"), Origin::injected);
  EXPECT_EQ(origin("<turn_aborted>x", "harness"), Origin::notice);
}

TEST(CodexItem, ReadsEveryFormOfToolResult) {
  const auto result = [](const std::string& output) {
    const std::string json = "{\"type\":\"function_call_output\",\"call_id\":\"c\",\"output\":" + output + "}";
    return read_item(JsonView(json)).blocks.at(0);
  };
  EXPECT_EQ(result("\"text\"").text, "text");
  EXPECT_EQ(result("[{\"type\":\"input_text\",\"text\":\"a\"},{\"text\":\"b\"}]").text, "a\n\nb");
  EXPECT_TRUE(result("{\"content\":\"bad\",\"success\":false}").is_error);
  EXPECT_FALSE(result("{\"content\":\"good\",\"success\":true}").is_error);
  EXPECT_TRUE(result("\"Wall time: 1\\nProcess exited with code 1\\nOutput:\\n\"").is_error);
  EXPECT_FALSE(result("\"Process exited with code 0\\nOutput:\\n\"").is_error);
  EXPECT_EQ(result("null").text, "");
}

TEST(CodexItem, KeepsNonJsonArgumentsAsText) {
  const auto input = [](const std::string& json) { return read_item(JsonView(json)).blocks.at(0).json; };
  EXPECT_EQ(input("{\"type\":\"function_call\",\"name\":\"f\",\"arguments\":\"{\\\"a\\\":1}\"}"), "{\"a\":1}");
  EXPECT_EQ(input("{\"type\":\"function_call\",\"name\":\"f\",\"arguments\":\"{oops\"}"), "\"{oops\"");
  EXPECT_EQ(input("{\"type\":\"custom_tool_call\",\"input\":\"{\\\"a\\\":1}\"}"), "\"{\\\"a\\\":1}\"");
  EXPECT_EQ(input("{\"type\":\"function_call\"}"), "null");
}

TEST(CodexItem, TokenCountsCannotOverflowOrBeNegative) {
  const Usage usage =
      read_usage(JsonView("{\"input_tokens\":9223372036854775807,\"cached_input_tokens\":-5,\"output_tokens\":1e300}"));
  EXPECT_EQ(usage.cache_read, 0);
  EXPECT_EQ(usage.input, std::int64_t{1} << 53);  // the largest count
  EXPECT_EQ(usage.output, 0);
  // More cached tokens than tokens.
  EXPECT_EQ(read_usage(JsonView("{\"input_tokens\":10,\"cached_input_tokens\":9223372036854775807,"
                                "\"cache_write_input_tokens\":9223372036854775807}"))
                .input,
            0);
}

TEST(CodexItem, UnknownItemsAreKept) {
  const Item item = read_item(JsonView("{\"type\":\"new_thing\",\"x\":1}"));
  EXPECT_EQ(item.kind, ItemKind::other);
  EXPECT_EQ(item.blocks.at(0).json, "{\"type\":\"new_thing\",\"x\":1}");
}

}  // namespace
}  // namespace holdfast::codex
