#include "bench/read_jobs.h"

#include <fmt/core.h>
#include <holdfast/store.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <thread>

#include "bench/jobs.h"
#include "bench/measured_child.h"
#include "transfer/verify.h"

namespace holdfast::bench {
namespace {

constexpr std::uint64_t kPeerBytes = 100'000'000;  // slow ones get only a part of the store
constexpr std::uint64_t kLongSession = 100'000'000;

std::vector<std::shared_ptr<Store>> open_both(const std::string& directory) {
  std::vector<std::shared_ptr<Store>> stores;
  for (const auto& [layout, folder] : {std::pair("claude-code", "/.claude"), std::pair("codex", "/.codex")}) {
    StoreOptions options;
    options.layout = layout;
    options.roots[""] = directory + folder;
    stores.push_back(need(Store::open({}, real_file_system(), options)));
  }
  return stores;
}

Row figure(std::string name, double value, std::string unit) {
  Row row;
  row.name = std::move(name);
  row.p50 = value;
  row.unit = std::move(unit);
  return row;
}

Row& goal_at_least(Row& row, double least) {
  row.goal = fmt::format(">= {:.1f}", least);
  row.met = row.p50 >= least;
  return row;
}

Row& goal_at_most(Row& row, double most) {
  row.goal = fmt::format("<= {:.0f}", most);
  row.met = row.p50 <= most;
  return row;
}

// The run with the least processor time: others use this machine too.
ChildRun best_of(int rounds, const std::vector<std::string>& words, double ChildRun::* by) {
  ChildRun best;
  for (int round = 0; round < rounds; ++round) {
    ChildRun run = run_child(words);
    if (!run.ok) stop("did not run: " + words[0]);
    if (round == 0 || run.*by < best.*by) best = std::move(run);
  }
  return best;
}

double gigabytes(std::uint64_t bytes) { return static_cast<double>(bytes) / 1e9; }

}  // namespace

void read_child(const std::string& what, const std::string& directory) {
  const auto stores = open_both(directory);
  if (what == "list") {
    std::size_t sessions = 0;
    std::int64_t prompts = 0, answers = 0, output = 0;
    for (const auto& store : stores) {
      const SessionList list = need(store->list({}));
      sessions += list.sessions.size();
      for (const Session& session : list.sessions) {
        prompts += session.counts.user;
        answers += session.counts.assistant;
        output += session.usage.output;
      }
    }
    fmt::print("{} {} {} {}\n", sessions, prompts, answers, output);
  } else if (what == "verify") {
    const VerifyReport report = need(verify_stores({}, stores));
    fmt::print("{} {} {}\n", report.sessions, report.bytes, report.damage.size());
  } else {
    stop("no such child: " + what);
  }
}

Group read_list_job(const std::string& program, const std::string& directory,
                    const std::vector<SyntheticSession>& sessions, int rounds) {
  std::uint64_t bytes = 0, prompts = 0, answers = 0, output = 0;
  for (const SyntheticSession& one : sessions) {
    bytes += one.bytes;
    prompts += one.prompts;
    answers += one.answers;
    output += one.output;
  }
  const ChildRun run = best_of(rounds, {program, "--child", "list", directory}, &ChildRun::processor);
  if (run.output != fmt::format("{} {} {} {}\n", sessions.size(), prompts, answers, output))
    stop("the list is not what was written: " + run.output);
  // A list of files for the slow ones.
  const std::string part = directory + "/part.txt";
  std::uint64_t part_bytes = 0;
  {
    std::ofstream names(part);
    for (const SyntheticSession& one : sessions) {
      if (part_bytes >= kPeerBytes) break;
      part_bytes += one.bytes;
      names << one.path << "\n";
    }
  }
  Group group{fmt::format("fields of ls for {} sessions, {:.2f} GB, nothing remembered (GB a second of processor time)",
                          sessions.size(), gigabytes(bytes)),
              {}};
  group.rows.push_back(figure("holdfast", gigabytes(bytes) / run.processor, "GB/s"));
  goal_at_least(group.rows.back(), 1.0);
  group.rows.push_back(figure("  resident at most", run.megabytes, "MiB"));
  goal_at_most(group.rows.back(), 64);
  const auto peer = [&](const std::string& name, const std::vector<std::string>& words) {
    const ChildRun other = run_child(words);
    if (!other.ok) return;
    group.rows.push_back(figure(name, gigabytes(part_bytes) / other.processor, "GB/s"));
    against(group.rows.back(), group.rows[0]);
  };
  peer("Node, JSON.parse a line", {"node", "bench/read_like.mjs", part});
  peer("jq, one field a line",
       {"sh", "-c", "xargs -n 200 jq -c .type <\"$1\" >\"$1\".out && tail -c 1 \"$1\".out", "sh", part});
  return group;
}

Group read_verify_job(const std::string& program, const std::string& directory, std::uint64_t bytes, int rounds) {
  const ChildRun run = best_of(rounds, {program, "--child", "verify", directory}, &ChildRun::processor);
  const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
  Group group{fmt::format("verify of the same store, {} cores", cores), {}};
  group.rows.push_back(figure("holdfast, by the clock", gigabytes(bytes) / run.wall, "GB/s"));
  goal_at_least(group.rows.back(), 1.3);
  group.rows.push_back(figure("  a core, by processor time", gigabytes(bytes) / run.processor, "GB/s"));
  group.rows.push_back(figure("  resident at most", run.megabytes, "MiB"));
  return group;
}

Group read_show_job(const std::string& holdfast, const std::string& directory, int rounds) {
  Group group{"show of a session of 100 MB as text: until its first byte is printed", {}};
  for (const std::string layout : {"claude-code", "codex"}) {
    const std::string place = fmt::format("{}/{}", directory, layout);
    const auto sessions =
        write_synthetic_store({.bytes = kLongSession, .sessions = 1, .seed = 5, .layout = layout}, place);
    const std::string store = fmt::format("{}:{}/.{}", layout, place, layout == "codex" ? "codex" : "claude");
    std::vector<double> first, whole, processor;
    double megabytes = 0;
    for (int round = 0; round < rounds; ++round) {
      const ChildRun run =
          run_child({"env", "XDG_CACHE_HOME=" + place + "/cache", holdfast, "show", sessions[0].id, "--store", store});
      if (!run.ok) stop("cannot show " + sessions[0].id);
      std::filesystem::remove_all(place + "/cache");  // no caches
      first.push_back(run.first_byte * 1e6);
      whole.push_back(run.wall * 1e6);
      processor.push_back(run.processor * 1e6);
      megabytes = std::max(megabytes, run.megabytes);
    }
    group.rows.push_back(timing(layout + ", first byte", std::move(first)));
    goal_at_most(group.rows.back(), 50'000);
    group.rows.push_back(timing("  all of it", std::move(whole)));
    group.rows.push_back(timing("  processor time for all of it", std::move(processor)));
    group.rows.push_back(figure("  resident at most", megabytes, "MiB"));
  }
  return group;
}

}  // namespace holdfast::bench
