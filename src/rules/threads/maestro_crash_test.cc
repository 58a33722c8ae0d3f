// Maestro: a message with its session, thread and index is one event.
#include "rules/threads/thread_resume.h"
#include "rules/threads/threads.h"
#include "store/crash_testing.h"
#include "store/engine.h"
#include "store/record_text.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {
namespace {

// Every file of a Maestro store, so no partial event goes unnoticed.
std::string maestro_files(Store& store) {
  std::string seen;
  for (const Thread& thread : must(list_threads({}, store)).records) {
    const std::string& id = thread.id;
    seen += "thread " + id + " " + thread.title + " " + thread.last_session;
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
    must(writer->append({}, said_by_a_person("a")));
    must(writer->append({}, said_by_a_person("b")));
  }
}

TEST(MaestroCrash, M20_MessageThreadAndIndexAreAtomic) {
  all_or_none({"maestro", two_threads,
               [](Store& store) -> Result<void> {
                 HOLDFAST_LET(writer, store.write({}, "ses_1"));
                 HOLDFAST_TRY(writer->append({}, said_by_a_person("c")));
                 return writer->close({});
               },
               maestro_files});
}

TEST(MaestroCrash, M20_SavedThreadAndIndexAreAtomic) {
  all_or_none({"maestro", two_threads,
               [](Store& store) -> Result<void> {
                 HOLDFAST_TRY(save_thread({}, store, JsonView(R"({"id":"thr_1","title":"new"})")));
                 return {};
               },
               maestro_files});
}

TEST(MaestroCrash, M11_ResumedThreadAndNewSessionAreAtomic) {
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

TEST(MaestroCrash, M17_ThreadDeletionIsAllOrNothing) {
  all_or_none({"maestro", two_threads,
               [](Store& store) -> Result<void> {
                 HOLDFAST_TRY(delete_thread({}, store, "thr_1"));
                 return {};
               },
               maestro_files});
}

// A deleted thread leaves no backup, whenever the deletion is interrupted: whoever opens the store next finishes it.
TEST(MaestroCrash, M17_ThreadDeletionLeavesNoBackup) {
  const auto thread_and_backups = [](Store& store) -> std::string {
    if (store.get_record({}, {"thread", {}, "thr_1"})) return "there";
    Root& root = *must(engine_of(store))->roots().first();
    std::string seen = "gone";
    for (const DirectoryEntry& backup : must(root.directory().list(root.side("backup"))))
      if (backup.name.find("thr_1") != std::string::npos) seen += " " + backup.name;
    return seen;
  };
  all_or_none({"maestro", two_threads,
               [](Store& store) -> Result<void> {
                 HOLDFAST_TRY(delete_thread({}, store, "thr_1"));
                 return {};
               },
               thread_and_backups});
}

}  // namespace
}  // namespace holdfast::inline v1
