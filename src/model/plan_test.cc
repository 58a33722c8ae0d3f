#include "model/plan.h"

#include <gtest/gtest.h>

#include <random>

namespace holdfast::inline v1 {
namespace {

std::string must(Result<std::string> text) {
  EXPECT_TRUE(text) << text.error().text();
  return text.value_or("");
}

constexpr std::string_view kSeed =
    "# Plan: Refactor auth module\n\n**Status:** approved\n**Origin:** model_managed\n\n"
    "- [x] Read existing auth code\n  src/auth.rs \xe2\x80\x94 understand current session handling\n"
    "- [~] Implement JWT validation\n- [ ] Add tests\n- [-] Skipped: migration script\n";

TEST(PlanText, G07_ReadsTheSeedsPlan) {
  const Plan plan = read_plan(kSeed);
  EXPECT_EQ(plan.summary, "Refactor auth module");
  EXPECT_EQ(plan.status, PlanStatus::approved);
  EXPECT_EQ(plan.origin, PlanOrigin::model_managed);
  ASSERT_EQ(plan.items.size(), 4u);
  EXPECT_EQ(plan.items[0].description, "src/auth.rs \xe2\x80\x94 understand current session handling");
  EXPECT_EQ(plan.items[0].status, ItemStatus::done);
  EXPECT_EQ(plan.items[1].status, ItemStatus::in_progress);
  EXPECT_EQ(plan.items[2].status, ItemStatus::pending);
  EXPECT_EQ(plan.items[3].status, ItemStatus::skipped);
}

TEST(PlanText, G07_UnknownStatusAndOriginFallBackAsInLinggen) {
  const Plan plan = read_plan("# Plan: x\n\n**Status:** dreaming\n\n**Origin:** heaven\n");
  EXPECT_EQ(plan.status, PlanStatus::executing);
  EXPECT_EQ(plan.origin, PlanOrigin::model_managed);
}

TEST(PlanText, G07_NestedAndMultiLineItemsRoundTrip) {
  Plan plan{.summary = "P", .status = PlanStatus::executing, .origin = PlanOrigin::user_requested};
  plan.items = {{"one", ItemStatus::done, "first line\n\n  indented\nlast", 0}, {"inner", ItemStatus::pending, "d", 1}};
  const std::string text = format_plan(plan);
  const Plan read = read_plan(text);
  ASSERT_EQ(read.items.size(), 2u) << text;
  EXPECT_EQ(read.items[0].description, plan.items[0].description);
  EXPECT_EQ(read.items[1].depth, 1u);
  EXPECT_EQ(read.items[1].description, "d");
  EXPECT_EQ(format_plan(read), text);
}

TEST(PlanText, G07_UpdatingKnownTitleChangesOnlyItsMarker) {
  const std::vector<ItemChange> items = {{"Add tests", ItemStatus::in_progress, {}}};
  std::string expected(kSeed);
  expected.replace(expected.find("[ ] Add"), 3, "[~]");
  EXPECT_EQ(must(update_items(kSeed, items)), expected);
}

TEST(PlanText, G07_NewTitleReplacesListAndKeepsKnownItems) {
  const std::vector<ItemChange> items = {{"Read existing auth code", {}, {}}, {"New", {}, "why\nso"}};
  const Plan plan = read_plan(must(update_items(std::string(kSeed) + "\nNotes stay.\n", items)));
  ASSERT_EQ(plan.items.size(), 2u);
  EXPECT_EQ(plan.items[0].status, ItemStatus::done);
  EXPECT_EQ(plan.items[0].description, "src/auth.rs \xe2\x80\x94 understand current session handling");
  EXPECT_EQ(plan.items[1].description, "why\nso");
  EXPECT_NE(must(update_items(std::string(kSeed) + "\nNotes stay.\n", items)).find("Notes stay."), std::string::npos);
}

TEST(PlanText, G07_FinishingItemsCompletesOnlyExecutingPlan) {
  const std::string executing = must(set_plan_status(kSeed, "executing"));
  EXPECT_EQ(read_plan(must(finish_items(executing))).status, PlanStatus::completed);
  EXPECT_EQ(read_plan(must(finish_items(kSeed))).status, PlanStatus::approved);
  EXPECT_EQ(read_plan(must(finish_items(executing))).items[3].status, ItemStatus::skipped);
}

TEST(PlanText, G07_KeepsCrlfAndDuplicateTitles) {
  const std::string doc = "# Plan: x\r\n\r\n**Status:** executing\r\n\r\n- [ ] same\r\n- [ ] same\r\n";
  const std::vector<ItemChange> items = {{"same", {}, {}}, {"same", ItemStatus::done, {}}};
  EXPECT_EQ(must(update_items(doc, items)),
            "# Plan: x\r\n\r\n**Status:** executing\r\n\r\n- [ ] same\r\n- [x] same\r\n");
  const std::vector<ItemChange> with_text = {{"same", {}, "a\nb"}};
  EXPECT_NE(must(update_items(doc, with_text)).find("- [ ] same\r\n  a\r\n  b\r\n- [ ] same\r\n"), std::string::npos);
}

TEST(PlanText, G07_SettingStatusAddsMissingStatusLine) {
  EXPECT_EQ(read_plan(must(set_plan_status("# Plan: x\n\n- [ ] a\n", "approved"))).status, PlanStatus::approved);
  EXPECT_EQ(read_plan(must(set_plan_status("# Plan: x", "approved"))).status, PlanStatus::approved);
  EXPECT_EQ(set_plan_status(kSeed, "rejected").error().code, Code::invalid_argument);
}

// Documents written by people: prose, code, other lists, odd indents and line ends, unknown words.
std::string random_plan(std::mt19937& random) {
  const auto below = [&](std::size_t count) { return random() % count; };
  const std::string newline = below(3) == 0 ? "\r\n" : "\n";
  std::string text = below(4) == 0 ? "" : "# Plan: x" + newline;
  for (std::size_t lines = below(20); lines > 0; --lines) {
    switch (below(8)) {
      case 0: text += "**Status:** " + std::string(below(2) == 0 ? "dreaming" : "approved") + "  "; break;
      case 1: text += "**Owner:** somebody"; break;
      case 2: text += "```" + newline + "- [ ] code" + newline + "```"; break;
      case 3: text += std::string(below(5), ' ') + "prose - [ ] no item"; break;
      case 4: text += "* plain"; break;
      default:
        text += std::string(2 * below(3), ' ') + "- [" + " ~x-X?"[below(6)] + "] item " + std::to_string(below(9));
        text += std::string(below(3), ' ');
    }
    text += newline;
  }
  return text + (below(2) == 0 ? "no newline at the end" : "");
}

TEST(PlanText, WritingBackWhatWasReadChangesNoByte) {
  std::mt19937 random(1);
  for (int round = 0; round < 2000; ++round) {
    const std::string text = random_plan(random);
    const Plan plan = read_plan(text);
    std::vector<ItemChange> same;
    for (const PlanItem& item : plan.items) same.push_back({item.title, item.status, item.description, item.depth});
    if (plan.status == PlanStatus::executing) continue;  // an unknown status too, and then it may complete
    EXPECT_EQ(must(set_plan_status(text, plan.status.text())), text);
    EXPECT_EQ(must(update_items(text, same)), text);
  }
}

TEST(PlanText, UpdatingOneItemChangesOnlyItsMarker) {
  std::mt19937 random(2);
  std::size_t changed = 0;
  for (int round = 0; round < 2000; ++round) {
    const std::string text = random_plan(random);
    const Plan plan = read_plan(text);
    if (plan.items.empty()) continue;
    const std::string& title = plan.items[random() % plan.items.size()].title;
    const auto status = static_cast<ItemStatus>(random() % 4);
    const std::string now = must(update_items(text, std::vector<ItemChange>{{title, status, {}}}));
    if (now.find("completed") != std::string::npos) continue;  // the last open item of an executing plan
    ASSERT_EQ(now.size(), text.size()) << text;
    std::size_t differ = 0;
    for (std::size_t i = 0; i < text.size(); ++i) differ += now[i] != text[i];
    EXPECT_LE(differ, 1u) << text;
    changed += differ;
  }
  EXPECT_GT(changed, 500u);
}

}  // namespace
}  // namespace holdfast::inline v1
