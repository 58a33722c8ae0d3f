// A save trigger (state, metrics, a ticked box of the plan) compared with the floor's
// commit of three documents of the same sizes in two directories, in turns.
#include <fmt/core.h>
#include <holdfast/commit.h>

#include <chrono>

#include "bench/jobs.h"
#include "bench/store_jobs.h"
#include "rules/workflow/session_start.h"
#include "rules/workflow/workflow.h"
#include "text/json_write.h"

namespace holdfast::bench {
namespace {

constexpr int kTasks = 150;

template <typename Work>
double micros(const Work& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count();
}

std::string task_name(int number) { return "task-" + std::to_string(number); }

// A session with a plan of one box per task.
std::string begin_work(Store& store, const std::string& project) {
  const std::string id =
      need(start_session({}, store, {.module = "auth", .no_resume = true, .project = project})).workflow.id;
  WorkflowEvent tasks;
  std::string plan = "# Plan\n\n";
  for (int number = 0; number < kTasks; ++number) {
    tasks.new_tasks.push_back({.id = task_name(number), .name = task_name(number)});
    plan += "- [ ] " + task_name(number) + "\n";
  }
  need(store.edit_records({}, [&](const Store::Look&) -> Result<std::vector<RecordEdit>> {
    const std::string body = JsonWriter().begin_object().key("body").string(plan).end_object().take();
    return std::vector<RecordEdit>{{RecordEdit::Kind::create, {"plan", project, "auth"}, body}};
  }));
  need(save_workflow({}, store, id, tasks));
  return id;
}

struct Samples {
  std::vector<double> floor, save;
};

Samples measure(Store& store, const std::shared_ptr<Root>& root, const std::string& project) {
  const std::string id = begin_work(store, project);
  Samples samples;
  std::string sizes[3] = {std::string(12'000, 's'), std::string(8'000, 'm'), std::string(2'500, 'p')};
  for (int number = 0; number < kTasks; ++number) {
    need(save_workflow({}, store, id, {.tasks = {{task_name(number), "InProgress"}}}));
    samples.save.push_back(micros([&] {
      need(save_workflow({}, store, id,
                         {.tasks = {{task_name(number), "Complete"}}, .iteration = Iteration{100, 20, 4096, false}}));
    }));
    for (std::string& bytes : sizes) bytes[0] = static_cast<char>('a' + number % 20);
    samples.floor.push_back(micros([&] {
      Commit commit(root);
      commit.put(root, "session/state.json", sizes[0]);
      commit.put(root, "session/metrics.json", sizes[1]);
      commit.put(root, "module/plan.md", sizes[2]);
      need(commit.run({}));
    }));
  }
  return samples;
}

}  // namespace

Group store_save_job(const std::string& directory) {
  Group group{"a save trigger: state, metrics and a box of the plan", {}};
  const auto root = need(Root::open({}, real_file_system(), directory + "/save-floor", {.create = true}));
  for (const std::string layout : {"lopen", "holdfast"}) {
    const auto store = open_store(layout, fmt::format("{}/save-{}", directory, layout));
    Samples samples = measure(*store, root, layout == "lopen" ? "" : "/srv/p");
    const std::size_t base = group.rows.size();
    group.rows.push_back(timing("floor: commit of three documents", std::move(samples.floor)));
    group.rows.push_back(timing(layout + ": save trigger", std::move(samples.save)));
    at_most(group.rows[base + 1], group.rows[base], 1.2);
  }
  return group;
}

}  // namespace holdfast::bench
