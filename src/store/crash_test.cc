// Events of several files on a disk that dies after every call that changes
// something: afterwards the store shows all of the event or nothing of it, and
// once the event was acknowledged, all of it.
#include <gtest/gtest.h>
#include <holdfast/store.h>

#include <functional>
#include <set>
#include <string>

#include "disk/sim_testing.h"
#include "layout/layout.h"
#include "store/engine.h"
#include "store/missions.h"
#include "store/phases.h"
#include "store/queue.h"
#include "store/queue_book.h"
#include "store/record_text.h"
#include "store/session_start.h"
#include "store/thread_resume.h"
#include "store/threads.h"
#include "store/two_layer.h"
#include "store/workflow_archive.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {
namespace {

using StorePtr = std::shared_ptr<Store>;

StorePtr open_on(SimFileSystem& disk, const std::string& layout) {
  StoreOptions options;
  options.layout = layout;
  for (const RootName& root : find_layout(layout)->roots()) {
    options.roots.emplace(root.name, "/" + std::string(root.name));
    const std::string there = "/" + std::string(root.name) + "/there";
    if (!root.make && !disk.exists(there)) must(disk.put_file(there, ""));
  }
  options.write = true;
  options.create = true;
  options.sync = true;
  return must(Store::open({}, disk, options));
}

struct Event {
  std::string layout;
  std::function<void(Store&)> prepare;
  std::function<Result<void>(Store&)> happen;
  std::function<std::string(Store&)> picture;  // what a user can see of it
};

// Looks at the crash states after each call of the event.
class Crashes final : public SimObserver {
 public:
  Crashes(SimFileSystem& disk, const Event& event, std::string before)
      : disk_(disk), event_(event), before_(std::move(before)) {}

  void after(const SimCall&) override { look(false); }

  void look(bool acknowledged) {
    for (const CrashModel model : kAllModels) {
      Chooser chooser = Chooser::random(12, ++seed_);
      do {
        const auto crashed = disk_.crash(model, chooser);
        const StorePtr store = open_on(*crashed, event_.layout);
        const std::string seen = event_.picture(*store);
        (acknowledged ? finals_ : seen_).insert(seen);
        ++states_;
      } while (chooser.next());
    }
  }

  void judge(const std::string& after) {
    seen_.insert(before_);
    EXPECT_EQ(seen_, (std::set<std::string>{before_, after})) << "a part of the event was visible after a crash";
    EXPECT_EQ(finals_, std::set<std::string>{after}) << "an acknowledged event was lost";
    EXPECT_GT(states_, 50u);
  }

