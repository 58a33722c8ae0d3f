#include "text/yaml_edit.h"

#include <gtest/gtest.h>

#include <vector>

#include "text/json_value.h"
#include "text/yaml_value.h"

namespace holdfast {
namespace {

using Path = std::vector<JsonStep>;

std::string text_of(const Result<std::string>& result) { return result ? *result : result.error().text(); }

struct Case {
  std::string doc;
  Path path;
  std::string value;  // for a set
  std::string want;
};

TEST(YamlEdit, set_replaces_only_the_value) {
  const std::string head = "# top\n\na: 1   # one\n", tail = "\n# about z\nz:   [1, 2]  # flow\n";
  const std::vector<Case> cases = {
      // Single-line values keep the rest of their line.
      {head + "b: x # c\n" + tail, {"b"}, "\"w\"", head + "b: w # c\n" + tail},
      {head + "b:    'x'# no comment' # c\n" + tail, {"b"}, "2", "unsupported"},
      {head + "b:\t\"x # y\"\t# c\n" + tail, {"b"}, "2", head + "b:\t2\t# c\n" + tail},
      {head + "b: {x: \"}\"} # c\n" + tail, {"b"}, "null", head + "b: null # c\n" + tail},
      {head + "b:\n" + tail, {"b"}, "true", head + "b: true\n" + tail},
      {head + "b: # c\n" + tail, {"b"}, "true", head + "b: true # c\n" + tail},
      {head + "\"b\" : x\n" + tail, {"b"}, "\"no\"", head + "\"b\" : \"no\"\n" + tail},
      {head + "b: a#b: c\n" + tail, {"b"}, "1", "corrupt"},
      {head + "b: http://x:1/y#z\n" + tail, {"b"}, "1", head + "b: 1\n" + tail},
      {"b: x", {"b"}, "1", "b: 1"},
      {"b: x\r\nc: y\r\n", {"b"}, "1", "b: 1\r\nc: y\r\n"},
      {"\xEF\xBB\xBF"
       "b: x\n",
       {"b"},
       "1",
       "\xEF\xBB\xBF"
       "b: 1\n"},
      {"b: 1\nb: 2\n", {"b"}, "3", "b: 1\nb: 3\n"},
      {"---\nb: 1\n---\nb: 2\n", {"b"}, "3", "---\nb: 3\n---\nb: 2\n"},
      // Values over several lines.
      {head + "b: |  # c\n  x\n\n  # y\n\n" + tail, {"b"}, "1", head + "b: 1  # c\n\n" + tail},
      {head + "b: >-\n   x\n  # c\n" + tail, {"b"}, "1", head + "b: 1\n  # c\n" + tail},
      {head + "b: \"x\n  # y\" # c\n" + tail, {"b"}, "1", head + "b: 1 # c\n" + tail},
      {head + "b: x\n  y\n  z # c\n" + tail, {"b"}, "1", head + "b: 1 # c\n" + tail},
      {head + "b:\n  x: 1\n  y:\n    - 2\n    - \"3\n      # 4\"\n" + tail, {"b"}, "1", head + "b: 1\n" + tail},
      {head + "b: # c\n  x:\n  y:\n" + tail, {"b"}, "1", head + "b: 1 # c\n" + tail},
      {head + "b:\n- x\n- y # c\n" + tail, {"b"}, "1", head + "b: 1 # c\n" + tail},
      {head + "b: [x, # ]\n  y]\n" + tail, {"b"}, "1", head + "b: 1\n" + tail},
      {"b: |\r\n  x\r\n  y\r\nc: 1\r\n", {"b"}, "\"q\"", "b: q\r\nc: 1\r\n"},
      // New values over several lines.
      {head + "b: x # c\n" + tail, {"b"}, R"({"k":[1,{"l":2}]})", head + "b: # c\n  k:\n    - 1\n    - l: 2\n" + tail},
      {head + "b:\n  - x\n  # c\n" + tail, {"b"}, R"(["y","z"])", head + "b:\n  - \"y\"\n  - z\n  # c\n" + tail},
      {"b: x\r\nc: 1\r\n", {"b"}, "[1,2]", "b:\r\n  - 1\r\n  - 2\r\nc: 1\r\n"},
      {"b: x", {"b"}, "[1]", "b:\n  - 1"},
      {"b:\n  k: 1", {"b"}, "{\"k\":2,\"l\":3}", "b:\n  k: 2\n  l: 3"},
      {head + "b: x\n" + tail, {"b"}, "[]", head + "b: []\n" + tail},
      {head + "b: x\n" + tail, {"b"}, R"("l1\nl2\u2028")", head + "b: \"l1\\nl2\\u2028\"\n" + tail},
  };
  for (const auto& [doc, path, value, want] : cases) {
    const std::string got = text_of(yaml_set(doc, path, value));
    if (want == "unsupported" || want == "corrupt") {
      EXPECT_TRUE(got.starts_with(want)) << doc << "\n" << got;
    } else {
      EXPECT_EQ(want, got) << doc;
    }
  }
}

TEST(YamlEdit, missing_key_is_added_last) {
  const std::vector<Case> cases = {
      {"a: 1\n", {"b"}, "2", "a: 1\nb: 2\n"},
      {"a: 1", {"b"}, "2", "a: 1\nb: 2"},
      {"a: 1\r\n", {"b"}, "[2]", "a: 1\r\nb:\r\n  - 2\r\n"},
      {"a: 1\r\nc: 1", {"b"}, "2", "a: 1\r\nc: 1\r\nb: 2"},
      {"a: 1\n\n# end\n", {"b"}, "2", "a: 1\n\n# end\nb: 2\n"},
      {"a: |+\n  x\n\n", {"b"}, "2", "a: |+\n  x\n\nb: 2\n"},
      {"a: 1\n---\nc: 1\n", {"b"}, "2", "a: 1\nb: 2\n---\nc: 1\n"},
      {"a: 1\n...\n", {"b"}, "2", "a: 1\nb: 2\n...\n"},
      {"", {"b"}, "2", "b: 2\n"},
      {"# only\n", {"b"}, "2", "# only\nb: 2\n"},
      {"---\n", {"b"}, "2", "---\nb: 2\n"},
      {"\xEF\xBB\xBF",
       {"b"},
       "2",
       "\xEF\xBB\xBF"
       "b: 2\n"},
      {"a: 1\n", {"no"}, "2", "a: 1\n\"no\": 2\n"},
      {"a: 1\n", {"b", "c", "d"}, "2", "a: 1\nb:\n  c:\n    d: 2\n"},
      {"{}\n", {"b"}, "2", "{\"b\":2}\n"},
      {"{a: 1} # c\n", {"b"}, "2", "a: 1\nb: 2 # c\n"},
  };
  for (const auto& [doc, path, value, want] : cases) EXPECT_EQ(want, text_of(yaml_set(doc, path, value))) << doc;
}

TEST(YamlEdit, paths_descend_into_block_mappings) {
  const std::string status =
      "# status\nactive:\n    initiative: x  # name\n    # the phase\n    phase: 1\n\nsessions:\n  - completed: false\n"
      "resume:\n    next_action: go\n    files: [a, b]\n";
  const auto changed = [&](std::string_view from, std::string_view to) {
    std::string out = status;
    return out.replace(out.find(from), from.size(), to);
  };
  const std::vector<Case> cases = {
      {status, {"active", "phase"}, "2", changed("phase: 1", "phase: 2")},
      {status, {"active", "initiative"}, "\"w\"", changed(": x  #", ": w  #")},
      {status, {"active", "milestone"}, "3", changed("phase: 1\n", "phase: 1\n    milestone: 3\n")},
      {status, {"resume", "at", "line"}, "4", status + "    at:\n      line: 4\n"},
      {status, {"sessions", 0, "completed"}, "true", changed("completed: false", "completed: true")},
      {status, {"sessions", 1}, R"({"completed":true})", changed("false\n", "false\n  - completed: true\n")},
      {status, {"resume", "files", 2}, "\"c\"", changed("files: [a, b]", "files:\n      - a\n      - b\n      - c")},
      {"a: {b: 1}\n", {"a", "c"}, "2", "a:\n  b: 1\n  c: 2\n"},
      {"a:\nb: 1\n", {"a", "c"}, "2", "a:\n  c: 2\nb: 1\n"},
      {"a:\n  b: |+\n    x\n\nc: 1\n", {"a", "d"}, "2", "a:\n  b: |+\n    x\n\n  d: 2\nc: 1\n"},
      {"a: &x {k: 1}\nb: *x\n", {"b", "k"}, "2", "a: &x {k: 1}\nb:\n  k: 2\n"},
  };
  for (const auto& [doc, path, value, want] : cases) EXPECT_EQ(want, text_of(yaml_set(doc, path, value))) << doc;
}

TEST(YamlEdit, setting_equal_value_changes_nothing) {
  const std::string doc = "a:   'x'\nb: [ 1,2 ]\nc: |\n  t\nd:\n  k: {  }\n";
  EXPECT_EQ(doc, text_of(yaml_set(doc, "a", "\"\\u0078\"")));
  EXPECT_EQ(doc, text_of(yaml_set(doc, "b", "[1, 2]")));
  EXPECT_EQ(doc, text_of(yaml_set(doc, "c", "\"t\\n\"")));
  EXPECT_EQ(doc, text_of(yaml_set(doc, {"d", "k"}, "{}")));
  EXPECT_EQ("{ \"a\": \"\\u0078\" }", text_of(yaml_set("{ \"a\": \"\\u0078\" }", "a", "\"x\"")));
  EXPECT_EQ("{ \"a\": 2 }", text_of(yaml_set("{ \"a\": \"\\ud83d\\ude00\" }", "a", "2")));
}

TEST(YamlEdit, remove_deletes_key_and_its_lines) {
  const std::vector<Case> cases = {
      {"a: 1\n# b\nb: 2 # c\n# c\nc: 3\n", {"b"}, "", "a: 1\n# b\n# c\nc: 3\n"},
      {"a: 1\nb:\n  - x\n  - |\n    y\n\nc: 3\n", {"b"}, "", "a: 1\n\nc: 3\n"},
      {"a: 1\nb: 2", {"b"}, "", "a: 1"},
      {"a: 1\r\nb: 2", {"b"}, "", "a: 1"},
      {"a: |\n  x\nb: 2", {"b"}, "", "a: |\n  x\n"},
      {"a: |+\n  x\nb: 2\n\n", {"b"}, "", "a: |+\n  x\n"},
      {"a: 1\nb: 2\n", {"z"}, "", "a: 1\nb: 2\n"},
      {"b: 1\na: 2\nb: 3\n", {"b"}, "", "a: 2\n"},
      {"# top\na: 1 # c\n", {"a"}, "", "# top\n{} # c\n"},
      {"a:\n  b: 1\nc: 2\n", {"a", "b"}, "", "a: {}\nc: 2\n"},
      {"a:\n  b: 1\n  d: 1\nc: 2\n", {"a", "b"}, "", "a:\n  d: 1\nc: 2\n"},
      {"a: {b: 1, d: 2}\n", {"a", "b"}, "", "a:\n  d: 2\n"},
      {"a: [1, 2]\n", {"a", 0}, "", "a:\n  - 2\n"},
      {"{a: 1} # c\n", {"a"}, "", "{} # c\n"},
      {"{\"a\": 1, \"b\": 2}\n", {"b"}, "", "{\"a\": 1}\n"},
  };
  for (const auto& [doc, path, value, want] : cases) EXPECT_EQ(want, text_of(yaml_remove(doc, path))) << doc;
}

// JSON white space that yaml-cpp treats as text: found by yaml_edit_fuzz.
TEST(YamlEdit, json_document_with_odd_whitespace_can_be_edited) {
  for (const std::string doc : {"{\r}\n", "{\"b\"\n:1}", "\xEF\xBB\xBF{\r\"b\":[\r1]}"}) {
    const auto edited = yaml_set(doc, "", "{\r}");
    ASSERT_TRUE(edited) << doc;
    const auto json = yaml_to_json(*edited);
    ASSERT_TRUE(json) << *edited;
    EXPECT_EQ("{}", JsonView(*json).find("").raw()) << *edited;
    EXPECT_EQ(*edited, text_of(yaml_set(*edited, "", "{}"))) << "the same value again";
    EXPECT_EQ(text_of(yaml_to_json(doc)), text_of(yaml_to_json(text_of(yaml_remove(*edited, ""))))) << doc;
  }
}

// Found by fuzzing: an edit of such a document could not be read back.
TEST(YamlEdit, two_byte_order_marks_are_refused) {
  const std::string doc = "\xEF\xBB\xBF\xEF\xBB\xBF\n:\n~:\n~:";
  EXPECT_EQ(yaml_set(doc, {"a"}, "1").error().code, Code::unsupported);
  EXPECT_EQ(yaml_remove(doc, {"~"}).error().code, Code::unsupported);
}

TEST(YamlEdit, rejects_impossible_edits) {
  const auto code = [](const Result<std::string>& result) {
    return result ? "done: " + *result : std::string(code_name(result.error().code));
  };
  EXPECT_EQ("unsupported", code(yaml_set("a: &x 1\nb: *x\n", "a", "2")));
  EXPECT_EQ("unsupported", code(yaml_remove("a: &x 1\nb: *x\n", "a")).substr(0, 11));
  EXPECT_EQ("unsupported", code(yaml_set("? a\n: 1\n", "a", "2")));
  EXPECT_EQ("invalid_argument", code(yaml_set("a: 1\n", "a", "{")));
  EXPECT_EQ("invalid_argument", code(yaml_set("a: 1\n", JsonPath(), "1")));
  EXPECT_EQ("invalid_argument", code(yaml_set("a: 1\n", "\xFF", "1")));
  EXPECT_EQ("corrupt", code(yaml_set("a: [\n", "a", "1")));
  EXPECT_EQ("schema_mismatch", code(yaml_set("- 1\n", "a", "1")));
  EXPECT_EQ("schema_mismatch", code(yaml_set("a: 1\n", {"a", "b"}, "1")));
  EXPECT_EQ("not_found", code(yaml_set("a: [1]\n", {"a", 5}, "1")));
}

}  // namespace
}  // namespace holdfast
