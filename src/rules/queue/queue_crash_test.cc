// The sync queue: a record and its item are one event.
#include "rules/queue/queue.h"
#include "rules/queue/queue_storage.h"
#include "store/crash_testing.h"
#include "store/record_text.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {
namespace {

// Everything that is queued, without times.
std::string queue_of(Store& store) {
  std::string seen;
  for (const std::string& record : must(list_queue({}, store)).records) {
    const SyncItem item = parse_sync_item(record);
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

TEST(QueueCrash, M06_RecordAndItsItemAreAtomic) {
  all_or_none({"maestro", [](Store& store) { must(save_thread_record(store, "first")); },
               [](Store& store) { return save_thread_record(store, "second"); }, threads_and_queue_of});
}

struct AttemptCrash : testing::TestWithParam<std::string> {
  static void prepare(Store& store) {
    if (store.layout_name() == "maestro") return must(save_thread_record(store, "first"));
    must(store.create({}, {.project = "/p", .metadata = R"({"privacy":{"localOnly":false}})"}));
    must(must(open_queue_storage(store))->derive({}));
  }
  static Result<void> settle(Store& store, bool sent) {
    HOLDFAST_LET(book, open_queue_storage(store));
    HOLDFAST_LET(queued, book->items({}));
    const SyncItem item = queued.items.at(0);
    std::optional<SyncItem> now;
    if (!sent) now = after_failure(item, Context{}.clock->now(), 1);
    HOLDFAST_LET(settled, book->settle({}, item, now));
    if (!settled) return fail(Code::internal, "the item has changed");
    return {};
  }
};

TEST_P(AttemptCrash, M06_RecordingFailedAttemptIsAllOrNothing) {
  all_or_none({GetParam(), prepare, [](Store& store) { return settle(store, false); }, queue_of});
}

TEST_P(AttemptCrash, M06_SentItemIsGoneOrStillQueued) {
  all_or_none({GetParam(), prepare, [](Store& store) { return settle(store, true); }, queue_of});
}

INSTANTIATE_TEST_SUITE_P(Layouts, AttemptCrash, testing::Values("holdfast", "maestro"),
                         [](const auto& test) { return test.param; });

// A crash between the record and the queue's log: the same items are queued before,
// during and after, because they follow from the records.
TEST(QueueCrash, M06_DerivingNeverLosesOrDuplicatesItems) {
  all_or_none({"holdfast",
               [](Store& store) {
                 const std::string id =
                     must(store.create({}, {.project = "/p", .metadata = R"({"privacy":{"localOnly":false}})"}));
                 auto writer = must(store.write({}, id));
                 for (int i = 0; i < 5; ++i) must(writer->append({}, said_by_a_person("text")));
               },
               [](Store& store) -> Result<void> {
                 HOLDFAST_LET(book, open_queue_storage(store));
                 HOLDFAST_TRY(book->derive({}));
                 return {};
               },
               queue_of});
}

}  // namespace
}  // namespace holdfast::inline v1
