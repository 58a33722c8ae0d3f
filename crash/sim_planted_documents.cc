// What a document may look like after others were there: bytes that nobody synced, a
// removal whose sync failed, a name that is not a plain file's own; and a log whose
// content the system forgot.
#include <holdfast/append_log.h>
#include <holdfast/commit.h>
#include <holdfast/counter.h>
#include <holdfast/log_reader.h>

#include <algorithm>

#include "sim_parts.h"
#include "sim_sick.h"
#include "sim_world.h"

namespace holdfast::lab {
namespace {

// The disk at the next boot if only synced data survived.
std::unique_ptr<SimFileSystem> after_power_loss(const SimFileSystem& disk) {
  auto nothing = Chooser::random(1, 0);
  return disk.crash(CrashModel::weak, nothing);
}

// One process acknowledges what another wrote without a sync.
void same_bytes(Outcome& outcome) {
  ++outcome.cases;
  SimFileSystem disk;
  (void)disk.put_file("/a/sub/one.json", document_text(1));
  auto first = Root::open({}, disk, kRootA), second = Root::open({}, disk, kRootA);
  if (!first || !second) return outcome.fail(&Outcome::unopenable, "same bytes: no root");
  ReplaceOptions quick;
  quick.durability = Durability::process;
  auto done = replace_document({}, **first, "sub/one.json", document_text(2), quick);
  if (done) done = replace_document({}, **second, "sub/one.json", document_text(2));
  if (!done) return outcome.fail(&Outcome::wrong, "same bytes: " + done.error().text());
  if (after_power_loss(disk)->read_file("/a/sub/one.json").value_or("") != document_text(2))
    outcome.fail(&Outcome::lost, "a document that was in place already is acknowledged and not durable");
}

// A removal that a power loss may undo is made again when it is requested again.
void removed_again(Outcome& outcome) {
  ++outcome.cases;
  SimFileSystem disk;
  (void)disk.put_file("/a/sub/one.json", document_text(1));
  auto root = Root::open({}, disk, kRootA);
  if (!root) return outcome.fail(&Outcome::unopenable, root.error().text());
  Sick sick("/a/sub");
  disk.set_observer(&sick);
  if (remove_document({}, **root, "sub/one.json"))
    outcome.fail(&Outcome::wrong, "a removal is acknowledged over a failed sync");
  const auto again = remove_document({}, **root, "sub/one.json");
  disk.set_observer(nullptr);
  if (!again)
    return outcome.fail(&Outcome::wrong, "a removal that may be undone is not repeated: " + again.error().text());
  if (after_power_loss(disk)->exists("/a/sub/one.json"))
    outcome.fail(&Outcome::altered, "a document is back that was removed and acknowledged");
}

void expect_unsafe(Outcome& outcome, Root& root, const char* path, const char* what) {
  ++outcome.cases;
  const auto done = replace_document({}, root, path, document_text(2));
  if (done || done.error().code != Code::unsafe_path)
    outcome.fail(&Outcome::altered, std::string(what) + " is written: " + (done ? "done" : done.error().text()));
}

void names_of_others(Outcome& outcome) {
  SimFileSystem disk;
  (void)disk.put_file("/a/real/one.json", document_text(1));
  (void)disk.put_file("/a/two.json", document_text(1));
  auto root = Root::open({}, disk, kRootA);
  if (!root) return outcome.fail(&Outcome::unopenable, root.error().text());
  Directory& directory = (*root)->directory();
  auto planted = directory.make_symlink("real/one.json", "link.json");
  if (planted) planted = directory.make_symlink("real", "way");
  if (planted) planted = directory.make_link("two.json", "three.json");
  if (!planted) return outcome.fail(&Outcome::unopenable, planted.error().text());
  expect_unsafe(outcome, **root, "link.json", "a symbolic link");
  expect_unsafe(outcome, **root, "way/one.json", "what lies behind a symbolic link");
  expect_unsafe(outcome, **root, "two.json", "a file of two names");
  if (disk.read_file("/a/real/one.json").value_or("") != document_text(1) ||
      disk.read_file("/a/three.json").value_or("") != document_text(1))
    outcome.fail(&Outcome::altered, "a file of others is changed by way of a name");
}

// A commit that can never be completed is refused before its journal is written.
void no_way(Outcome& outcome) {
  ++outcome.cases;
  SimFileSystem disk;
  (void)disk.put_file("/a/file", "no folder");
  (void)disk.put_file("/a/one.json", document_text(1));
  auto root = Root::open({}, disk, kRootA);
  if (!root) return outcome.fail(&Outcome::unopenable, root.error().text());
  struct Journal final : SimObserver {
    void after(const SimCall& call) override { written = written || call.path.ends_with("/journal"); }
    bool written = false;
  } journal;
  disk.set_observer(&journal);
  Commit commit(*root);
  commit.put(*root, "one.json", document_text(2));
  commit.put(*root, "file/two.json", document_text(2));
  const auto done = commit.run({});
  disk.set_observer(nullptr);
  if (done || journal.written || disk.read_file("/a/one.json").value_or("") != document_text(1))
    outcome.fail(&Outcome::wrong, "a commit with a file in its way is begun");
}

// No number is handed out twice, even after a power loss, whichever sync failed.
void number_twice(Outcome& outcome) {
  struct Fails final : SimObserver {
    explicit Fails(std::uint64_t number) : left(number) {}
    Injection before(const SimCall& call) override {
      const bool sync = call.kind == SimCallKind::sync || call.kind == SimCallKind::sync_directory;
      if (!sync || left-- != 0) return {};
      met = true;
      return {Injection::Kind::fail, EIO};
    }
    std::uint64_t left;
    bool met = false;
  };
  bool met = true;
  for (std::uint64_t number = 0; met; ++number) {
    ++outcome.cases;
    SimFileSystem disk;
    (void)disk.put_file("/a/keep", "");
    auto root = Root::open({}, disk, kRootA);
    const auto first = root ? next_number({}, *root, "tickets") : fail(root.error());
    Fails fails(number);
    disk.set_observer(&fails);
    const auto second = root ? next_number({}, *root, "tickets") : fail(root.error());
    disk.set_observer(nullptr);
    met = fails.met;
    const auto dark = after_power_loss(disk);
    auto next = Root::open({}, *dark, kRootA);
    const auto third = next ? next_number({}, *next, "tickets") : fail(next.error());
    if (!first || !third || *first == *third || (second && (*second == *first || *second == *third)))
      outcome.fail(&Outcome::wrong, "a number is handed out twice, sync " + std::to_string(number) + " failed");
  }
}

// After a failed sync the system may forget what was written; its writer has not.
void forgotten_pages(Outcome& outcome) {
  for (const LogMode mode : {LogMode::ours, LogMode::shared}) {
    ++outcome.cases;
    SimFileSystem disk;
    (void)disk.put_file("/a/log", "{\"n\":0}\n");
    auto root = Root::open({}, disk, kRootA);
    LogOptions options;
    options.mode = mode;
    options.sync_interval = {};
    auto log = root ? AppendLog::open({}, *root, "log", options) : fail(root.error());
    if (!log) return outcome.fail(&Outcome::unopenable, log.error().text());
    Sick sick("/a/log");
    disk.set_observer(&sick);
    if ((*log)->append({}, "{\"n\":1}")) outcome.fail(&Outcome::wrong, "a line is acknowledged over a failed sync");
    disk.set_observer(nullptr);
    (void)disk.put_file("/a/log", "{\"n\":0}\n" + std::string(8, '\0'));  // the page was read again from the medium
    if (auto done = (*log)->append({}, "{\"n\":2}"); !done) return outcome.fail(&Outcome::wrong, done.error().text());
    const auto dark = after_power_loss(disk);
    if (dark->read_file("/a/log").value_or("") != "{\"n\":0}\n{\"n\":1}\n{\"n\":2}\n")
      outcome.fail(&Outcome::lost, "what the system forgot after a failed sync is not written again");
  }
}

}  // namespace

void run_planted_documents(Outcome& outcome) {
  for (void (*each)(Outcome&) :
       {&same_bytes, &removed_again, &names_of_others, &no_way, &number_twice, &forgotten_pages})
    each(outcome);
}

}  // namespace holdfast::lab
