#include "lab.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <thread>

namespace holdfast::lab {

void Outcome::merge(const Outcome& other) {
  cases += other.cases;
  acknowledged += other.acknowledged;
  lost += other.lost;
  altered += other.altered;
  unopenable += other.unopenable;
  wrong += other.wrong;
  for (const auto& failure : other.failures)
    if (failures.size() < 10) failures.push_back(failure);
  if (note.empty()) note = other.note;
}

Outcome in_parallel(const std::function<void(unsigned, unsigned, Outcome&)>& work) {
  const unsigned workers = std::max(2U, std::thread::hardware_concurrency());
  std::vector<Outcome> found(workers);
  {
    std::vector<std::jthread> threads;
    for (unsigned worker = 0; worker < workers; ++worker)
      threads.emplace_back([&, worker] { work(worker, workers, found[worker]); });
  }
  Outcome all;
  for (const auto& each : found) all.merge(each);
  return all;
}

Outcome run_part(const Part& part, const Options& options) {
  if (options.size != Size::hours || part.hours == Hours::itself) return part.run(options);
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(options.hours * 3600);
  Options round = options;
  Outcome all = part.run(round);
  if (part.hours == Hours::once) {
    all.note += (all.note.empty() ? "" : "; ") + std::string("nothing in it is random, so it ran once");
    return all;
  }
  while (all.ok() && all.skipped.empty() && std::chrono::steady_clock::now() < end) {
    ++round.seed;
    all.merge(part.run(round));
    if (!all.ok()) all.failures.push_back("in the round of --seed " + std::to_string(round.seed));
  }
  return all;
}

Outcome cannot_run(std::string why) {
  Outcome outcome;
  const char* ci = std::getenv("CI");
  outcome.skipped = std::move(why);
  // Not fail(): a skip must not kill a mutant.
  if (ci != nullptr && *ci != '\0') {
    ++outcome.wrong;
    outcome.skipped += ", and CI must";
  }
  return outcome;
}

}  // namespace holdfast::lab