 private:
  SimFileSystem& disk_;
  const Event& event_;
  std::string before_;
  std::set<std::string> seen_, finals_;
  std::uint64_t seed_ = 0;
  std::uint64_t states_ = 0;
};

void all_or_none(const Event& event) {
  SimFileSystem disk;
  StorePtr store = open_on(disk, event.layout);
  event.prepare(*store);
  disk.sync_all();
  Crashes crashes(disk, event, event.picture(*store));
  disk.set_observer(&crashes);
  must(event.happen(*store));
  disk.set_observer(nullptr);
  crashes.look(true);
  const std::string after = event.picture(*store);
  store.reset();
  crashes.judge(after);
}

Message prompt(std::string text) {
  Message message;
  message.blocks.push_back({.kind = BlockKind::text, .text = std::move(text)});
  return message;
}

std::string sessions_of(Store& store) {
  std::string seen;
  std::set<std::string> rows;
  for (const Session& session : must(store.list({})).sessions) {
    const Transcript transcript = must(store.read({}, session.id, {}));
    rows.insert(session.title + "/" + std::to_string(transcript.messages.size()) + (session.parent ? "/fork" : ""));
  }
  for (const std::string& row : rows) seen += row + " ";
  return seen;
}

std::string missions_of(Store& store) {
  std::set<std::string> rows;
  for (const std::string& record : must(store.list_records({}, {"mission", "/p", ""})).records) {
    const JsonView mission(record);
    rows.insert(mission.find("text").as_string().value_or("") + std::string(mission.find("active").raw()));
  }
  std::string seen;
  for (const std::string& row : rows) seen += row + " ";
  return seen;
}

struct LayoutCrash : testing::TestWithParam<std::string> {};

TEST_P(LayoutCrash, ForkIsWholeOrNotThere) {
  std::string id;
  all_or_none({GetParam(),
               [&](Store& store) {
                 id = must(store.create({}, {.project = "/p", .title = "one"}));
                 auto writer = must(store.write({}, id));
                 must(writer->append({}, prompt("a")));
                 must(writer->append({}, prompt("b")));
               },
               [&](Store& store) -> Result<void> {
                 HOLDFAST_TRY(store.fork({}, id, {}));
                 return {};
               },
               sessions_of});
}

TEST_P(LayoutCrash, CreationIsWholeOrNotThere) {
  all_or_none({GetParam(), [](Store&) {},
               [](Store& store) -> Result<void> {
                 HOLDFAST_TRY(store.create({}, {.project = "/p", .title = "new"}));
                 return {};
               },
               sessions_of});
}

TEST_P(LayoutCrash, FirstMessageComesWithItsHeader) {
  std::string id;
  all_or_none({GetParam(), [&](Store& store) { id = must(store.create({}, {.project = "/p"})); },
               [&](Store& store) -> Result<void> {
                 HOLDFAST_LET(writer, store.write({}, id));
                 HOLDFAST_TRY(writer->append({}, prompt("a")));
                 return writer->close({});
               },
               sessions_of});
}

INSTANTIATE_TEST_SUITE_P(Layouts, LayoutCrash, testing::Values("holdfast", "open-agent"),
                         [](const auto& test) { return test.param == "holdfast" ? "holdfast" : "open_agent"; });

struct MissionCrash : testing::TestWithParam<std::string> {};

TEST_P(MissionCrash, SwitchLeavesOneActiveMission) {
  all_or_none({GetParam(), [](Store& store) { must(set_mission({}, store, {.project = "/p", .text = "first"})); },
               [](Store& store) -> Result<void> {
                 HOLDFAST_TRY(set_mission({}, store, {.project = "/p", .text = "second"}));
                 return {};
               },
               missions_of});
}

INSTANTIATE_TEST_SUITE_P(Layouts, MissionCrash, testing::Values("holdfast", "linggen"),
                         [](const auto& test) { return test.param; });

// ---- workflows

std::string start_on(Store& store) {
  const std::string project = store.layout() == "holdfast" ? "/p" : "";
  return must(start_session({}, store, {.module = "auth", .no_resume = true, .project = project})).workflow.id;
}

void put_plan(Store& store, const std::string& text) {
  const RecordKey key{"plan", store.layout() == "holdfast" ? "/p" : "", "auth"};
  must(store.edit_records({}, [&](const Store::Look&) -> Result<Edits> {
    return Edits{
        {RecordEdit::Kind::create, key, JsonWriter().begin_object().key("body").string(text).end_object().take()}};
  }));
}

// State, metrics, the plan's boxes and the snapshots of the one session.
std::string workflow_of(Store& store) {
  std::string seen;
  for (const Session& session : must(store.list({})).sessions) {
    const WorkflowView view = must(get_workflow({}, store, session.id));
    seen += view.step_written;
    for (const TaskNode& node : task_nodes(JsonView(view.state).find("task_hierarchy")))
      seen += " " + node.id + node.state;
    seen += " metrics:" + std::string(JsonView(view.metrics).find("iteration_count").raw());
    FileStore& files = *must(engine_of(store));
    const Context context;
    DirectoryFeed feed(context, files.roots().directories());
    const SessionRef ref = must(files.resolve(context, feed, session.id));
    const std::string folder = ref.place.path.substr(0, ref.place.path.rfind('/'));
    seen += " history:" + std::to_string(must(feed.list({ref.place.root, folder + "/history"})).size());
  }
  const RecordKey key{"plan", store.layout() == "holdfast" ? "/p" : "", "auth"};
  return seen + " " + text_in(must(store.get_record({}, key)), "body");
}

struct StepsCrash : testing::TestWithParam<std::string> {};

TEST_P(StepsCrash, L03_StateMetricsPlanAndSnapshotAreOneEvent) {
  std::string id;
  all_or_none({GetParam(),
               [&](Store& store) {
                 id = start_on(store);
                 put_plan(store, "- [ ] Api\n");
                 must(save_workflow({}, store, id,
                                    {.new_tasks = {{.id = "api", .name = "Api"}}, .tasks = {{"api", "InProgress"}}}));
               },
               [&](Store& store) -> Result<void> {
                 HOLDFAST_TRY(save_workflow({}, store, id,
                                            {.trigger = "SpecApproved",
                                             .tasks = {{"api", "Complete"}},
                                             .iteration = Iteration{10, 20, 30, false},
                                             .history = true}));
                 return {};
               },
               workflow_of});
}

INSTANTIATE_TEST_SUITE_P(Layouts, StepsCrash, testing::Values("holdfast", "lopen"),
                         [](const auto& test) { return test.param; });

// Every session, and the one that the store marks.
std::string marked_sessions(Store& store) {
  std::set<std::string> ids;
  for (const Session& session : must(store.list({})).sessions) ids.insert(session.id);
  std::string seen;
  for (const std::string& id : ids) seen += id + " ";
  FileStore& files = *must(engine_of(store));
  const Context context;
  DirectoryFeed feed(context, files.roots().directories());
  const auto current = must(files.its_layout().current(feed));
  return seen + "latest " + (current ? current->id : "none");
}

TEST(LopenCrash, L05_ANewSessionComesWithItsMark) {
  all_or_none({"lopen", [](Store& store) { start_on(store); },
               [](Store& store) -> Result<void> {
                 HOLDFAST_TRY(start_session({}, store, {.module = "zoo", .no_resume = true}));
                 return {};
               },
               marked_sessions});
}

TEST(LopenCrash, L16_ADeletedSessionGoesWithItsMark) {
  std::string second;
  all_or_none({"lopen",
               [&](Store& store) {
                 start_on(store);
                 second = start_on(store);
                 must(save_workflow({}, store, second, {.iteration = Iteration{1, 1, 1, false}, .history = true}));
               },
               [&](Store& store) -> Result<void> { return store.remove({}, second); }, marked_sessions});
}

TEST(LopenCrash, L07_AResumedSessionComesWithItsMarkAndStep) {
  std::string first;
  all_or_none(
      {"lopen",
       [&](Store& store) {
         first = start_on(store);
         must(save_workflow({}, store, first, {.trigger = "SpecApproved"}));
         start_on(store);
       },
       [&](Store& store) -> Result<void> {
         HOLDFAST_TRY(resume_workflow({}, store, first));  // without a specification: the first step
         return {};
       },
       [&](Store& store) { return marked_sessions(store) + " " + must(get_workflow({}, store, first)).step_written; }});
}

// Every file of a Maestro store, so that a part of an event cannot hide.
std::string maestro_files(Store& store) {
  std::string seen;
  for (const std::string& thread : must(list_threads({}, store)).records) {
    const std::string id = text_in(thread, "id");
    seen += "thread " + id + " " + text_in(thread, "title") + " " + text_in(thread, "last_session_id");
    for (const ThreadMessage& message : must(read_thread({}, store, id)).messages) seen += " " + message.message.text();
    seen += "; ";
  }
  for (const char* gone : {"thr_1", "thr_2"}) {
    if (!store.get_record({}, {"thread", {}, gone}))
      seen += "left " + std::to_string(must(read_thread({}, store, gone)).messages.size()) + "; ";
  }
  for (const std::string& session : must(store.list_records({}, {"session", {}, {}})).records)
    seen += "session " + text_in(session, "id") + " " + text_in(session, "status") + "; ";
  if (const auto index = store.get_record({}, {"index", {}, {}})) {
    for (const JsonItem& item : JsonView(*index).find("threads").elements())
      seen += "index " + text_in(item.value.raw(), "id") + " " + text_in(item.value.raw(), "updatedAt") + "; ";
  }
  return seen;
}

void two_threads(Store& store) {
  for (const std::string n : {"1", "2"}) {
    must(save_thread({}, store, JsonView(R"({"id":"thr_)" + n + R"(","title":"t)" + n + "\"}")));
    must(store.create({}, {.id = "ses_" + n, .thread = "thr_" + n}));
    auto writer = must(store.write({}, "ses_" + n));
    must(writer->append({}, prompt("a")));
    must(writer->append({}, prompt("b")));
  }
}

