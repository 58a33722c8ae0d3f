// Real processes in one project: ids, the mark, one session saved by many.
#include <filesystem>
#include <set>

#include "rules/workflow/session_start.h"
#include "store/processes_testing.h"

namespace holdfast::inline v1 {
namespace {

std::set<std::string> ids_of(Store& store) {
  std::set<std::string> ids;
  for (const Session& session : must(store.list({})).sessions) ids.insert(session.id);
  return ids;
}

TEST(LopenProcesses, L04_ConcurrentIdsAreUniqueAndNeverReused) {
  const TemporaryDirectory scratch;
  const std::string path = scratch.path("p");
  ASSERT_TRUE(open_at("lopen", path));
  in_processes(16, [&](int) {
    const auto store = open_at("lopen", path);
    return store && start_session({}, *store, {.module = "auth", .no_resume = true});
  });
  const auto store = open_at("lopen", path);
  const std::set<std::string> first = ids_of(*store);
  EXPECT_EQ(first.size(), 16u);
  const std::string latest = std::filesystem::read_symlink(path + "/.lopen/sessions/latest").string();
  EXPECT_TRUE(first.contains(latest)) << latest;
  EXPECT_EQ(latest.find('/'), std::string::npos);
  for (const std::string& id : first) must(store->remove({}, id));
  EXPECT_FALSE(std::filesystem::is_symlink(path + "/.lopen/sessions/latest"));
  in_processes(8, [&](int) {
    const auto own = open_at("lopen", path);
    return own && start_session({}, *own, {.module = "auth", .no_resume = true});
  });
  const std::set<std::string> second = ids_of(*store);
  EXPECT_EQ(second.size(), 8u);
  for (const std::string& id : second) EXPECT_FALSE(first.contains(id)) << id << " came back";
}

TEST(LopenProcesses, L03_ConcurrentSavesAllCount) {
  const TemporaryDirectory scratch;
  const std::string path = scratch.path("p");
  const std::string id = must(start_session({}, *open_at("lopen", path), {.module = "auth"})).workflow.id;
  in_processes(6, [&](int n) {
    const auto store = open_at("lopen", path);
    for (int m = 0; store && m < 10; ++m) {
      if (!save_workflow({}, *store, id, {.iteration = Iteration{n + 1, m, 1000, false}, .history = true}))
        return false;
    }
    return store != nullptr;
  });
  const WorkflowView view = must(get_workflow({}, *open_at("lopen", path), id));
  const JsonView metrics(view.metrics);
  EXPECT_EQ(metrics.find("iteration_count").as_int64(), 60);
  EXPECT_EQ(metrics.find("cumulative_input_tokens").as_int64(), 10 * (1 + 2 + 3 + 4 + 5 + 6));
  EXPECT_EQ(metrics.find("cumulative_output_tokens").as_int64(), 6 * 45);
  std::size_t snapshots = 0;
  for (const auto& entry : std::filesystem::directory_iterator(path + "/.lopen/sessions/" + id + "/history")) {
    (void)entry;
    ++snapshots;
  }
  EXPECT_EQ(snapshots, 60u);
}

TEST(LopenProcesses, L05_MarkIsCorrectAfterConcurrentCreatesAndDeletes) {
  const TemporaryDirectory scratch;
  const std::string path = scratch.path("p");
  const std::string kept = must(start_session({}, *open_at("lopen", path), {.module = "kept"})).workflow.id;
  in_processes(6, [&](int n) {
    const auto store = open_at("lopen", path);
    for (int m = 0; store && m < 5; ++m) {
      const auto made = start_session({}, *store, {.module = "m" + std::to_string(n), .no_resume = true});
      if (!made || !store->remove({}, made->workflow.id)) return false;
    }
    return store != nullptr;
  });
  EXPECT_EQ(ids_of(*open_at("lopen", path)), std::set<std::string>{kept});
  EXPECT_EQ(std::filesystem::read_symlink(path + "/.lopen/sessions/latest").string(), kept);
}

}  // namespace
}  // namespace holdfast::inline v1
