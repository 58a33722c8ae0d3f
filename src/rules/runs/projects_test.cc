#include "store/projects.h"

#include "rules/rules_testing.h"
#include "rules/runs/runs.h"

namespace holdfast::inline v1 {
namespace {

TEST(NormalizePath, RemovesRedundantParts) {
  EXPECT_EQ(normalize_path("/a//b/./c/../d/"), "/a/b/d");
  EXPECT_EQ(normalize_path("/"), "/");
  EXPECT_EQ(normalize_path("/../x"), "/x");
}

TEST_P(SeedRules, G02_AddsListsAndRemovesProjects) {
  const std::string added = must(add_project(context, store, "/srv/p/"));
  EXPECT_EQ(text_in(added, "path"), "/srv/p");
  EXPECT_EQ(text_in(added, "name"), "p");
  EXPECT_EQ(text_in(added, "added_at"), "2023-11-14T22:13:20.000Z");
  files.clock.step(std::chrono::seconds(1));
  must(add_project(context, store, "/srv/q", "Queue"));
  must(add_project(context, store, "/srv/p"));
  const RecordList all = must(list_projects(context, store));
  ASSERT_EQ(all.records.size(), 2u);
  EXPECT_EQ(text_in(all.records[0], "name"), "Queue");
  must(remove_project(context, store, "/srv/q"));
  EXPECT_EQ(must(list_projects(context, store)).records.size(), 1u);
  EXPECT_EQ(remove_project(context, store, "/srv/q").error().code, Code::not_found);
}

TEST_P(SeedRules, G02_ProjectInUseIsNotRemoved) {
  const std::string id = must(store.create(context, {.project = project, .title = "t"}));
  auto writer = must(store.write(context, id, {.lease = LeaseRequest::take}));
  EXPECT_EQ(remove_project(context, store, project).error().code, Code::busy);
  must(writer->close(context));
  must(remove_project(context, store, project));
  EXPECT_TRUE(must(store.list(context)).sessions.empty());
}

TEST_P(SeedRules, G02_PathsWithSameEncodingAreTwoProjects) {
  const std::string a = must(start_run(context, store, {.project = "/a/b-c", .agent = "x"})).id;
  files.clock.step(std::chrono::seconds(1));
  const std::string b = must(start_run(context, store, {.project = "/a/b/c", .agent = "x"})).id;
  EXPECT_EQ(ids(must(list_runs(context, store, {.project = "/a/b-c"}))), std::vector<std::string>{a});
  EXPECT_EQ(ids(must(list_runs(context, store, {.project = "/a/b/c"}))), std::vector<std::string>{b});
  EXPECT_EQ(must(list_projects(context, store)).records.size(), 2u);
  must(remove_project(context, store, "/a/b-c"));
  EXPECT_EQ(ids(must(list_runs(context, store, {.project = "/a/b/c"}))), std::vector<std::string>{b});
}

TEST_P(SeedRules, G02_PathsThroughLinksAreOneProject) {
  const auto resolve = [](std::string_view path) {
    return path.starts_with("/link") ? "/real" + std::string(path.substr(5)) : std::string(path);
  };
  must(add_project(context, store, "/link/p", {}, resolve));
  must(add_project(context, store, "/real/p", {}, resolve));
  EXPECT_EQ(must(list_projects(context, store)).records.size(), 1u);
  EXPECT_EQ(must(find_project(context, store, "/link/./p", resolve)), "/real/p");
  // A project that another program added under the link is found too.
  must(add_project(context, store, "/link/q"));
  EXPECT_EQ(must(find_project(context, store, "/real/q", resolve)), "/link/q");
  EXPECT_EQ(add_project(context, store, "relative").error().code, Code::invalid_argument);
}

}  // namespace
}  // namespace holdfast::inline v1