TEST(MaestroCrash, M20_AMessageComesWithItsThreadAndIndex) {
  all_or_none({"maestro", two_threads,
               [](Store& store) -> Result<void> {
                 HOLDFAST_LET(writer, store.write({}, "ses_1"));
                 HOLDFAST_TRY(writer->append({}, prompt("c")));
                 return writer->close({});
               },
               maestro_files});
}

TEST(MaestroCrash, M20_ASavedThreadComesWithItsIndex) {
  all_or_none({"maestro", two_threads,
               [](Store& store) -> Result<void> {
                 HOLDFAST_TRY(save_thread({}, store, JsonView(R"({"id":"thr_1","title":"new"})")));
                 return {};
               },
               maestro_files});
}

TEST(MaestroCrash, M11_AResumedThreadNamesASessionThatIsThere) {
  all_or_none({"maestro",
               [](Store& store) {
                 two_threads(store);
                 must(store.update({}, "ses_1", {.status = Status::complete}));
               },
               [](Store& store) -> Result<void> {
                 HOLDFAST_TRY(resume_thread({}, store, "thr_1", {.id = "ses_3"}));
                 return {};
               },
               maestro_files});
}

TEST(MaestroCrash, M17_ADeletedThreadGoesWithEverything) {
  all_or_none({"maestro", two_threads,
               [](Store& store) -> Result<void> {
                 HOLDFAST_TRY(delete_thread({}, store, "thr_1"));
                 return {};
               },
               maestro_files});
}

