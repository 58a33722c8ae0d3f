// T9: many processes append to the same logs for a long time; half of those on
// the shared log are foreign. Nobody is killed; every record must be there
// once, in the order of its writer.
#include <holdfast/log_reader.h>
#include <holdfast/root.h>
#include <sys/wait.h>

#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <stdexcept>

#include "parts.h"
#include "storm_oracle.h"
#include "storm_process.h"
#include "storm_run.h"

namespace holdfast::lab {
namespace {

const Context kContext;
constexpr std::uint64_t kWriters = 8;
constexpr std::uint64_t kRecordsOfRound = 100'000;  // about 400 MB, then new logs

// What one log must contain: records 0 to count - 1 of each of its writers.
class Census {
 public:
  Census(std::uint64_t seed, std::vector<std::uint64_t> writers, std::uint64_t count)
      : seed_(seed), writers_(std::move(writers)), next_(writers_.size()), count_(count) {}

  // Takes one line, from any reader.
  void take(Outcome& outcome, const std::string& where, std::string_view line) {
    const auto name = name_of(line);
    if (!name || !checksum_holds(line) || !is_intact(line, seed_, Profile::soak))
      return outcome.fail(&Outcome::altered, where + ": not what was written: " + std::string(line.substr(0, 80)));
    for (std::size_t i = 0; i < writers_.size(); ++i) {
      if (writers_[i] != name->writer) continue;
      if (name->sequence != next_[i])
        outcome.fail(name->sequence > next_[i] ? &Outcome::lost : &Outcome::wrong,
                     where + ": writer " + std::to_string(name->writer) + " record " + std::to_string(name->sequence) +
                         " where " + std::to_string(next_[i]) + " was due");
      next_[i] = name->sequence + 1;
    }
  }

  void finish(Outcome& outcome, const std::string& where) {
    for (std::size_t i = 0; i < writers_.size(); ++i)
      if (next_[i] != count_)
        outcome.fail(&Outcome::lost, where + ": writer " + std::to_string(writers_[i]) + " ends at " +
                                         std::to_string(next_[i]) + " of " + std::to_string(count_));
    next_.assign(writers_.size(), 0);
  }

 private:
  std::uint64_t seed_;
  std::vector<std::uint64_t> writers_;
  std::vector<std::uint64_t> next_;
  std::uint64_t count_;
};

void read_with_library(Outcome& outcome, const std::string& where, const std::string& root, const std::string& path,
                       Census& census) {
  RootOptions read_only;
  read_only.write = false;
  const auto opened = Root::open(kContext, real_file_system(), root, read_only);
  if (!opened) return outcome.fail(&Outcome::unopenable, where + ": " + opened.error().text());
  auto reader = LogReader::open(kContext, (*opened)->directory(), path);
  if (!reader) return outcome.fail(&Outcome::unopenable, where + ": " + reader.error().text());
  Record record;
  auto more = reader->next(record);
  for (; more && *more; more = reader->next(record)) census.take(outcome, where, record.bytes);
  if (!more) outcome.fail(&Outcome::unopenable, where + ": " + more.error().text());
  if (!reader->damage().empty() || reader->in_flight() != 0)
    outcome.fail(&Outcome::altered, where + ": " + std::to_string(reader->damage().size()) + " damaged places");
  census.finish(outcome, where + " (LogReader)");
}

// Reads without the library, line by line. Blank lines are allowed in a shared
// log (a newline prefix before a foreign write that was still in progress).
void read_plainly(Outcome& outcome, const std::string& where, const std::string& file, Census& census,
                  std::uint64_t& blank) {
  std::ifstream in(file, std::ios::binary);
  std::string line;
  while (std::getline(in, line)) {
    if (in.eof()) {
      outcome.fail(&Outcome::altered, where + ": the last line has no newline");
      break;
    }
    if (line.empty())
      ++blank;
    else
      census.take(outcome, where, line);
  }
  census.finish(outcome, where + " (plain)");
}

struct Soak {
  const Options& options;
  Step omitted;
  Outcome outcome;
  std::uint64_t bytes = 0;
  std::uint64_t blank = 0;
  double writing = 0;

