// T12: after a storm, programs that know nothing of Holdfast read what it wrote.
#include <holdfast/log_reader.h>
#include <holdfast/root.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "parts.h"
#include "storm_process.h"
#include "storm_run.h"
#include "text/json_value.h"

namespace holdfast::lab {
namespace {

const Context kContext;

// A log as seen by one program.
struct View {
  std::uint64_t records = 0;
  std::uint64_t bad = 0;
  std::vector<std::uint64_t> offsets;  // of the bad lines
};

std::optional<View> view_of_library(const std::string& root, const std::string& path) {
  RootOptions read_only;
  read_only.write = false;
  const auto opened = Root::open(kContext, real_file_system(), root, read_only);
  if (!opened) return std::nullopt;
  auto reader = LogReader::open(kContext, (*opened)->directory(), path);
  if (!reader) return std::nullopt;
  View view;
  Record record;
  auto more = reader->next(record);
  for (; more && *more; more = reader->next(record)) view.records += record.salvaged ? 0 : 1;
  if (!more || reader->in_flight() != 0) return std::nullopt;
  for (const auto& damage : reader->damage()) view.offsets.push_back(damage.offset);
  view.bad = view.offsets.size();
  return view;
}

std::optional<View> view_of_script(const std::vector<std::string>& words) {
  const auto output = output_of(words);
  if (!output) return std::nullopt;
  const JsonView json(*output);
  const auto records = json.find("records").as_int64();
  const auto bad = json.find("bad").as_int64();
  if (!records || !bad) return std::nullopt;
  View view{static_cast<std::uint64_t>(*records), static_cast<std::uint64_t>(*bad), {}};
  for (const auto& each : json.find("offsets").elements())
    view.offsets.push_back(static_cast<std::uint64_t>(each.value.as_int64().value_or(-1)));
  return view;
}

// `jq -c .` on a log of ours, where one bad line ends it; line by line on a shared one. It reports no offsets.
std::optional<View> view_of_jq(const std::string& file, bool shared) {
  const auto output =
      shared ? output_of({"jq", "-R", "-c", "fromjson? | .s", file}) : output_of({"jq", "-c", ".", file});
  if (!output) return std::nullopt;
  return View{static_cast<std::uint64_t>(std::ranges::count(*output, '\n')), 0, {}};
}

std::string script(const char* name) {
  return (std::filesystem::path(__FILE__).parent_path() / "interop" / name).string();
}

void compare(Outcome& outcome, const std::string& where, const LogOracle& log) {
  const std::string file = log.root() + "/" + log.path();
  const auto truth = view_of_library(log.root(), log.path());
  if (!truth) return outcome.fail(&Outcome::unopenable, where + ": LogReader cannot read " + log.path());
  if (!log.shared() && truth->bad != 0)
    outcome.fail(&Outcome::altered, where + ": LogReader finds damage in a log of ours");
  const auto check = [&](const char* who, const std::optional<View>& view, bool offsets) {
    if (!view) return outcome.fail(&Outcome::wrong, where + ": " + who + " cannot read " + log.path());
    if (view->records != truth->records)
      outcome.fail(&Outcome::wrong, where + ": " + who + " reads " + std::to_string(view->records) + " records of " +
                                        log.path() + ", LogReader " + std::to_string(truth->records));
    if (offsets && (view->offsets != truth->offsets || view->bad != truth->bad))
      outcome.fail(&Outcome::wrong, where + ": " + who + " finds " + std::to_string(view->bad) + " bad lines in " +
                                        log.path() + ", LogReader " + std::to_string(truth->bad) + ", or others");
  };
  check("jq", view_of_jq(file, log.shared()), false);
  check("Node", view_of_script({"node", script("read.js"), file}), true);
  check("Python", view_of_script({"python3", script("read.py"), file}), true);
}

}  // namespace

Outcome run_t12(const Options& options) {
  for (const char* tool : {"jq", "node", "python3"})
    if (!output_of({tool, "--version"})) return cannot_run(std::string(tool) + " is not installed");
  const auto start = std::chrono::steady_clock::now();
  const std::uint64_t total = pick<std::uint64_t>(options, 20, 100, 500);
  Outcome sum;
  sum.unit = "kills";
  LogOracle::Figures figures;
  std::uint64_t bad = 0;
  const auto more = [&] {
    if (options.size != Size::hours) return sum.cases < total;
    return std::chrono::duration<double, std::ratio<3600>>(std::chrono::steady_clock::now() - start).count() <
           options.hours;
  };
  for (std::uint64_t round = 0; more() && sum.failures.size() < 10; ++round) {
    const ScratchDirectory directory(memory_directory(options.scratch));
    StormRound plan;
    plan.program = options.program;
    plan.directory = directory.path();
    plan.seed = options.seed * 1'000'033 + round;
    plan.kills = std::min<std::uint64_t>(50, total);
    plan.weather = StormKind::logs;
    plan.omitted = omitted_here();
    plan.where = "seed " + std::to_string(options.seed) + " round " + std::to_string(round);
    auto result = run_round(plan);
    for (auto& log : result.logs) {
      // Ends the last line, as the next writer would; adds one more fragment to the shared log.
      log->tear_and_append(result.outcome, plan.where);
      compare(result.outcome, plan.where, *log);
      figures.records += log->figures().records;
      figures.bytes += log->figures().bytes;
      bad += log->figures().damaged + (log->shared() ? 1 : 0);
    }
    sum.merge(result.outcome);
  }
  sum.note = std::to_string(figures.records) + " records (" + std::to_string(figures.bytes >> 20U) +
             " MiB) read by LogReader, jq, Node and Python alike; " + std::to_string(bad) +
             " fragments of killed writers in shared logs, at the same offsets for all";
  return sum;
}

}  // namespace holdfast::lab
