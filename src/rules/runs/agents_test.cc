#include "rules/runs/agents.h"

#include <algorithm>

#include "rules/rules_testing.h"
#include "rules/runs/permissions.h"

namespace holdfast::inline v1 {
namespace {

TEST_P(SeedRules, G06_OverridesAreSetReadChangedAndRemoved) {
  EXPECT_EQ(get_agent_override(context, store, project, "ling").error().code, Code::not_found);
  must(set_agent_override(context, store, project, "ling", {"Custom prompt", 120}));
  const std::string changed = must(set_agent_override(context, store, project, "ling", {{}, 60}));
  EXPECT_EQ(text_in(changed, "agent_id"), "ling");
  EXPECT_EQ(text_in(changed, "idle_prompt"), "Custom prompt");
  EXPECT_EQ(JsonView(changed).find("idle_interval_secs").as_int64(), 60);
  must(remove_agent_override(context, store, project, "ling"));
  EXPECT_EQ(get_agent_override(context, store, project, "ling").error().code, Code::not_found);
  for (const char* bad : {"..", "a/b", "a\\b", "con", ""})
    EXPECT_EQ(set_agent_override(context, store, project, bad, {"x", {}}).error().code, Code::unsafe_path) << bad;
}

TEST_P(SeedRules, G14_AgentsAndSkillsAreListedWithTheirFrontMatter) {
  must(files.disk.put_file("/store/agents/ling.md", "---\nname: ling\ntools: [Read, Write]\n---\n\nYou are Ling.\n"));
  must(files.disk.put_file("/store/agents/plain.md", "No front matter.\n"));
  must(files.disk.put_file("/store/agents/bad.md", "---\nname: [\n---\nx\n"));
  must(files.disk.put_file("/store/skills/flat.md", "---\ndescription: Flat\n---\nf\n"));
  must(files.disk.put_file("/store/skills/deep/SKILL.md", "---\ndescription: Deep\n---\nd\n"));
  must(files.disk.put_file("/store/skills/deep/notes.md", "not a skill"));
  const RecordList agents = must(list_agents(context, store));
  EXPECT_EQ(ids(agents), (std::vector<std::string>{"ling", "plain"}));
  EXPECT_EQ(JsonView(agents.records[0]).find("tools").raw(), R"(["Read","Write"])");
  EXPECT_EQ(text_in(agents.records[0], "body"), "You are Ling.\n");
  ASSERT_EQ(agents.findings.size(), 1u);
  EXPECT_EQ(agents.findings[0].file, "agents/bad.md");
  const RecordList skills = must(list_skills(context, store));
  std::vector<std::string> names = ids(skills);
  std::ranges::sort(names);
  EXPECT_EQ(names, (std::vector<std::string>{"deep", "flat"}));
}

TEST_P(SeedRules, G09_ToolsAreAllowedAndRevoked) {
  EXPECT_TRUE(must(allowed_tools(context, store, project)).empty());
  must(allow_tool(context, store, project, "Write"));
  must(allow_tool(context, store, project, "Edit"));
  must(allow_tool(context, store, project, "Write"));
  EXPECT_EQ(must(allowed_tools(context, store, project)), (std::vector<std::string>{"Write", "Edit"}));
  EXPECT_TRUE(must(revoke_tool(context, store, project, "Write")));
  EXPECT_FALSE(must(revoke_tool(context, store, project, "Write")));
  EXPECT_EQ(must(allowed_tools(context, store, project)), std::vector<std::string>{"Edit"});
}

TEST_P(SeedRules, G15_StateFilesAreCheckedByType) {
  const auto edit = [&](RecordEdit::Kind kind, const std::string& name, const std::string& fields) {
    return store.edit_records(context, [&](const Store::Look&) -> Result<Edits> {
      return Edits{{kind, {"state_file", project, name}, fields}};
    });
  };
  const auto put = [&](const std::string& name, const std::string& fields) {
    return edit(RecordEdit::Kind::put, name, fields);
  };
  must(
      put("pm-1", R"({"type":"pm_task","task_id":"pm-1","status":"open","assigned_tasks":["c-1"],"body":"Do it.\n"})"));
  must(put("c-1", R"({"type":"coder_task","task_id":"c-1","status":"open","assigned_to":"coder"})"));
  must(put("m-1", R"({"type":"message","task_id":"m-1","from":"pm","to":"coder","ts":1700000000})"));
  must(put("us-1", R"({"type":"user_stories","task_id":"us-1"})"));
  must(put("pm-1", R"({"status":"done"})"));
  const std::string changed = must(store.get_record(context, {"state_file", project, "pm-1"}));
  EXPECT_EQ(text_in(changed, "status"), "done");
  EXPECT_EQ(text_in(changed, "body"), "Do it.\n");
  EXPECT_EQ(must(store.list_records(context, {"state_file", project, {}})).records.size(), 4u);
  EXPECT_EQ(put("x", R"({"type":"coder_task","task_id":"x"})").error().code, Code::invalid_argument);
  EXPECT_EQ(put("x", R"({"type":"odd","task_id":"x"})").error().code, Code::invalid_argument);
  EXPECT_EQ(put("../x", R"({"type":"user_stories","task_id":"x"})").error().code, Code::unsafe_path);
  must(edit(RecordEdit::Kind::remove, "us-1", {}));
  EXPECT_EQ(must(store.list_records(context, {"state_file", project, {}})).records.size(), 3u);
}

}  // namespace
}  // namespace holdfast::inline v1
