// Forks, creations, first messages and missions: all or nothing after a crash.
#include "rules/runs/missions.h"
#include "rules/upkeep/compaction.h"
#include "store/crash_testing.h"
#include "store/whole_session.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {
namespace {

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

TEST_P(LayoutCrash, ForkIsAllOrNothing) {
  std::string id;
  all_or_none({GetParam(),
               [&](Store& store) {
                 id = must(store.create({}, {.project = "/p", .title = "one"}));
                 auto writer = must(store.write({}, id));
                 must(writer->append({}, said_by_a_person("a")));
                 must(writer->append({}, said_by_a_person("b")));
               },
               [&](Store& store) -> Result<void> {
                 HOLDFAST_TRY(store.fork({}, id, {}));
                 return {};
               },
               sessions_of});
}

TEST_P(LayoutCrash, CreationIsAllOrNothing) {
  all_or_none({GetParam(), [](Store&) {},
               [](Store& store) -> Result<void> {
                 HOLDFAST_TRY(store.create({}, {.project = "/p", .title = "new"}));
                 return {};
               },
               sessions_of});
}

TEST_P(LayoutCrash, FirstMessageAndHeaderAreAtomic) {
  std::string id;
  all_or_none({GetParam(), [&](Store& store) { id = must(store.create({}, {.project = "/p"})); },
               [&](Store& store) -> Result<void> {
                 HOLDFAST_LET(writer, store.write({}, id));
                 HOLDFAST_TRY(writer->append({}, said_by_a_person("a")));
                 return writer->close({});
               },
               sessions_of});
}

TEST_P(LayoutCrash, ImportIsAllOrNothing) {
  all_or_none({GetParam(), [](Store&) {},
               [](Store& store) -> Result<void> {
                 const Message messages[] = {said_by_a_person("a"), said_by_a_person("b")};
                 HOLDFAST_TRY(
                     create_whole({}, store, {.project = "/p", .title = "whole"}, {.summary = "said a, b"}, messages));
                 return {};
               },
               [](Store& store) {
                 std::string seen = sessions_of(store);
                 for (const Session& session : must(store.list({})).sessions) seen += session.summary;
                 return seen;
               }});
}

TEST_P(LayoutCrash, CompactionIsAllOrNothing) {
  std::string id;
  all_or_none({GetParam(),
               [&](Store& store) {
                 id = must(store.create({}, {.project = "/p"}));
                 must(must(store.write({}, id))->append({}, said_by_a_person("a")));
               },
               [&](Store& store) -> Result<void> {
                 HOLDFAST_TRY(compact_session({}, store, id, {.summary = "said a"}));
                 return {};
               },
               [&](Store& store) {
                 std::string seen;
                 for (const Message& message : must(store.read({}, id)).messages) seen += message.text() + "|";
                 return seen;
               }});
}

INSTANTIATE_TEST_SUITE_P(Layouts, LayoutCrash, testing::Values("holdfast", "open-agent"),
                         [](const auto& test) { return test.param == "holdfast" ? "holdfast" : "open_agent"; });

TEST_P(LayoutCrash, DeletionIsAllOrNothing) {
  std::string id;
  all_or_none({GetParam(),
               [&](Store& store) {
                 id = must(store.create({}, {.project = "/p", .title = "one"}));
                 auto writer = must(store.write({}, id));
                 must(writer->append({}, said_by_a_person("a")));
                 must(writer->append({}, said_by_a_person("b")));
               },
               [&](Store& store) { return store.remove({}, id); }, sessions_of});
}

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

}  // namespace
}  // namespace holdfast::inline v1