// ---- two-layer workflows

// Both layers of a workflow, and the archive: what a new session would read.
std::string layers_of(Store& store) {
  const std::string project = store.layout() == "holdfast" ? "/p" : "";
  const LayerView view = must(read_initiative({}, store, project));
  std::string seen;
  for (const LayerSource& source : view.sources) {
    const JsonView fields(source.fields);
    seen += source.name + ":" + fields.find("status").as_string().value_or("-") + "/" +
            fields.find("current_milestone").as_string().value_or("-") + " ";
  }
  RecordList memory = must(store.list_records({}, {"memory", project, ""}));
  for (const std::string& text : memory.records) seen += JsonView(text).find("body").as_string().value_or("") + " ";
  for (const std::string& text : must(store.list_records({}, {"archived_initiative", project, ""})).records)
    seen += "archived " + JsonView(text).find("id").as_string().value_or("") + " ";
  return seen + must(read_phases({}, store, project));
}

struct WorkflowCrash : testing::TestWithParam<std::string> {
  InitiativeEvent event(std::string learning = {}) {
    InitiativeEvent made;
    made.project = GetParam() == "holdfast" ? "/p" : "";
    made.learning = std::move(learning);
    return made;
  }
};

TEST_P(WorkflowCrash, W12_BothStateFilesAndTheMemoryLineAreOneEvent) {
  all_or_none(
      {GetParam(), [&](Store& store) { must(create_initiative({}, store, {"login", {"M1", "M2"}}, event("first"))); },
       [&](Store& store) -> Result<void> {
         HOLDFAST_LET(state, start_milestone({}, store, "M2", event("second")));
         return state.outcome.warnings.empty() ? Result<void>() : fail(Code::internal, state.outcome.warnings[0]);
       },
       layers_of});
}

TEST_P(WorkflowCrash, W12_APhaseAndItsLineAreOneEvent) {
  const std::string project = event().project;
  const auto step = [project](Store& store, std::string completed, std::string next) -> Result<void> {
    HOLDFAST_TRY(take_phase(
        {}, store,
        {.project = project, .completed = std::move(completed), .next = std::move(next), .context = "login"}));
    return {};
  };
  all_or_none({GetParam(), [&](Store& store) { must(step(store, "analyze", "plan")); },
               [&](Store& store) { return step(store, "review", "git-commit"); }, layers_of});
}

