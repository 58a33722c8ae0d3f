// Real files: directories that cannot be written, concurrent processes, a worktree, and
// edits by other people in between.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "crash/disk/sim_testing.h"
#include "disk/real_testing.h"
#include "rules/initiative/delegation.h"
#include "rules/initiative/initiative.h"
#include "rules/initiative/two_layer.h"
#include "store/engine.h"
#include "store/record_text.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;

Result<std::shared_ptr<Store>> open_at(const std::string& project, const std::string& memory = {}, bool keep = false) {
  StoreOptions options;
  options.layout = "workflow";
  options.roots[""] = project;
  if (!memory.empty()) options.roots["memory"] = memory;
  options.write = options.create = true;
  options.keep_unwritten = keep;
  return Store::open({}, real_file_system(), options);
}

std::string bytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Status and current milestone of the file or the record.
std::string words_of(const std::string& initiative) {
  std::string milestone = text_in(initiative, "currentMilestone");
  if (milestone.empty()) milestone = text_in(initiative, "current_milestone");
  return text_in(initiative, "status") + " " + milestone;
}

// Root may write anywhere, so an unprivileged child does the work on its own files.
void without_rights(const TemporaryDirectory& scratch, const std::function<void()>& work) {
  const pid_t child = ::fork();
  if (child == 0) {
    if (::geteuid() == 0) {
      for (const auto& entry : fs::recursive_directory_iterator(scratch.path()))
        (void)!::chown(entry.path().c_str(), 65534, 65534);
      (void)!::chown(scratch.path().c_str(), 65534, 65534);
      if (::setgid(65534) != 0 || ::setuid(65534) != 0) ::_exit(3);
    }
    work();
    ::_exit(testing::Test::HasFailure() ? 1 : 0);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0) << "see above";
}

const std::vector<std::string> kUnwritable = {"Cannot write state files — workflow state will not persist"};
const std::vector<std::string> kNoMemory = {"Auto-memory unavailable — learnings will not persist"};

struct WorkflowFailure : testing::Test {
  TemporaryDirectory scratch;
  const std::string project = scratch.path("project"), claude = project + "/.claude", memory = scratch.path("memory");
  const std::string state = claude + "/initiative.json";

  WorkflowFailure() {
    fs::create_directories(claude);
    fs::create_directories(memory);
    std::ofstream(state) << R"({"name":"login","status":"created"})";
  }
};

TEST_F(WorkflowFailure, W10_ContinuesInMemoryAndWritesWhenPossible) {
  without_rights(scratch, [&] {
    ::chmod(claude.c_str(), 0500);
    const std::string before = bytes(state);
    const auto store = must(open_at(project, memory, true));
    const InitiativeState started = must(start_milestone({}, *store, "M1"));
    EXPECT_FALSE(started.outcome.persisted);
    EXPECT_EQ(started.outcome.warnings, kUnwritable);
    EXPECT_EQ(must(complete_task({}, *store, "tests")).outcome.warnings, kUnwritable);
    EXPECT_EQ(words_of(must(read_initiative({}, *store, "")).initiative), "in_progress M1") << "this process goes on";
    EXPECT_EQ(bytes(state), before);
    ::chmod(claude.c_str(), 0700);
    const InitiativeState blocked = must(set_initiative_status({}, *store, "blocked"));
    EXPECT_TRUE(blocked.outcome.persisted);
    EXPECT_TRUE(blocked.outcome.warnings.empty());
    const std::string after = bytes(state);
    EXPECT_EQ(words_of(after), "blocked M1");
    EXPECT_NE(after.find("\"lastAction\":\"tests\""), std::string::npos) << after;
    EXPECT_NE(after.find("\"M1\":\"in_progress\""), std::string::npos) << after;
  });
}

TEST_F(WorkflowFailure, W10_ForeignEditStaysAndOursIsSetAside) {
  without_rights(scratch, [&] {
    ::chmod(claude.c_str(), 0500);
    const auto store = must(open_at(project, memory, true));
    must(start_milestone({}, *store, "M1"));
    ::chmod(claude.c_str(), 0700);
    std::ofstream(state) << R"({"name":"login","status":"blocked"})";
    must(set_initiative_status({}, *store, "in_progress"));
    EXPECT_EQ(words_of(bytes(state)), "in_progress ") << "based on what the other wrote";
    EXPECT_EQ(bytes(state).find("M1"), std::string::npos);
    bool found = false;
    for (const auto& entry : fs::recursive_directory_iterator(claude + "/.holdfast/corrupt"))
      found = found || (entry.is_regular_file() && bytes(entry.path()).find("\"M1\"") != std::string::npos);
    EXPECT_TRUE(found) << "the version that could not be written";
  });
}

