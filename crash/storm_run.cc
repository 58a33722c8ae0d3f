#include "storm_run.h"

#include <filesystem>
#include <stdexcept>

#include "storm_process.h"

namespace holdfast::lab {
namespace {

// Some children end by themselves, so closing is part of the storm too.
std::uint64_t some_limit(Random& random) { return random.chance(8) ? 1 + random.below(40) : 0; }

}  // namespace

StormResult run_round(const StormRound& round) {
  const std::string ours_root = round.directory + "/native";
  const std::string shared_root = round.directory + "/foreign";
  const std::string one = round.directory + "/one";
  const std::string two = round.directory + "/two";
  for (const auto& each : {ours_root, shared_root}) std::filesystem::create_directories(each);

  StormResult result;
  result.logs.push_back(std::make_unique<LogOracle>(round.seed, ours_root, "ours.jsonl", false));
  result.logs.push_back(std::make_unique<LogOracle>(round.seed, shared_root, "shared.jsonl", true));
  LogOracle& ours = *result.logs[0];
  LogOracle& shared = *result.logs[1];
  StoreOracle stores(one, two);
  Outcome& outcome = result.outcome;

  const auto job = [&](std::string role, const std::string& root, std::string path, bool is_shared) {
    Job made;
    made.role = std::move(role);
    made.omitted = round.omitted;
    made.seed = round.seed;
    made.root = root;
    made.path = std::move(path);
    made.shared = is_shared;
    return made;
  };
  const auto either = [&](Job first, Job second, unsigned percent_first, bool counts = true) {
    return Slot{[=](std::uint64_t, Random& random) {
                  Job next = random.chance(percent_first) ? first : second;
                  next.limit = some_limit(random);
                  return next;
                },
                counts};
  };
  const auto slot = [&](const Job& made) { return either(made, made, 100); };
  const Job append_ours = job("append", ours_root, ours.path(), false);
  const Job append_shared = job("append", shared_root, shared.path(), true);
  const Job foreign = job("foreign", shared_root, shared.path(), true);
  const Job read_ours = job("read", ours_root, ours.path(), false);
  const Job read_shared = job("read", shared_root, shared.path(), true);
  const Job compact = job("compact", ours_root, ours.path(), false);
  // In a root of the commits: each must finish what the others left.
  const Job document = job("document", one, {}, false);
  const Job commit = job("commit", one, two, false);
  const Job counter = job("counter", one, {}, false);
  const Job lease = job("lease", one, {}, false);

  StormPlan plan;
  plan.program = round.program;
  plan.seed = round.seed;
  plan.kills = round.kills;
  switch (round.weather) {
    case StormKind::logs:
      plan.slots = {slot(append_ours),
                    slot(append_ours),
                    slot(append_ours),
                    slot(append_shared),
                    slot(foreign),
                    either(append_shared, foreign, 50),
                    either(read_ours, read_shared, 50, false),
                    either(compact, compact, 100, false)};
      break;
    case StormKind::stores:
      plan.slots = {slot(document), slot(document), slot(commit), slot(commit),
                    slot(commit),   slot(counter),  slot(lease),  either(counter, lease, 60)};
      break;
    case StormKind::mixed:
      plan.slots = {slot(append_ours),
                    slot(append_ours),
                    slot(append_shared),
                    slot(foreign),
                    slot(document),
                    slot(commit),
                    either(document, commit, 50),
                    either(counter, lease, 60),
                    either(read_ours, compact, 70, false)};
      break;
  }
  plan.take = [&](const Job& from, const Message& message) {
    if (message.kind == Kind::trouble) {
      outcome.fail(message.number == 1 ? &Outcome::unopenable : &Outcome::wrong,
                   round.where + ": " + from.role + " " + std::to_string(from.writer) + ": " + message.text);
      return;
    }
    if (from.root == ours_root)
      ours.take(from, message);
    else if (from.root == shared_root)
      shared.take(from, message);
    else
      stores.take(from, message);
  };
  plan.broken = [&](const Job& from, const std::string& what) {
    outcome.fail(&Outcome::wrong, round.where + ": " + from.role + " " + std::to_string(from.writer) + ": " + what);
  };

  std::uint64_t next_writer = 8;
  try {
    outcome.cases = run_storm(plan, next_writer);
  } catch (const std::runtime_error& error) {
    outcome.fail(&Outcome::wrong, round.where + ": " + error.what());
    return result;
  }
  Random random(round.seed * 3);
  if (round.weather != StormKind::stores)
    for (auto& log : result.logs) log->verify(outcome, round.where);
  if (round.weather != StormKind::logs) stores.verify(outcome, round.where, random);
  return result;
}

}  // namespace holdfast::lab