TEST_P(WorkflowCrash, W13_TheArchiveIsWholeOrNotThere) {
  all_or_none({GetParam(),
               [&](Store& store) {
                 must(create_initiative({}, store, {"login", {"M1"}}, event()));
                 must(set_initiative_status({}, store, "in_progress", event()));
                 must(set_initiative_status({}, store, "completed", event()));
               },
               [&](Store& store) -> Result<void> {
                 HOLDFAST_TRY(archive_initiative({}, store, {.outcome = "shipped"}, event()));
                 return {};
               },
               layers_of});
}

INSTANTIATE_TEST_SUITE_P(Layouts, WorkflowCrash, testing::Values("workflow", "holdfast"),
                         [](const auto& test) { return test.param; });

// Everything that is queued, without the times.
std::string queue_of(Store& store) {
  std::string seen;
  for (const std::string& record : must(list_queue({}, store)).records) {
    const SyncItem item = sync_item_of(record);
    seen += item.entity + "/" + item.op + "/" + item.payload_hash.substr(7, 8) + "/" + std::to_string(item.attempts) +
            item.status + " ";
  }
  return seen;
}

std::string threads_and_queue_of(Store& store) {
  std::string seen;
  for (const std::string& record : must(store.list_records({}, {"thread", "", ""})).records)
    seen += text_in(record, "title") + " ";
  return seen + "| " + queue_of(store);
}

Result<void> save_thread_record(Store& store, const std::string& title) {
  return store.edit_records({}, [&](const Store::Look&) -> Result<Edits> {
    return Edits{{RecordEdit::Kind::put,
                  {"thread", "", "thr_1"},
                  R"({"created_at":"2026-01-21T10:00:00Z","updated_at":"2026-01-21T10:00:00Z",)"
                  R"("privacy":{"localOnly":false},"title":")" +
                      title + "\"}"}};
  });
}

TEST(QueueCrash, M06_ARecordAndItsItemAreThereTogetherOrNotAtAll) {
  all_or_none({"maestro", [](Store& store) { must(save_thread_record(store, "first")); },
               [](Store& store) { return save_thread_record(store, "second"); }, threads_and_queue_of});
}

struct AttemptCrash : testing::TestWithParam<std::string> {
  static void prepare(Store& store) {
    if (store.layout() == "maestro") return must(save_thread_record(store, "first"));
    must(store.create({}, {.project = "/p", .metadata = R"({"privacy":{"localOnly":false}})"}));
    must(must(open_queue_book(store))->derive({}));
  }
  static Result<void> settle(Store& store, bool sent) {
    HOLDFAST_LET(book, open_queue_book(store));
    HOLDFAST_LET(queued, book->items({}));
    const SyncItem item = queued.items.at(0);
    std::optional<SyncItem> now;
    if (!sent) now = after_failure(item, false, Context{}.clock->now(), 1);
    HOLDFAST_LET(settled, book->settle({}, item, now));
    if (!settled) return fail(Code::internal, "the item has changed");
    return {};
  }
};

TEST_P(AttemptCrash, M06_AFailedAttemptIsWrittenDownOrNot) {
  all_or_none({GetParam(), prepare, [](Store& store) { return settle(store, false); }, queue_of});
}

TEST_P(AttemptCrash, M06_WhatWasSentIsGoneOrStillQueued) {
  all_or_none({GetParam(), prepare, [](Store& store) { return settle(store, true); }, queue_of});
}

INSTANTIATE_TEST_SUITE_P(Layouts, AttemptCrash, testing::Values("holdfast", "maestro"),
                         [](const auto& test) { return test.param; });

// Between the record and the queue's log: what is queued is the same before,
// during and after, because it follows from what is recorded.
TEST(QueueCrash, M06_DerivingNeverLosesOrDoublesAnItem) {
  all_or_none({"holdfast",
               [](Store& store) {
                 const std::string id =
                     must(store.create({}, {.project = "/p", .metadata = R"({"privacy":{"localOnly":false}})"}));
                 auto writer = must(store.write({}, id));
                 for (int i = 0; i < 5; ++i) must(writer->append({}, prompt("text")));
               },
               [](Store& store) -> Result<void> {
                 HOLDFAST_LET(book, open_queue_book(store));
                 HOLDFAST_TRY(book->derive({}));
                 return {};
               },
               queue_of});
}

}  // namespace
}  // namespace holdfast::inline v1
