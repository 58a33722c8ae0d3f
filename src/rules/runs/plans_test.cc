#include "rules/runs/plans.h"

#include "rules/rules_testing.h"

namespace holdfast::inline v1 {
namespace {

TEST(PlanSlug, G07_SlugsFollowSeedRules) {
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

TEST_P(SeedRules, G07_PlansWithSameSlugAreNumbered) {
  const Plan plan{.summary = "Fix it", .items = {{"a"}}};
  EXPECT_EQ(must(create_plan(context, store, project, plan)), "fix-it");
  EXPECT_EQ(must(create_plan(context, store, project, plan)), "fix-it-2");
  EXPECT_EQ(must(create_plan(context, store, project, plan)), "fix-it-3");
  EXPECT_EQ(must(list_plans(context, store, project)).size(), 3u);
  EXPECT_EQ(get_plan(context, store, project, "fix-it-4").error().code, Code::not_found);
  EXPECT_EQ(get_plan(context, store, project, "../x").error().code, Code::unsafe_path);
}

TEST_P(SeedRules, G07_ResumesMostRecentlyChangedOpenPlan) {
  for (const char* summary : {"one", "two", "three"})
    must(create_plan(context, store, project, {.summary = summary, .items = {{"a"}}}));
  EXPECT_EQ(resume_plan(context, store, project).error().code, Code::not_found);
  must(update_plan(context, store, project, "two", {.status = "executing"}));
  must(update_plan(context, store, project, "one", {.status = "approved"}));
  EXPECT_EQ(must(resume_plan(context, store, project)).id, "one");
  must(update_plan(context, store, project, "one", {.status = "executing", .all_done = true}));
  EXPECT_EQ(must(get_plan(context, store, project, "one")).status, PlanStatus::completed);
  EXPECT_EQ(must(resume_plan(context, store, project)).id, "two");
}

}  // namespace
}  // namespace holdfast::inline v1
