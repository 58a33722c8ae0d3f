// Unreadable files, and failed writes.
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>

#include "rules/workflow/lopen_testing.h"
#include "rules/workflow/workflow_failure.h"
#include "store/engine.h"
#include "store/processes_testing.h"
#include "store/repair.h"
#include "store/small_disk_testing.h"

namespace holdfast::inline v1 {
namespace {

struct LopenFaults : testing::Test {
  LopenProject files;
  const Context& context = files.context;

  std::vector<Finding> findings() { return must(repair_store(context, *files.store)).findings; }
};

TEST_F(LopenFaults, L12_WriteOpenSetsCorruptSessionsAsideUnchanged) {
  const std::string good = files.start();
  const std::string real = real_state("auth-20260216-1", "auth");
  const std::vector<std::pair<std::string, std::string>> bad = {
      {"auth-20260216-1", real.substr(0, 60)},                      // truncated
      {"auth-20260216-2", std::string("\x00\xff\x01garbage", 10)},  // binary
      {"auth-20260216-3", ""},                                      // empty, after a power loss
      {"auth-20260216-4", "{\"session_id\":\"auth-20260216-4\"}"},  // missing keys
  };
  for (const auto& [id, bytes] : bad) {
    files.put_session(id, bytes);
    files.put(".lopen/sessions/" + id + "/history/1.json", "{}");
  }
  files.put_session("auth-20260216-5", real_state("auth-20260216-5", "auth"));
  files.put(".lopen/sessions/auth-20260216-5/metrics.json", "{\"session_id\":");
  files.reopen(false);
  EXPECT_EQ(must(files.store->list(context)).findings.size(), 5u);
  EXPECT_EQ(files.lopen("sessions/auth-20260216-3/state.json"), "");  // reading moves nothing
  files.reopen();
  EXPECT_EQ(files.ids(), std::vector<std::string>{good});
  for (const auto& [id, bytes] : bad) {
    EXPECT_EQ(files.lopen("corrupted/" + id + "/state.json"), bytes);  // never repaired
    EXPECT_EQ(files.lopen("corrupted/" + id + "/history/1.json"), "{}");
    EXPECT_EQ(files.lopen("sessions/" + id + "/state.json"), "<none>");
  }
  EXPECT_EQ(files.lopen("corrupted/auth-20260216-5/metrics.json"), "{\"session_id\":");
  const auto told = findings();
  ASSERT_EQ(told.size(), 5u);
  for (const Finding& finding : told) {
    EXPECT_EQ(finding.kind, "corrupt");
    EXPECT_TRUE(finding.file.ends_with("state.json") || finding.file.ends_with("metrics.json")) << finding.file;
    EXPECT_NE(finding.consequence.find(".lopen/corrupted/"), std::string::npos) << finding.consequence;
  }
  const auto started = must(start_session(context, *files.store, {.module = "auth", .no_resume = true}));
  EXPECT_EQ(started.findings.size(), 5u);  // reported when a session is started
}

TEST_F(LopenFaults, L12_SetAsideNameCollisionGetsNumber) {
  for (int n = 0; n < 3; ++n) {
    files.put_session("auth-20260216-1", "garbage " + std::to_string(n));
    files.reopen();
  }
  EXPECT_EQ(files.lopen("corrupted/auth-20260216-1/state.json"), "garbage 0");
  EXPECT_EQ(files.lopen("corrupted/auth-20260216-1-2/state.json"), "garbage 1");
  EXPECT_EQ(files.lopen("corrupted/auth-20260216-1-3/state.json"), "garbage 2");
}

TEST_F(LopenFaults, L12_NonTextPlanIsSetAside) {
  files.put(".lopen/modules/auth/plan.md", std::string("- [ ] a\n\x00\xff", 10));
  files.put(".lopen/modules/good/plan.md", "- [ ] a\n");
  files.reopen();
  EXPECT_EQ(files.lopen("corrupted/modules/auth/plan.md"), std::string("- [ ] a\n\x00\xff", 10));
  EXPECT_EQ(files.lopen("modules/auth/plan.md"), "<none>");
  EXPECT_EQ(files.lopen("modules/good/plan.md"), "- [ ] a\n");
}

TEST_F(LopenFaults, L12_MissingOrNullStateIsNotFoundNotCorrupt) {
  files.put_session("auth-20260216-1", "null");
  files.put(".lopen/sessions/auth-20260216-2/metrics.json.tmp", "left by Lopen's prune");
  files.reopen();
  EXPECT_TRUE(findings().empty());
  EXPECT_TRUE(files.ids().empty());
  EXPECT_EQ(files.lopen("sessions/auth-20260216-1/state.json"), "null");
  const auto refused = resume_workflow(context, *files.store, "auth-20260216-1");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "Session not found: auth-20260216-1");
}

TEST_F(LopenFaults, L12_MarkMovesAwayFromCorruptSession) {
  const std::string one = files.start(), two = files.start();
  files.put_session(two, "garbage");
  files.reopen();
  EXPECT_EQ(files.latest(), one);
}

TEST_F(LopenFaults, L13_ErrorHasLopenFormatWithPathAndCause) {
  const Error told = critical_error({Code::disk_full, "cannot write", "/p/.lopen/sessions/a/state.json", ENOSPC}, "/p");
  EXPECT_EQ(told.message,
            "the workflow is paused: its state cannot be saved | Path: /p/.lopen/sessions/a/state.json | OS Error: No "
            "space left on device (0x0000001c) | Details: cannot write");
  EXPECT_EQ(told.code, Code::disk_full);
  EXPECT_EQ(told.os_error, ENOSPC);
  // The path and the system's message are there once.
  const std::string path = "/p/.lopen/sessions/a/state.json";
  for (const std::string message : {"cannot write: No space left on device", "cannot write"})
    for (const std::string& end : {std::string(), " (" + path + ")"})
      EXPECT_EQ(critical_error({Code::disk_full, message + end, path, ENOSPC}, "/p").message, told.message) << message;
}

TEST(LopenDisk, L13_FullDiskPausesWorkflowUntilResumed) {
  const TemporaryDirectory scratch;
  const std::string disk = scratch.path("disk");
  const SmallDisk small(disk);
  if (!small.mounted()) GTEST_SKIP() << "mounting a small disk needs root";
  auto store = open_at("lopen", disk + "/p");
  const std::string id = must(start_session({}, *store, {.module = "auth"})).workflow.id;
  must(save_workflow({}, *store, id, {.trigger = "SpecApproved"}));
  const std::string filler = disk + "/filler";
  {
    std::ofstream fill(filler);
    for (int n = 0; n < 600 && fill; ++n) fill << std::string(1024, 'f') << std::flush;
  }
  const auto full = save_workflow({}, *store, id, {.trigger = "DependenciesDetermined"});
  ASSERT_FALSE(full);
  EXPECT_EQ(full.error().code, Code::disk_full) << full.error().text();
  EXPECT_EQ(full.error().os_error, ENOSPC);
  EXPECT_NE(full.error().message.find(" | Path: " + disk + "/p/.lopen/"), std::string::npos) << full.error().message;
  EXPECT_NE(full.error().message.find(" | OS Error: No space left on device (0x0000001c)"), std::string::npos);
  const auto resumed_too_early = resume_workflow({}, *store, id);
  ASSERT_FALSE(resumed_too_early);  // the check fails: nothing may begin
  EXPECT_EQ(resumed_too_early.error().code, Code::disk_full);
  ASSERT_EQ(::unlink(filler.c_str()), 0);
  // Free space alone is not enough: the session must be resumed explicitly.
  for (int again = 0; again < 2; ++again) {
    const auto refused = save_workflow({}, *store, id, {.trigger = "DependenciesDetermined"});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Code::storage_unavailable);
    EXPECT_NE(refused.error().message.find("No space left on device"), std::string::npos) << refused.error().message;
  }
  EXPECT_FALSE(must(get_workflow({}, *store, id)).paused.empty());
  // Nothing acknowledged is lost, and the refused change did not happen.
  EXPECT_EQ(must(get_workflow({}, *store, id)).step_written, "DetermineDependencies");
  std::filesystem::create_directories(disk + "/p/docs/requirements/auth");
  std::ofstream(disk + "/p/docs/requirements/auth/SPECIFICATION.md") << "# Auth\n";
  must(resume_workflow({}, *store, id));
  EXPECT_EQ(must(save_workflow({}, *store, id, {.trigger = "DependenciesDetermined"})).step_written,
            "IdentifyComponents");
}