  void round(std::uint64_t number, std::uint64_t records);
  void write(const std::string& directory, std::uint64_t seed, std::uint64_t each, const std::string& where);
};

// Writers 8, 16, ...: the first four on the shared log, every other one foreign.
void Soak::write(const std::string& directory, std::uint64_t seed, std::uint64_t each, const std::string& where) {
  const auto start = std::chrono::steady_clock::now();
  std::vector<std::unique_ptr<Child>> children;
  for (std::uint64_t i = 0; i < kWriters; ++i) {
    Job job;
    job.shared = i < kWriters / 2;
    job.role = job.shared && i % 2 == 1 ? "soak_foreign" : "soak";
    job.omitted = omitted;
    job.seed = seed;
    job.writer = 8 * (i + 1);
    job.limit = each;
    job.root = directory + (job.shared ? "/foreign" : "/native");
    job.path = "log.jsonl";
    std::vector<std::string> words{options.program, "--child"};
    for (auto& word : job.words()) words.push_back(std::move(word));
    children.push_back(std::make_unique<Child>(words, kReportFd));
  }
  for (auto& child : children) {
    while (child->read_some(child->pending())) {
    }
    for (std::size_t at = 0; at + sizeof(Message) <= child->pending().size(); at += sizeof(Message)) {
      Message message;
      std::memcpy(&message, child->pending().data() + at, sizeof message);
      if (message.kind == Kind::trouble) outcome.fail(&Outcome::wrong, where + ": " + message.text);
    }
    if (const int status = child->reap(); status != 0)
      outcome.fail(&Outcome::wrong, where + ": a writer ended with wait status " + std::to_string(status));
  }
  writing += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void Soak::round(std::uint64_t number, std::uint64_t records) {
  const ScratchDirectory directory(memory_directory(options.scratch));
  const std::uint64_t seed = options.seed * 7'919 + number;
  const std::uint64_t each = records / kWriters;
  const std::string where = "seed " + std::to_string(options.seed) + " round " + std::to_string(number);
  for (const char* name : {"/foreign", "/native"}) std::filesystem::create_directories(directory.path() + name);
  write(directory.path(), seed, each, where);
  for (const bool shared : {true, false}) {
    const std::string root = directory.path() + (shared ? "/foreign" : "/native");
    std::vector<std::uint64_t> writers;
    for (std::uint64_t i = 0; i < kWriters / 2; ++i) writers.push_back(8 * (i + 1 + (shared ? 0 : kWriters / 2)));
    Census census(seed, writers, each);
    const std::string which = where + (shared ? " shared log" : " log of ours");
    read_with_library(outcome, which, root, "log.jsonl", census);
    std::uint64_t empty = 0;
    read_plainly(outcome, which, root + "/log.jsonl", census, empty);
    blank += empty;
    if (!shared && empty != 0) outcome.fail(&Outcome::wrong, which + ": blank lines");
    bytes += std::filesystem::file_size(root + "/log.jsonl");
  }
  outcome.cases += each * kWriters;
  outcome.acknowledged += each * kWriters;
}

}  // namespace

Outcome run_t9(const Options& options) {
  const auto start = std::chrono::steady_clock::now();
  const std::uint64_t total = pick<std::uint64_t>(options, 20'000, 50'000, 1'000'000);
  Soak soak{options, omitted_here(), {}};
  soak.outcome.unit = "records";
  const auto more = [&] {
    if (options.size != Size::hours) return soak.outcome.cases < total;
    return std::chrono::duration<double, std::ratio<3600>>(std::chrono::steady_clock::now() - start).count() <
           options.hours;
  };
  try {
    for (std::uint64_t round = 0; more() && soak.outcome.failures.size() < 10; ++round)
      soak.round(round,
                 options.size == Size::hours ? kRecordsOfRound : std::min(kRecordsOfRound, total - soak.outcome.cases));
  } catch (const std::exception& error) {
    soak.outcome.fail(&Outcome::wrong, error.what());
  }
  soak.outcome.note = std::to_string(soak.bytes >> 20U) + " MiB by 8 processes, mean " +
                      std::to_string(soak.outcome.cases == 0 ? 0 : soak.bytes / soak.outcome.cases) + " bytes, " +
                      std::to_string(static_cast<std::uint64_t>(static_cast<double>(soak.outcome.cases) /
                                                                std::max(soak.writing, 0.001))) +
                      " records/s; " + std::to_string(soak.blank) + " blank lines in shared logs";
  return std::move(soak.outcome);
}

}  // namespace holdfast::lab
