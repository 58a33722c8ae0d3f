#include "handoff/tool_table.h"

#include <gtest/gtest.h>

#include <set>

#include "layout/layout.h"

namespace holdfast::inline v1 {
namespace {

std::span<const ToolName> names_of(std::string_view layout) { return find_layout(layout)->tool_names(); }

std::string mapped(std::string_view from, std::string_view name, std::string_view json, std::string_view to) {
  const auto common = to_common(names_of(from), name, json);
  if (!common) return "unknown";
  const auto own = from_common(names_of(to), *common);
  return own ? own->name + " " + own->json : "none";
}

TEST(ToolTable, MapsNamesAndArgumentsToTheTarget) {
  EXPECT_EQ(mapped("claude-code", "Bash", R"({"command":"ls","description":"List"})", "codex"),
            R"(exec_command {"cmd":"ls","description":"List"})");
  EXPECT_EQ(mapped("codex", "exec_command", R"({"cmd":"ls","workdir":"/srv"})", "gemini"),
            R"(run_shell_command {"command":"ls","dir_path":"/srv"})");
  EXPECT_EQ(mapped("codex", "shell", R"({"command":["bash","-lc","ls | wc"]})", "pi"), R"(bash {"command":"ls | wc"})");
  EXPECT_EQ(mapped("codex", "shell", R"({"command":["echo","it's"]})", "pi"), R"(bash {"command":"echo 'it'\\''s'"})");
  EXPECT_EQ(mapped("opencode", "edit", R"({"filePath":"a","oldString":"x","newString":"y","replaceAll":true})",
                   "claude-code"),
            R"(Edit {"file_path":"a","old_string":"x","new_string":"y","replace_all":true})");
  EXPECT_EQ(mapped("claude-code", "TodoWrite", R"({"todos":[{"content":"A","status":"pending"}]})", "codex"),
            R"(update_plan {"plan":[{"step":"A","status":"pending"}]})");
  EXPECT_EQ(mapped("claude-code", "Read", R"({"file_path":"a"})", "codex"), "none");
  EXPECT_EQ(mapped("claude-code", "mcp__x__y", "{}", "codex"), "unknown");
  EXPECT_EQ(mapped("claude-code", "Bash", R"({"description":"no command"})", "codex"), "unknown");
  EXPECT_EQ(mapped("claude-code", "Read", R"({"file_path":"a","path":"b"})", "pi"), "unknown");  // two paths
}

// Each cell of the table, both ways.
TEST(ToolTable, CallsRoundTripBetweenAgents) {
  for (const Layout* from : layouts()) {
    for (const ToolName& name : from->tool_names()) {
      if (name.older) continue;
      std::string json = "{";
      for (const ToolArgument& argument : name.arguments) {
        if (argument.own.empty()) continue;
        const std::string value =
            argument.item.empty() ? "\"v\"" : R"([{")" + std::string(argument.item) + R"(":"a","status":"pending"}])";
        json += (json == "{" ? "\"" : ",\"") + std::string(argument.own) + "\":" + value;
      }
      json += R"(,"other":1})";
      for (const Layout* to : layouts()) {
        const auto common = to_common(from->tool_names(), name.name, json);
        ASSERT_TRUE(common) << from->name() << " " << name.name;
        EXPECT_EQ(common->tool, name.tool);
        const auto own = from_common(to->tool_names(), *common);
        if (!own) continue;
        const auto again = to_common(to->tool_names(), own->name, own->json);
        ASSERT_TRUE(again) << to->name() << " " << own->name << " " << own->json;
        const auto back = from_common(from->tool_names(), *again);
        ASSERT_TRUE(back);
        EXPECT_EQ(back->name, name.name);
        EXPECT_EQ(back->json, json) << from->name() << " -> " << to->name();
      }
    }
  }
}

TEST(ToolTable, EachAgentNamesAToolOnce) {
  for (const Layout* layout : layouts()) {
    std::set<Tool> seen;
    for (const ToolName& name : layout->tool_names())
      EXPECT_TRUE(name.older || seen.insert(name.tool).second) << layout->name() << " " << name.name;
  }
}

}  // namespace
}  // namespace holdfast::inline v1
