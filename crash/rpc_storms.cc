// T18: real processes that serve `holdfast rpc` on one store of each layout, eight
// at once, with an event reader that does not read; SIGKILL at random moments.
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "omitted.h"
#include "parts.h"
#include "rpc_storm.h"
#include "storm_process.h"

namespace holdfast::lab {

Outcome run_t18(const Options& options) {
  const auto start = std::chrono::steady_clock::now();
  const std::string binary = (std::filesystem::path(options.program).parent_path() / "holdfast").string();
  const std::uint64_t rounds = pick<std::uint64_t>(options, 1, 2, 20);
  ::signal(SIGPIPE, SIG_IGN);  // a killed process reads no more
  Outcome sum;
  sum.unit = "kills";
  double longest = 0;
  std::uint64_t answers = 0;
  const auto more = [&](std::uint64_t round) {
    if (options.size != Size::hours) return round < rounds;
    return std::chrono::duration<double, std::ratio<3600>>(std::chrono::steady_clock::now() - start).count() <
           options.hours;
  };
  for (std::uint64_t round = 0; more(round) && sum.failures.size() < 10; ++round) {
    for (const StoreTraits& traits : store_traits()) {
      if ((!traits.talks && !traits.entries) || withheld("t18", traits.layout, "all") ||
          (!options.replay.empty() && options.replay != traits.name))
        continue;
      const ScratchDirectory directory(round % 3 == 2 ? options.scratch : memory_directory(options.scratch));
      RpcStormPlan plan;
      plan.traits = &traits;
      plan.program = options.program;
      // A call cannot name other roots, so layouts with several roots are served only by this program.
      if (::access(binary.c_str(), X_OK) == 0 && traits.layout != "linggen") plan.binary = binary;
      plan.directory = directory.path();
      plan.seed = options.seed * 1'000'003 + round;
      plan.kills = pick<std::uint64_t>(options, 20, 40, 60);
      plan.omitted = omitted_here();
      plan.where =
          "--seed " + std::to_string(options.seed) + " round " + std::to_string(round) + " " + std::string(traits.name);
      RpcStorm storm(plan);
      sum.merge(storm.run());
      longest = std::max(longest, storm.longest());
      answers += storm.answers();
    }
  }
  sum.note = std::to_string(answers) + " answers; the longest call took " + std::to_string(longest).substr(0, 5) + " s";
  return sum;
}

}  // namespace holdfast::lab
