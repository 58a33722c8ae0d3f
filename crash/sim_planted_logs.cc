// What a log or a document may look like after others were there: last lines of
// several kinds, checksums of two writers, a first line that somebody else
// changed, a version whose sync failed.
#include <holdfast/append_log.h>
#include <holdfast/checksums.h>
#include <holdfast/log_reader.h>

#include <algorithm>

#include "disk/log_head.h"
#include "sim_parts.h"
#include "sim_sick.h"
#include "sim_world.h"

namespace holdfast::lab {
namespace {

LogOptions ours() {
  LogOptions options;
  options.sync_interval = {};
  options.checksums = true;
  return options;
}

void broken(Outcome& outcome, const std::string& how, std::uint64_t Outcome::* count = &Outcome::wrong) {
  outcome.fail(count, how);
}

std::vector<std::string> records_of(Root& root, const char* path) {
  std::vector<std::string> found;
  auto reader = LogReader::open({}, root.directory(), path);
  Record record;
  while (reader && reader->next(record).value_or(false)) found.emplace_back(record.bytes);
  return found;
}

// A whole record in the last line is kept, and a record that lacks only its newline is not reported as damaged.
void last_line(Outcome& outcome) {
  struct Tail {
    const char* bytes;
    const char* record;  // must be there afterwards
    const char* kind;    // of the finding
  };
  for (const Tail& tail :
       {Tail{"{\"n\":1}", "{\"n\":1}", "torn"}, Tail{"{\"half\":\"{\"n\":1}", "{\"n\":1}", nullptr}}) {
    ++outcome.cases;
    SimFileSystem disk;
    (void)disk.put_file("/a/log", std::string("{\"n\":0}\n") + tail.bytes);
    auto root = Root::open({}, disk, kRootA);
    auto log = root ? AppendLog::open({}, *root, "log", ours()) : fail(root.error());
    auto done = log ? (*log)->append({}, "{\"n\":2}") : fail(log.error());
    if (!done) return broken(outcome, done.error().text(), &Outcome::unopenable);
    const auto found = records_of(**root, "log");
    if (std::ranges::count(found, tail.record) != 1)
      broken(outcome, std::string("the last line ") + tail.bytes + ": its record is lost", &Outcome::lost);
    const auto findings = (*log)->findings();
    if (tail.kind != nullptr && (findings.empty() || findings.front().kind != tail.kind ||
                                 !findings.front().consequence.contains("lacked only its newline")))
      broken(outcome, std::string("the last line ") + tail.bytes + " is called " +
                          (findings.empty() ? "nothing" : findings.front().kind + ": " + findings.front().consequence));
  }
}

// Two processes append in turns: the checksums of both are valid.
void checksums_of_two(Outcome& outcome) {
  ++outcome.cases;
  SimFileSystem disk;
  (void)disk.put_file("/a/keep", "");
  std::shared_ptr<Root> roots[2];
  std::unique_ptr<AppendLog> logs[2];
  for (int who = 0; who < 2; ++who) {
    auto root = Root::open({}, disk, kRootA);
    auto log = root ? AppendLog::open({}, *root, "log", ours()) : fail(root.error());
    if (!log) return broken(outcome, log.error().text(), &Outcome::unopenable);
    roots[who] = *root;
    logs[who] = std::move(*log);
  }
  for (int i = 0; i < 12; ++i)
    if (auto done = logs[i % 3 == 0 ? 0 : 1]->append({}, "{\"n\":" + std::to_string(i) + "}"); !done)
      broken(outcome, done.error().text());
  const auto report = verify_checksums({}, *roots[0], "log");
  if (!report) return broken(outcome, report.error().text(), &Outcome::unopenable);
  if (!report->findings.empty())
    broken(outcome, "the checksums of two writers: " + report->findings.front().consequence);
  if (report->uncovered != 0) broken(outcome, "the checksums of two writers leave bytes out");
}

// A retry with the same bytes after a failed sync gets the truth.
void same_again(Outcome& outcome) {
  ++outcome.cases;
  SimFileSystem disk;
  (void)disk.put_file("/a/sub/one.json", document_text(1));
  auto root = Root::open({}, disk, kRootA);
  if (!root) return broken(outcome, root.error().text(), &Outcome::unopenable);
  Sick sick("/a/sub");
  disk.set_observer(&sick);
  if (replace_document({}, **root, "sub/one.json", document_text(2)))
    broken(outcome, "a document is acknowledged over a failed sync");
  const auto again = replace_document({}, **root, "sub/one.json", document_text(2));
  disk.set_observer(nullptr);
  if (!again) return broken(outcome, again.error().text());
  auto nothing = Chooser::random(1, 0);
  const auto dark = disk.crash(CrashModel::weak, nothing);
  if (dark->read_file("/a/sub/one.json").value_or("") != document_text(2))
    broken(outcome, "the same version, acknowledged after a failed sync, is gone", &Outcome::lost);
}

// A new first line replaces only the line that was read, and no other.
void other_head(Outcome& outcome) {
  ++outcome.cases;
  SimFileSystem disk;
  (void)disk.put_file("/a/log", "{\"head\":7}\n{\"n\":1}\n");
  auto root = Root::open({}, disk, kRootA);
  if (!root) return broken(outcome, root.error().text(), &Outcome::unopenable);
  const auto done = replace_head({}, *root, {"log", "{\"head\":0}", "{\"head\":1}"});
  if (done || !disk.read_file("/a/log").value_or("").starts_with("{\"head\":7}\n"))
    broken(outcome, "a first line that somebody else wrote is replaced", &Outcome::lost);
}

// What an earlier sync could not make durable is not copied as if it were durable.
void head_of_a_suspect_log(Outcome& outcome) {
  ++outcome.cases;
  SimFileSystem disk;
  (void)disk.put_file("/a/log", "{\"head\":0}\n{\"n\":1}\n");
  auto root = Root::open({}, disk, kRootA);
  LogOptions options;
  options.mode = LogMode::shared;
  options.sync_interval = {};
  auto log = root ? AppendLog::open({}, *root, "log", options) : fail(root.error());
  if (!log) return broken(outcome, log.error().text(), &Outcome::unopenable);
  Sick sick("/a/log");
  disk.set_observer(&sick);
  if ((*log)->append({}, "{\"n\":2}")) broken(outcome, "a line is acknowledged over a failed sync");
  disk.set_observer(nullptr);
  auto other = Root::open({}, disk, kRootA);
  if (other && replace_head({}, *other, {"log", "{\"head\":0}", "{\"head\":1}"}))
    broken(outcome, "the first line of a log is replaced whose last sync failed");
}

// A writer knows its bytes by their position in the file, but another file has the name now.
void other_file(Outcome& outcome) {
  ++outcome.cases;
  SimFileSystem disk;
  (void)disk.put_file("/a/log", "{\"head\":0}\n");
  auto root = Root::open({}, disk, kRootA), other = Root::open({}, disk, kRootA);
  LogOptions options;
  options.mode = LogMode::shared;
  options.sync_interval = std::chrono::hours(1);
  auto log = root && other ? AppendLog::open({}, *root, "log", options) : fail(Code::internal, "no root");
  if (!log) return broken(outcome, log.error().text(), &Outcome::unopenable);
  if (!(*log)->append({}, "{\"n\":1}", Durability::process)) broken(outcome, "cannot append");
  if (auto done = replace_head({}, *other, {"log", "{\"head\":0}", "{\"head\":\"longer\"}"}); !done)
    return broken(outcome, done.error().text());
  Sick sick("/a/log");
  disk.set_observer(&sick);
  if ((*log)->append({}, "{\"n\":2}")) broken(outcome, "a line is acknowledged over a failed sync");
  disk.set_observer(nullptr);
  if (auto done = (*log)->append({}, "{\"n\":3}"); !done) broken(outcome, done.error().text());
  if (disk.read_file("/a/log").value_or("") != "{\"head\":\"longer\"}\n{\"n\":1}\n{\"n\":2}\n{\"n\":3}\n")
    broken(outcome, "a log is mended with lines of another file", &Outcome::altered);
}

}  // namespace

void run_planted_logs(Outcome& outcome) {
  for (void (*each)(Outcome&) :
       {&last_line, &checksums_of_two, &same_again, &other_head, &head_of_a_suspect_log, &other_file})
    each(outcome);
}

}  // namespace holdfast::lab