TEST_F(WorkflowFailure, W10_WithoutKeepUnwrittenChangeIsRefused) {
  without_rights(scratch, [&] {
    ::chmod(claude.c_str(), 0500);
    const std::string before = bytes(state);
    const auto store = must(open_at(project, memory));
    const auto refused = start_milestone({}, *store, "M1");
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Code::permission_denied) << refused.error().text();
    EXPECT_TRUE(refused.error().message.starts_with(kUnwritable[0])) << refused.error().text();
    EXPECT_EQ(bytes(state), before);
    ::chmod(claude.c_str(), 0700);
  });
}

TEST_F(WorkflowFailure, W09_UnwritableMemoryOnlyWarns) {
  without_rights(scratch, [&] {
    InitiativeEvent learned;
    learned.learning = "Ask first";
    std::ofstream(memory + "/MEMORY.md") << "# M\n";
    ::chmod((memory + "/MEMORY.md").c_str(), 0444);
    {
      const auto store = must(open_at(project, memory));
      const InitiativeState state_now = must(start_milestone({}, *store, "M1", learned));
      EXPECT_EQ(state_now.outcome.warnings, kNoMemory) << "the file is read-only";
      EXPECT_TRUE(state_now.outcome.persisted);
      EXPECT_EQ(words_of(bytes(state)), "in_progress M1");
      EXPECT_EQ(must(record_learning({}, *store, "", "H", "x")).warnings, kNoMemory);
    }
    ::chmod((memory + "/MEMORY.md").c_str(), 0644);
    ::chmod(memory.c_str(), 0500);
    {
      const auto store = must(open_at(project, memory));
      EXPECT_EQ(must(set_initiative_status({}, *store, "blocked", learned)).outcome.warnings, kNoMemory)
          << "the directory is read-only";
      EXPECT_EQ(words_of(bytes(state)), "blocked M1");
      EXPECT_TRUE(must(set_initiative_status({}, *store, "in_progress")).outcome.warnings.empty())
          << "there was nothing to learn";
    }
    ::chmod(memory.c_str(), 0700);
    EXPECT_EQ(bytes(memory + "/MEMORY.md"), "# M\n");
    const auto store = must(open_at(project, scratch.path("nowhere")));
    EXPECT_EQ(must(set_initiative_status({}, *store, "blocked", learned)).outcome.warnings, kNoMemory)
        << "the directory is missing";
    EXPECT_FALSE(fs::exists(scratch.path("nowhere")));
  });
}