TEST(LopenDisk, L13_RecordedPauseAppliesToOtherStores) {
  const TemporaryDirectory scratch;
  auto store = open_at("lopen", scratch.path("p"));
  const std::string id = must(start_session({}, *store, {.module = "auth"})).workflow.id;
  FileStore& files = *must(engine_of(*store));
  files.paused().pause(*files.roots().first(), id, "no room");
  auto other = open_at("lopen", scratch.path("p"));
  EXPECT_EQ(save_workflow({}, *other, id, {.pause = true}).error().code, Code::storage_unavailable);
  EXPECT_EQ(must(get_workflow({}, *other, id)).paused, "no room");
  must(resume_workflow({}, *other, id));
  must(save_workflow({}, *other, id, {.pause = true}));
}

// Root may write anywhere, so an unprivileged child does it.
TEST(LopenDisk, L13_ReadOnlyDirectoryIsRefusedBeforeStart) {
  if (::geteuid() != 0) GTEST_SKIP() << "becoming another user needs root";
  const TemporaryDirectory scratch;
  const std::string path = scratch.path("p");
  ASSERT_EQ(::chmod(scratch.path().c_str(), 0755), 0);
  ASSERT_EQ(::mkdir(path.c_str(), 0700), 0);
  ASSERT_EQ(::chown(path.c_str(), 65534, 65534), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    if (::setgid(65534) != 0 || ::setuid(65534) != 0) ::_exit(3);
    const auto store = try_open_at("lopen", path);
    if (!store) ::_exit(4);
    ::chmod(path.c_str(), 0500);  // nothing was created in it yet
    const auto refused = start_session({}, **store, {.module = "auth"});
    if (refused || refused.error().code != Code::permission_denied) ::_exit(5);
    if (refused.error().message.find(" | OS Error: Permission denied (0x0000000d)") == std::string::npos) ::_exit(6);
    if (refused.error().path.find(path) == std::string::npos) ::_exit(7);
    ::chmod(path.c_str(), 0700);
    const auto started = start_session({}, **store, {.module = "auth"});
    if (!started) ::_exit(8);
    ::chmod((path + "/.lopen/sessions/" + started->workflow.id).c_str(), 0500);
    ::chmod((path + "/.lopen/.holdfast").c_str(), 0500);
    ::chmod((path + "/.lopen/.holdfast/tmp").c_str(), 0500);
    const auto unsaved = save_workflow({}, **store, started->workflow.id, {.trigger = "SpecApproved"});
    if (unsaved || unsaved.error().code != Code::permission_denied) ::_exit(9);
    const auto paused = save_workflow({}, **store, started->workflow.id, {.trigger = "SpecApproved"});
    if (paused || paused.error().code != Code::storage_unavailable) ::_exit(10);
    ::chmod((path + "/.lopen/.holdfast").c_str(), 0700);
    ::chmod((path + "/.lopen/.holdfast/tmp").c_str(), 0700);
    ::chmod((path + "/.lopen/sessions/" + started->workflow.id).c_str(), 0700);
    ::_exit(resume_workflow({}, **store, started->workflow.id) ? 0 : 11);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace
}  // namespace holdfast::inline v1
