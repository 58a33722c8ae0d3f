#include "rules/workflow/drift.h"

#include "rules/rules_testing.h"

namespace holdfast::inline v1 {
namespace {

struct Drift : testing::TestWithParam<const char*> {
  LayoutStore files{GetParam()};
  const std::string project = std::string_view(GetParam()) == "lopen" ? "/store" : "/p";
  const std::string spec = project + "/docs/requirements/auth/SPECIFICATION.md";
  const std::string session = "auth-20260214-1";

  void SetUp() override {
    must(files.disk.put_file(spec, "# A\n\nintro\n\n## One\n\n1\n\n## Two\n\n2\n\n## Notes\n\na\n\n## Notes\n\nb\n"));
    keep();
  }
  void keep() { must(record_section_hashes(files.context, *files.store, project, session, "auth")); }
  DriftReport find() { return must(find_drift(files.context, *files.store, project, session, "auth")); }
  std::string told() {
    std::string all;
    const DriftReport report = find();
    for (const DriftedSection& section : report.sections)
      all += section.header + (section.is_new() ? "+" : section.is_removed() ? "-" : "!") + " ";
    return report.known ? all : "unknown";
  }
};

TEST_P(Drift, L22_ReportsChangedNewAndRemovedSections) {
  EXPECT_EQ(told(), "");
  must(files.disk.put_file(spec,
                           "# A\n\nintro\n\n## One\n\n1 changed\n\n## Three\n\n3\n\n## Notes\n\na\n\n## Notes\n\nc\n"));
  EXPECT_EQ(told(), "One! Three+ Notes! Two- ");
  const DriftReport report = find();
  EXPECT_EQ(report.sections[0].previous_hash.size(), 32U);
  EXPECT_NE(report.sections[0].previous_hash, report.sections[0].current_hash);
  EXPECT_EQ(report.sections[0].current_hash.find_first_not_of("0123456789ABCDEF"), std::string::npos);
  keep();
  EXPECT_EQ(told(), "");
}

TEST_P(Drift, L22_HashesSurviveRestartAndPowerLoss) {
  must(files.disk.put_file(spec, "# A\n\n## One\n\n1\n"));
  keep();
  Chooser chooser = Chooser::exhaustive();
  auto disk = files.disk.crash(CrashModel::weak, chooser);
  must(disk->put_file(spec, "# A\n\n## One\n\n2\n"));
  StoreOptions options;
  options.layout = GetParam();
  options.roots = {{"", "/store"}};
  const auto store = must(Store::open(files.context, *disk, options));
  const DriftReport report = must(find_drift(files.context, *store, project, session, "auth"));
  EXPECT_TRUE(report.known);
  ASSERT_EQ(report.sections.size(), 1U);
  EXPECT_EQ(report.sections[0].header, "One");
}

TEST_P(Drift, L22_AddedOrRemovedSpecificationIsDrift) {
  const std::string missing = project + "/docs/requirements/auth";
  must(must(files.disk.open_directory(missing, false))->remove("SPECIFICATION.md"));
  EXPECT_EQ(told(), "A- One- Two- Notes- Notes- ");
  keep();
  must(files.disk.put_file(spec, "# B\n"));
  EXPECT_EQ(told(), "B+ ");
}

TEST_P(Drift, L22_DriftIsUnknownWithoutBaseline) {
  EXPECT_FALSE(must(find_drift(files.context, *files.store, project, "auth-20260214-2", "auth")).known);
  must(remove_section_hashes(files.context, *files.store, session));
  EXPECT_EQ(told(), "unknown");
}

TEST_P(Drift, L22_UnchangedSpecificationCausesNoWrite) {
  files.clock.step(std::chrono::hours(24 * 365 * 50));
  keep();  // long after it was written
  const auto calls = files.disk.calls();
  keep();
  EXPECT_EQ(files.disk.calls(), calls);
}

INSTANTIATE_TEST_SUITE_P(Lopen, Drift, testing::Values("lopen"));
INSTANTIATE_TEST_SUITE_P(Native, Drift, testing::Values("holdfast"));

}  // namespace
}  // namespace holdfast::inline v1