TEST_F(WorkflowFailure, W02_KeepsModeOfMemoryFileAndStateIsPrivate) {
  std::ofstream(memory + "/MEMORY.md") << "# M\n";
  ::chmod((memory + "/MEMORY.md").c_str(), 0664);
  const auto store = must(open_at(project, memory));
  InitiativeEvent learned;
  learned.learning = "Ask first";
  must(start_milestone({}, *store, "M1", learned));
  struct stat found{};
  ASSERT_EQ(::stat((memory + "/MEMORY.md").c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 0777, 0664u);
  ASSERT_EQ(::stat(state.c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 0777, 0600u);
}

TEST_F(WorkflowFailure, W08_EightProcessesLoseNoUpdate) {
  constexpr int kEach = 8;
  std::vector<pid_t> children;
  for (int n = 0; n < 8; ++n) {
    const pid_t child = ::fork();
    if (child == 0) {
      const auto store = open_at(project, memory);
      if (!store) ::_exit(1);
      for (int m = 0; m < kEach; ++m) {
        InitiativeEvent event;
        event.learning = "learning " + std::to_string(n) + "." + std::to_string(m);
        const std::string task = "task " + std::to_string(n) + "." + std::to_string(m);
        // Every other one requires the revision that it read, and reads again after a conflict.
        for (bool done = false; !done;) {
          if (m % 2 == 1) event.revision = read_initiative({}, **store, "").value().revision;
          const auto state_now = complete_task({}, **store, task, event);
          if (!state_now && state_now.error().code != Code::conflict) ::_exit(2);
          done = state_now.has_value();
        }
      }
      ::_exit(0);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  }
  const std::string initiative = bytes(state), learnings = bytes(memory + "/MEMORY.md");
  for (int n = 0; n < 8; ++n) {
    for (int m = 0; m < kEach; ++m) {
      const std::string which = std::to_string(n) + "." + std::to_string(m);
      EXPECT_NE(initiative.find("\"task " + which + "\""), std::string::npos) << which;
      EXPECT_NE(learnings.find("- learning " + which + "\n"), std::string::npos) << which;
    }
  }
}

TEST_F(WorkflowFailure, W13_WorktreeUsesStateOfItsRepository) {
  const std::string tree = claude + "/worktrees/side", repository = project + "/.git/worktrees/side";
  fs::create_directories(tree + "/.claude");
  fs::create_directories(repository);
  std::ofstream(tree + "/.git") << "gitdir: " << repository << "\n";
  std::ofstream(repository + "/commondir") << "../..\n";
  EXPECT_EQ(must(open_at(tree))->name(), "workflow:" + tree) << "the repository does not know it";
  std::ofstream(repository + "/gitdir") << tree << "/.git\n";
  const auto store = must(open_at(tree));
  EXPECT_EQ(store->name(), "workflow:" + project);
  must(start_milestone({}, *store, "M1"));
  EXPECT_EQ(words_of(bytes(state)), "in_progress M1");
  EXPECT_FALSE(fs::exists(tree + "/.claude/initiative.json"));
  std::ofstream(tree + "/.git") << "gitdir: ../nowhere\n";
  EXPECT_EQ(must(open_at(tree))->name(), "workflow:" + tree);
}

TEST_F(WorkflowFailure, W12_RecoveryKeepsForeignEditAndSetsOursAside) {
  SimFileSystem disk;
  must(disk.put_file("/project/.claude/initiative.json", R"({"name":"login","status":"created"})"));
  must(disk.put_file("/memory/MEMORY.md", "# M\n"));
  disk.sync_all();
  StoreOptions options;
  options.layout = "workflow";
  options.roots = {{"", "/project"}, {"memory", "/memory"}};
  options.write = true;
  // Crashes when the journal is durable but nothing is in place yet.
  struct Stop final : SimObserver {
    explicit Stop(SimFileSystem& sim) : disk(sim) {}
    void after(const SimCall& call) override {
      if (crashed || call.kind != SimCallKind::rename) return;
      if (disk.read_file("/project/.claude/initiative.json").value_or("").find("in_progress") == std::string::npos)
        return;
      Chooser chooser = Chooser::random(1, 1);
      crashed = disk.crash(CrashModel::ordered, chooser);
    }
    SimFileSystem& disk;
    std::unique_ptr<SimFileSystem> crashed;
  } stop(disk);
  disk.set_observer(&stop);
  InitiativeEvent learned;
  learned.learning = "Ask first";
  must(start_milestone({}, *must(Store::open({}, disk, options)), "M1", learned));
  disk.set_observer(nullptr);
  ASSERT_TRUE(stop.crashed);
  must(stop.crashed->put_file("/memory/MEMORY.md", "# edited by a person\n"));
  const auto store = must(Store::open({}, *stop.crashed, options));
  EXPECT_EQ(stop.crashed->read_file("/memory/MEMORY.md").value(), "# edited by a person\n");
  EXPECT_NE(stop.crashed->read_file("/project/.claude/initiative.json").value().find("in_progress"), std::string::npos);
  bool kept = false, told = false;
  for (const SimEntry& entry : stop.crashed->tree())
    kept = kept ||
           (entry.path.find("/corrupt/") != std::string::npos && entry.bytes.find("- Ask first") != std::string::npos);
  for (const auto& [name, root] : must(engine_of(*store))->roots().all()) {
    for (const Finding& finding : root->findings()) told = told || finding.kind == "conflict";
  }
  EXPECT_TRUE(kept);
  EXPECT_TRUE(told);
}

}  // namespace
}  // namespace holdfast::inline v1
