// Group commit: eight threads on one log compared with one thread on one log.
#include <fmt/core.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "bench/jobs.h"

namespace holdfast::bench {
namespace {

using Clock = std::chrono::steady_clock;
constexpr double kWindow = 0.4;  // seconds per measurement
constexpr int kThreads = 8;

struct Load {
  std::vector<double> per_second;  // per window
  std::vector<double> latencies;   // microseconds
};

void one_window(AppendLog& log, int threads, Load& load) {
  std::atomic<std::uint64_t> total{0};
  std::vector<std::vector<double>> latencies(static_cast<std::size_t>(threads));
  const auto begin = Clock::now();
  const auto end = begin + std::chrono::duration<double>(kWindow);
  {
    std::vector<std::jthread> running;
    for (int thread = 0; thread < threads; ++thread) {
      running.emplace_back([&, thread] {
        auto& mine = latencies[static_cast<std::size_t>(thread)];
        for (auto before = Clock::now(); before < end;) {
          need(log.append({}, message_of(mine.size())));
          const auto after = Clock::now();
          mine.push_back(std::chrono::duration<double, std::micro>(after - before).count());
          before = after;
        }
        total += mine.size();
      });
    }
  }
  load.per_second.push_back(static_cast<double>(total) / std::chrono::duration<double>(Clock::now() - begin).count());
  for (const auto& mine : latencies) load.latencies.insert(load.latencies.end(), mine.begin(), mine.end());
}

}  // namespace

Group threads_job(const std::string& place, const std::string& directory, const Size& size) {
  const auto root = open_root(directory + "/threads");
  const auto alone = need(AppendLog::open({}, root, "alone.jsonl"));
  const auto together = need(AppendLog::open({}, root, "together.jsonl"));
  Load one;
  Load many;
  const int windows = std::max(3, static_cast<int>(size.seconds / kWindow / 2));
  for (int window = 0; window < windows; ++window) {
    one_window(*alone, 1, one);
    one_window(*together, kThreads, many);
  }
  Group group{fmt::format("group commit, power, {} ({} windows of {} s)", place, windows, kWindow), {}};
  group.rows.push_back({"1 thread", percentile(one.per_second, 0.5), NAN, "/s", NAN, {}, {}, {}});
  group.rows.push_back({"8 threads, one log", percentile(many.per_second, 0.5), NAN, "/s", NAN, {}, {}, {}});
  at_least(group.rows[1], group.rows[0], 1.6);
  group.rows.push_back(timing("  an append, 1 thread", std::move(one.latencies)));
  group.rows.push_back(timing("  an append, 8 threads", std::move(many.latencies)));
  return group;
}

}  // namespace holdfast::bench
