// Projects with workflow state for tests: on a simulated disk, the project at /project
// and the memory at /memory; and golden files.
#pragma once

#include <map>

#include "rules/initiative/initiative.h"
#include "rules/rules_testing.h"

namespace holdfast::inline v1 {

struct WorkflowStore {
  explicit WorkflowStore(std::map<std::string, std::string> files = {}, std::string name = "workflow")
      : layout(std::move(name)) {
    context.clock = &clock;
    for (const auto& [path, bytes] : files) must(disk.put_file(path, bytes));
    reopen();
  }
  Result<std::shared_ptr<Store>> open(bool write = true) {
    StoreOptions options;
    options.layout = layout;
    options.roots = {{"", "/project"}};
    if (layout == "workflow") options.roots["memory"] = "/memory";
    options.write = write;
    options.create = write;
    options.keep_unwritten = keep;
    return Store::open(context, disk, options);
  }
  void reopen(bool write = true) {
    if (layout == "workflow" && !disk.exists("/memory")) must(disk.put_file("/memory/other.md", "kept\n"));
    store.reset();
    store = must(open(write));
  }
  std::string bytes(const std::string& path) { return disk.read_file(path).value_or("<none>"); }
  std::string initiative() { return bytes("/project/.claude/initiative.json"); }
  std::string memory() { return bytes("/memory/MEMORY.md"); }
  std::string status(const std::string& name = "login") {
    return bytes("/project/documentation/milestones/_active/" + name + "/WORKFLOW-STATUS.yaml");
  }
  // Everything except the side folders.
  std::map<std::string, std::string> tree() const {
    std::map<std::string, std::string> all;
    for (const SimEntry& entry : disk.tree()) {
      if (entry.kind == FileKind::file && entry.path.find("/.holdfast/") == std::string::npos &&
          entry.path.find("/.side/") == std::string::npos)
        all[entry.path] = entry.bytes;
    }
    return all;
  }

  std::string layout;
  bool keep = false;
  TestClock clock;
  Context context;
  SimFileSystem disk;
  std::shared_ptr<Store> store;
};

// The rules on both layouts with initiatives.
struct Workflows : testing::TestWithParam<const char*> {
  WorkflowStore files{{}, GetParam()};
  const Context& context = files.context;
  Store& store = *files.store;
  const bool native = files.layout == "holdfast";
  const std::string project = native ? "/srv/p" : "";
  InitiativeEvent event(std::string learning = {}) const {
    InitiativeEvent made;
    made.project = project;
    made.learning = std::move(learning);
    return made;
  }
  std::string memory() {
    if (!native) return files.memory();
    auto record = store.get_record(context, {"memory", project, "MEMORY"});
    return record ? text_in(*record, "body") : "<none>";
  }
};

inline std::string words(const Result<InitiativeState>& result) {
  return result ? "it worked" : result.error().message;
}

}  // namespace holdfast::inline v1
