#include <holdfast/append_log.h>
#include <holdfast/document.h>
#include <holdfast/log_reader.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <set>
#include <thread>

#include "mutants.h"
#include "text/json_value.h"

namespace holdfast::lab {
namespace {

constexpr int kProcesses = 4;
constexpr int kRounds = 60;
constexpr const char* kDocument = "shared.json";
constexpr const char* kLog = "numbers.jsonl";

std::uint64_t count_in(std::string_view document) {
  return static_cast<std::uint64_t>(JsonView(document).find("count").as_int64().value_or(0));
}

// Reads, adds one, writes, and retries if somebody else was quicker.
Result<void> increment(Root& root) {
  while (true) {
    HOLDFAST_LET(loaded, load_document({}, root, kDocument));
    ReplaceOptions options;
    options.expected = loaded.revision;
    options.durability = Durability::process;
    auto done = replace_document({}, root, kDocument,
                                 "{\"count\":" + std::to_string(count_in(loaded.bytes) + 1) + "}\n", options);
    if (done) return {};
    if (done.error().code != Code::conflict) return fail(std::move(done).error());
  }
}

// Takes the number after the last one in the log, slowly: whoever else is let in meanwhile takes the same one.
Result<std::string> compose(std::string_view last, int self) {
  const std::int64_t number = JsonView(last).find("n").as_int64().value_or(0) + 1;
  std::this_thread::sleep_for(std::chrono::microseconds(300));
  return "{\"n\":" + std::to_string(number) + ",\"by\":" + std::to_string(self) + "}";
}

Result<void> take_part(const std::string& path, int self) {
  HOLDFAST_LET(root, Root::open({}, real_file_system(), path));
  HOLDFAST_LET(log, AppendLog::open({}, root, kLog));
  for (int round = 0; round < kRounds; ++round) {
    HOLDFAST_TRY(
        log->append_after_last({}, [self](std::string_view last) { return compose(last, self); }, Durability::process));
    HOLDFAST_TRY(increment(*root));
  }
  return {};
}

Result<void> compare(const std::string& path, Outcome& outcome) {
  HOLDFAST_LET(root, Root::open({}, real_file_system(), path));
  HOLDFAST_LET(loaded, load_document({}, *root, kDocument));
  const std::uint64_t expected = kProcesses * kRounds;
  if (count_in(loaded.bytes) != expected)
    outcome.fail(&Outcome::lost, std::to_string(expected) + " increments were acknowledged, the document says " +
                                     std::to_string(count_in(loaded.bytes)));
  HOLDFAST_LET(tail, read_last({}, root->directory(), kLog, expected + 1));
  outcome.acknowledged += expected;
  if (tail.records.size() != expected)
    outcome.fail(&Outcome::lost,
                 std::to_string(tail.records.size()) + " records are there of " + std::to_string(expected));
  std::set<std::int64_t> seen;
  for (const auto& record : tail.records)
    if (const auto number = JsonView(record.bytes).find("n").as_int64(); !number || !seen.insert(*number).second)
      outcome.fail(&Outcome::wrong, "two processes got the same number: " + record.bytes);
  return {};
}

}  // namespace

Outcome run_race(const Options& options) {
  Outcome outcome;
  const std::string path = options.scratch + "/race." + std::to_string(::getpid());
  std::filesystem::create_directories(path);
  {
    auto root = Root::open({}, real_file_system(), path);
    if (!root || !replace_document({}, **root, kDocument, "{\"count\":0}\n")) {
      outcome.fail(&Outcome::unopenable, "the race cannot begin");
      return outcome;
    }
  }
  std::vector<pid_t> children;
  for (int self = 0; self < kProcesses; ++self) {
    const pid_t child = ::fork();
    if (child == 0) ::_exit(take_part(path, self) ? 0 : 1);
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = 0;
    const bool ended = child > 0 && ::waitpid(child, &status, 0) == child;
    if (ended && WIFSIGNALED(status)) ::raise(WTERMSIG(status));  // a crash stays a crash
    if (!ended || status != 0) outcome.fail(&Outcome::wrong, "a process that took part in the race failed");
  }
  outcome.cases = kProcesses * kRounds;
  if (auto compared = compare(path, outcome); !compared) outcome.fail(&Outcome::unopenable, compared.error().text());
  std::error_code ignored;
  std::filesystem::remove_all(path, ignored);
  return outcome;
}

}  // namespace holdfast::lab
