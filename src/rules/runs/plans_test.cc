#include "rules/runs/plans.h"

#include "rules/rules_testing.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::string_view kSeed =
    "# Plan: Refactor auth module\n\n**Status:** approved\n**Origin:** model_managed\n\n"
    "- [x] Read existing auth code\n  src/auth.rs \xe2\x80\x94 understand current session handling\n"
    "- [~] Implement JWT validation\n- [ ] Add tests\n- [-] Skipped: migration script\n";

TEST(PlanText, G07_ReadsTheSeedsPlan) {
  const Plan plan = read_plan(kSeed);
  EXPECT_EQ(plan.summary, "Refactor auth module");
  EXPECT_EQ(plan.status, "approved");
  EXPECT_EQ(plan.origin, "model_managed");
  ASSERT_EQ(plan.items.size(), 4u);
  EXPECT_EQ(plan.items[0].description, "src/auth.rs \xe2\x80\x94 understand current session handling");
  EXPECT_EQ(plan.items[0].status, ItemStatus::done);
  EXPECT_EQ(plan.items[1].status, ItemStatus::in_progress);
  EXPECT_EQ(plan.items[2].status, ItemStatus::pending);
  EXPECT_EQ(plan.items[3].status, ItemStatus::skipped);
}

TEST(PlanText, G07_UnknownStatusAndOriginReadAsTheProgramDoes) {
  const Plan plan = read_plan("# Plan: x\n\n**Status:** dreaming\n\n**Origin:** heaven\n");
  EXPECT_EQ(plan.status, "executing");
  EXPECT_EQ(plan.origin, "model_managed");
}

TEST(PlanText, G07_NestedAndMultiLineItemsRoundTrip) {
  Plan plan{.summary = "P", .status = "executing", .origin = "user_requested"};
  plan.items = {{"one", ItemStatus::done, "first line\n\n  indented\nlast", 0}, {"inner", ItemStatus::pending, "d", 1}};
  const std::string text = spell_plan(plan);
  const Plan read = read_plan(text);
  ASSERT_EQ(read.items.size(), 2u) << text;
  EXPECT_EQ(read.items[0].description, plan.items[0].description);
  EXPECT_EQ(read.items[1].depth, 1u);
  EXPECT_EQ(read.items[1].description, "d");
  EXPECT_EQ(spell_plan(read), text);
}

TEST(PlanText, G07_KnownTitlesChangeTheirMarkerAndNoOtherByte) {
  const std::vector<ItemChange> items = {{"Add tests", ItemStatus::in_progress, {}}};
  std::string expected(kSeed);
  expected.replace(expected.find("[ ] Add"), 3, "[~]");
  EXPECT_EQ(must(update_items(kSeed, items)), expected);
}

TEST(PlanText, G07_OtherTitlesReplaceTheListAndKeepWhatTheyHad) {
  const std::vector<ItemChange> items = {{"Read existing auth code", {}, {}}, {"New", {}, "why\nso"}};
  const Plan plan = read_plan(must(update_items(std::string(kSeed) + "\nNotes stay.\n", items)));
  ASSERT_EQ(plan.items.size(), 2u);
  EXPECT_EQ(plan.items[0].status, ItemStatus::done);
  EXPECT_EQ(plan.items[0].description, "src/auth.rs \xe2\x80\x94 understand current session handling");
  EXPECT_EQ(plan.items[1].description, "why\nso");
  EXPECT_NE(must(update_items(std::string(kSeed) + "\nNotes stay.\n", items)).find("Notes stay."), std::string::npos);
}

TEST(PlanText, G07_AnExecutingPlanCompletesWhenAllIsDoneOrSkipped) {
  const std::string executing = must(set_plan_status(kSeed, "executing"));
  EXPECT_EQ(read_plan(must(finish_items(executing))).status, "completed");
  EXPECT_EQ(read_plan(must(finish_items(kSeed))).status, "approved");
  EXPECT_EQ(read_plan(must(finish_items(executing))).items[3].status, ItemStatus::skipped);
}

TEST(PlanText, G07_WindowsLineEndsAndDuplicateTitlesSurvive) {
  const std::string doc = "# Plan: x\r\n\r\n**Status:** executing\r\n\r\n- [ ] same\r\n- [ ] same\r\n";
  const std::vector<ItemChange> items = {{"same", {}, {}}, {"same", ItemStatus::done, {}}};
  EXPECT_EQ(must(update_items(doc, items)),
            "# Plan: x\r\n\r\n**Status:** executing\r\n\r\n- [ ] same\r\n- [x] same\r\n");
  const std::vector<ItemChange> with_text = {{"same", {}, "a\nb"}};
  EXPECT_NE(must(update_items(doc, with_text)).find("- [ ] same\r\n  a\r\n  b\r\n- [ ] same\r\n"), std::string::npos);
}

TEST(PlanText, G07_AMissingStatusLineIsMade) {
  EXPECT_EQ(read_plan(must(set_plan_status("# Plan: x\n\n- [ ] a\n", "approved"))).status, "approved");
  EXPECT_EQ(read_plan(must(set_plan_status("# Plan: x", "approved"))).status, "approved");
  EXPECT_EQ(set_plan_status(kSeed, "rejected").error().code, Code::invalid_argument);
}

TEST(PlanText, G07_SlugsFollowTheSeed) {
  EXPECT_EQ(plan_slug("Refactor the Auth module (JWT), now please", false), "refactor-the-auth-module-jwt");
  EXPECT_EQ(plan_slug("  !!! ", false), "plan");
  EXPECT_EQ(plan_slug("\xc3\x9c"
                      "ber \xe2\x80\x94 alles",
                      false),
            "\xc3\x9c"
            "ber-alles");
  EXPECT_EQ(plan_slug("\xc3\x9c"
                      "ber alles",
                      true),
            "ber-alles");
}

TEST_P(SeedRules, G07_PlansWithOneSlugGetNumbers) {
  const Plan plan{.summary = "Fix it", .items = {{"a"}}};
  EXPECT_EQ(must(create_plan(context, store, project, plan)), "fix-it");
  EXPECT_EQ(must(create_plan(context, store, project, plan)), "fix-it-2");
  EXPECT_EQ(must(create_plan(context, store, project, plan)), "fix-it-3");
  EXPECT_EQ(must(list_plans(context, store, project)).size(), 3u);
  EXPECT_EQ(get_plan(context, store, project, "fix-it-4").error().code, Code::not_found);
  EXPECT_EQ(get_plan(context, store, project, "../x").error().code, Code::unsafe_path);
}

TEST_P(SeedRules, G07_ResumesTheLastChangedPlanThatIsUnderWay) {
  for (const char* summary : {"one", "two", "three"})
    must(create_plan(context, store, project, {.summary = summary, .items = {{"a"}}}));
  EXPECT_EQ(resume_plan(context, store, project).error().code, Code::not_found);
  must(update_plan(context, store, project, "two", {.status = "executing"}));
  must(update_plan(context, store, project, "one", {.status = "approved"}));
  EXPECT_EQ(must(resume_plan(context, store, project)).id, "one");
  must(update_plan(context, store, project, "one", {.status = "executing", .all_done = true}));
  EXPECT_EQ(must(get_plan(context, store, project, "one")).status, "completed");
  EXPECT_EQ(must(resume_plan(context, store, project)).id, "two");
}

}  // namespace
}  // namespace holdfast::inline v1
