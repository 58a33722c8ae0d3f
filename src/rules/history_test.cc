#include "rules/upkeep/history.h"

#include "rules/rules_testing.h"
#include "rules/runs/missions.h"
#include "rules/runs/repair_records.h"
#include "store/linggen_testing.h"

namespace holdfast::inline v1 {
namespace {

TEST_P(SeedRules, G03_SessionsAreCreatedFilteredClearedAndDeleted) {
  const std::string id = must(store.create(context, {.project = project, .title = "One"}));
  must(store.create(context, {.project = project, .title = "Two"}));
  auto writer = must(store.write(context, id));
  must(writer->append(context, said(Role::user, "to ling", "ling")));
  must(writer->append(context, said(Role::user, "to coder", "coder")));
  EXPECT_EQ(must(store.list(context)).sessions.size(), 2u);
  const Transcript coder = must(read_agent_messages(context, store, id, "coder"));
  ASSERT_EQ(coder.messages.size(), 1u);
  EXPECT_EQ(coder.messages[0].text(), "to coder");
  EXPECT_GE(must(clear_session(context, store, id)), 2u);
  EXPECT_TRUE(must(store.read(context, id)).messages.empty());
  must(writer->append(context, said(Role::user, "again", "ling")));
  EXPECT_EQ(must(store.read(context, id)).messages.size(), 1u);
  must(writer->close(context));
  must(store.remove(context, id));
  EXPECT_EQ(must(store.list(context)).sessions.size(), 1u);
}

TEST_P(SeedRules, G03_SessionInUseIsNotCleared) {
  const std::string id = must(store.create(context, {.project = project, .title = "One"}));
  auto writer = must(store.write(context, id, {.lease = LeaseRequest::take}));
  EXPECT_EQ(clear_session(context, store, id).error().code, Code::busy);
}

TEST_P(SeedRules, G12_BadNamesAreRefusedForEveryKind) {
  const std::string nul("a\0b", 3);
  for (const std::string& bad :
       {std::string(".."), std::string("a/b"), std::string("a\\b"), std::string("a..b"), nul, std::string("a\nb"),
        std::string("a\x01"), std::string("AUX"), std::string("nul.md")}) {
    EXPECT_FALSE(store.create(context, {.id = bad, .project = project})) << bad;
    for (const char* kind : {"run", "mission", "agent_override", "plan", "agent", "skill", "state_file"}) {
      const RecordKey key{kind, project, bad};
      EXPECT_EQ(store.get_record(context, key).error().code, Code::unsafe_path) << kind << " " << bad;
      for (const auto edit : {RecordEdit::Kind::create, RecordEdit::Kind::put, RecordEdit::Kind::remove}) {
        const auto plan = [&](const Store::Look&) -> Result<Edits> { return Edits{{edit, key, "{}"}}; };
        EXPECT_EQ(store.edit_records(context, plan).error().code, Code::unsafe_path) << kind << " " << bad;
      }
    }
  }
}

TEST_P(SeedRules, G01_MemoryAndUnknownFilesAreLeftAlone) {
  must(set_mission(context, store, {project, "m", ""}));
  std::string folder;
  for (const SimEntry& entry : files.disk.tree()) {
    if (entry.path.ends_with("/project.json")) folder = entry.path.substr(0, entry.path.rfind('/'));
  }
  ASSERT_FALSE(folder.empty());
  for (const char* path : {"/memory/a/b.bin", "/memory/x.md", "/unknown.json"})
    must(files.disk.put_file(folder + path, "opaque"));
  must(set_mission(context, store, {project, "n", ""}));
  must(repair_records(context, store));
  files.reopen();
  for (const char* path : {"/memory/a/b.bin", "/memory/x.md", "/unknown.json"})
    EXPECT_EQ(files.bytes(folder + path), "opaque") << path;
}

TEST(Linggen, G01_DaemonFilesAreShownAndLeftAlone) {
  LinggenStore seed("seed");
  EXPECT_EQ(must(daemon_files(seed.context, *seed.store)),
            R"({"pid_file":"ling.pid","pid":4242,"log_file":"ling.log","log_bytes":10})");
  EXPECT_EQ(seed.bytes("/store/ling.pid"), "4242\n");
}

TEST(Linggen, RepairFailsDeadRunsAndMigratesMissions) {
  LinggenStore real("real_2d9569b");
  const RecordRepairs settled = must(repair_records(real.context, *real.store, true));
  EXPECT_EQ(settled.failed_runs, 1u);
  EXPECT_EQ(settled.migrated_missions, 1u);
  EXPECT_TRUE(settled.findings.empty());
}

}  // namespace
}  // namespace holdfast::inline v1
