#include "bench/find_job.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "bench/find_process.h"
#include "bench/synthetic_store.h"
#include "text/json_value.h"

namespace holdfast::bench {
namespace {

namespace fs = std::filesystem;

// The least that any list must do: read every name, and stat every file.
std::size_t walk(int parent, const char* name) {
  const int fd = ::openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR* const stream = fd < 0 ? nullptr : ::fdopendir(fd);
  if (stream == nullptr) return 0;
  std::size_t files = 0;
  while (const dirent* const entry = ::readdir(stream)) {
    if (entry->d_name[0] == '.' && (entry->d_name[1] == 0 || entry->d_name[1] == '.')) continue;
    if (entry->d_type == DT_DIR) {
      files += walk(fd, entry->d_name);
      continue;
    }
    struct stat now{};
    if (::fstatat(fd, entry->d_name, &now, 0) == 0) ++files;
  }
  ::closedir(stream);
  return files;
}

template <typename Work>
double timed(const Work& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

Row row_of(const std::string& name, std::vector<double> samples) {
  Row row = timing(name, std::move(samples));
  row.unit = "ms";
  return row;
}

void goal(Row& row, double most, const std::string& words) {
  row.goal = words;
  row.met = row.p50 <= most;
}

class Jobs {
 public:
  explicit Jobs(const FindStore& store) : store_(store) {}

  FindFigures run() {
    first_index();
    lists();
    searches();
    growing();
    statistics();
    sizes();
    return std::move(figures_);
  }

 private:
  std::vector<std::string> ours(std::vector<std::string> words) const {
    words.insert(words.begin(), store_.binary);
    return words;
  }
  // Milliseconds of a run of the binary; records its memory.
  double holdfast(const std::vector<std::string>& words) {
    const ProcessRun ran = run_process(ours(words), store_.home);
    if (ran.code > 1) stop("holdfast " + words[0] + " failed");
    most_memory_ = std::max(most_memory_, ran.mib);
    return ran.ms;
  }
  double other(const std::vector<std::string>& words) const {
    const ProcessRun ran = run_process(words, store_.home);
    if (ran.code > 1) stop(words[0] + " cannot be run");
    return ran.ms;
  }
  void add(Group group) {
    print_group(group);
    figures_.groups.push_back(std::move(group));
  }
  void grows(const std::string& name, double ms) { figures_.growth.emplace_back(name, ms); }
  void settle() const { std::this_thread::sleep_for(std::chrono::milliseconds(2200)); }  // 2 s: decision 34

  void first_index() {
    std::vector<double> both, index, cold;
    for (int round = 0; round < 3; ++round) {
      fs::remove_all(store_.home + "/cache");
      both.push_back(holdfast({"search", kRareWord, "--count"}));
      fs::remove_all(store_.home + "/cache");
      index.push_back(holdfast({"ls", "--json"}));
      fs::remove_all(store_.home + "/cache");
      cold.push_back(holdfast({"stats", "--json"}));
    }
    cold_stats_ = row_of("stats, nothing known", cold);
    Group group{"first time",
                {row_of("index and filters (first search)", both), row_of("index alone (first ls)", index)}};
    const double gigabytes = static_cast<double>(store_.bytes) / 1e9;
    goal(group.rows[0], 1600 * gigabytes, "<= 1.6 s/GB");
    grows("first search", group.rows[0].p50);
    add(std::move(group));
    holdfast({"search", kRareWord, "--count"});
    settle();
    holdfast({"search", kRareWord, "--count"});
  }

  void lists() {
    std::vector<Timed> jobs(store_.sdk.empty() ? 5 : 6);
    const std::string sdk_list = fs::absolute("bench/claude_list.mjs").string();
    if (!store_.sdk.empty()) jobs[5].once = [&] { return other({"node", sdk_list, store_.sdk}); };
    jobs[0].once = [&] {
      return timed([&] {
        if (walk(AT_FDCWD, (store_.home + "/.claude").c_str()) + walk(AT_FDCWD, (store_.home + "/.codex").c_str()) == 0)
          stop("nothing to walk");
      });
    };
    jobs[1].once = [&] { return holdfast({"--version"}); };
    jobs[2].once = [&] { return holdfast({"ls", "--json"}); };
    jobs[3].once = [&] { return holdfast({"ls", "--limit", "50"}); };
    jobs[4].once = [&] {
      return other({"/bin/sh", "-c", "find .claude .codex -name '*.jsonl' -print0 | xargs -0 head -qc 4096"});
    };
    const fs::path before = fs::current_path();
    fs::current_path(store_.home);
    run_in_turns(jobs, store_.rounds);
    fs::current_path(before);
    start_ = row_of("process start (holdfast --version)", jobs[1].samples);
    Group group{
        fmt::format("list of {} sessions, whole processes", store_.sessions),
        {row_of("walk and stat, in one process", jobs[0].samples), start_, row_of("ls --json (all)", jobs[2].samples),
         row_of("ls --limit 50", jobs[3].samples), row_of("find | xargs head", jobs[4].samples)}};
    group.rows[2].ratio = (group.rows[2].p50 - start_.p50) / group.rows[0].p50;
    group.rows[2].goal = "<= 2 x walk";
    group.rows[2].met = group.rows[2].ratio <= 2;
    goal(group.rows[3], 25, "<= 25 ms");
    if (!store_.sdk.empty()) group.rows.push_back(row_of("Claude Agent SDK, listSessions (its half)", jobs[5].samples));
    grows("ls --limit 50", group.rows[3].p50);
    add(std::move(group));
  }

  void searches() {
    const bool rg = !program_path("rg").empty();
    const std::string claude = store_.home + "/.claude", codex = store_.home + "/.codex";
    const std::string regex = "null\\w+";
    std::vector<std::function<double()>> work = {
        [&] { return holdfast({"search", kRareWord}); },
        [&] { return other({"rg", "-iF", "--no-ignore", "-c", kRareWord, claude, codex}); },
        [&] { return holdfast({"search", kCommonWord}); },
        [&] { return holdfast({"search", kCommonWord, "--count"}); },
        [&] { return other({"rg", "-iF", "--no-ignore", "-c", kCommonWord, claude, codex}); },
        [&] { return holdfast({"search", "--regex", regex, "--count"}); },
        [&] { return other({"rg", "-i", "--no-ignore", "-c", regex, claude, codex}); }};
    std::vector<Timed> jobs;
    for (auto& once : work) jobs.push_back({std::move(once)});
    if (!rg) fmt::print("rg is not installed: not compared\n");
    run_in_turns(jobs, store_.rounds);
    Group group{"search, whole processes, everything known",
                {row_of("rare word", jobs[0].samples), row_of("  rg -iF -c", jobs[1].samples),
                 row_of("common word, first page", jobs[2].samples), row_of("common word, --count", jobs[3].samples),
                 row_of("  rg -iF -c", jobs[4].samples), row_of("regex, --count", jobs[5].samples),
                 row_of("  rg -i -c", jobs[6].samples)}};
    goal(group.rows[0], 15 + start_.p50, "<= start + 15");
    goal(group.rows[2], 40 + start_.p50, "<= start + 40");
    if (rg) {
      at_most(group.rows[3], group.rows[4], 1.0);
      at_most(group.rows[5], group.rows[6], 3.0);
    }
    grows("rare word", group.rows[0].p50);
    grows("common word, first page", group.rows[2].p50);
    grows("common word, --count", group.rows[3].p50);
    grows("regex, --count", group.rows[5].p50);
    add(std::move(group));
  }

  // Appends a record to the largest session of Claude Code below 16 MB each time.
  void growing() {
    fs::path largest;
    for (const auto& entry : fs::recursive_directory_iterator(store_.home + "/.claude")) {
      if (entry.is_regular_file() && entry.file_size() <= 16'000'000 &&
          (largest.empty() || entry.file_size() > fs::file_size(largest)))
        largest = entry.path();
    }
    int number = 0;
    std::vector<Timed> jobs(2);
    jobs[0].once = [&] { return holdfast({"ls", "--limit", "50"}); };
    jobs[1].once = [&] {
      std::ofstream(largest, std::ios::app)
          << R"({"type":"user","uuid":"grow-)" << ++number
          << R"(","sessionId":"s","timestamp":"2026-11-15T08:00:00.000Z","message":{"role":"user","content":"more"}})"
          << "\n";
      const double ms = holdfast({"ls", "--limit", "50"});
      settle();
      holdfast({"ls", "--limit", "50"});  // trusted from now on
      return ms;
    };
    run_in_turns(jobs, std::min(store_.rounds, 5));
    Group group{
        fmt::format("after an append to a session of {:.1f} MB", static_cast<double>(fs::file_size(largest)) / 1e6),
        {row_of("ls --limit 50, nothing new", jobs[0].samples),
         row_of("ls --limit 50, after the append", jobs[1].samples)}};
    goal(group.rows[1], group.rows[0].p50 + 5, "<= + 5 ms");
    add(std::move(group));
  }

  void statistics() {
    std::vector<Timed> jobs(2);
    jobs[0].once = [&] { return holdfast({"stats", "--json"}); };
    jobs[1].once = [&] {
      return store_.ccusage.empty() ? 0.0 : other({store_.ccusage, "daily", "--offline", "--json"});
    };
    run_in_turns(jobs, std::min(store_.rounds, 5));
    Group group{"statistics, whole processes", {cold_stats_, row_of("stats, everything known", jobs[0].samples)}};
    if (!store_.ccusage.empty()) {
      same_totals();
      group.rows.push_back(row_of("ccusage daily --offline", jobs[1].samples));
      at_most(group.rows[0], group.rows[2], 0.25);
      at_most(group.rows[1], group.rows[2], 0.025);
    } else {
      fmt::print("ccusage is not given (--ccusage PATH): not compared\n");
    }
    grows("stats", group.rows[1].p50);
    add(std::move(group));
  }

  // Both must read the same tokens from the same files, or there is nothing to compare.
  void same_totals() const {
    const std::string theirs = run_process({store_.ccusage, "daily", "--offline", "--json"}, store_.home, true).out;
    const std::string mine = run_process(ours({"stats", "--json"}), store_.home, true).out;
    const JsonView totals = JsonView(theirs).find("totals"), usage = JsonView(mine).find("total").find("usage");
    for (const auto& [their_name, name] :
         {std::pair("inputTokens", "input"), std::pair("outputTokens", "output"),
          std::pair("cacheReadTokens", "cache_read"), std::pair("cacheCreationTokens", "cache_write")}) {
      const auto here = usage.find(name).as_int64();
      if (!here || here != totals.find(their_name).as_int64())
        stop(fmt::format("{}: ccusage counts {}, holdfast {}", name, totals.find(their_name).raw(),
                         usage.find(name).raw()));
    }
  }

  void sizes() {
    std::uint64_t bytes = 0;
    for (const auto& entry : fs::recursive_directory_iterator(store_.home + "/cache")) {
      if (entry.is_regular_file()) bytes += entry.file_size();
    }
    Row disk{.name = "index and filters on disk",
             .p50 = 100.0 * static_cast<double>(bytes) / static_cast<double>(store_.bytes),
             .unit = "%"};
    goal(disk, 7, "<= 7 %");
    Row memory{.name = "most memory of any process above", .p50 = most_memory_, .unit = "MiB"};
    goal(memory, 64, "<= 64 MiB");
    add({"size", {disk, memory}});
  }

  const FindStore& store_;
  FindFigures figures_;
  Row start_, cold_stats_;
  double most_memory_ = 0;
};

}  // namespace

FindStore make_find_store(const std::string& home, const std::string& binary, std::uint64_t bytes,
                          std::size_t sessions) {
  FindStore store{.home = home, .binary = binary};
  const auto all = write_synthetic_store({.bytes = bytes, .sessions = sessions}, home);
  store.sessions = all.size();
  int planted = 0;
  for (const SyntheticSession& session : all) {
    store.bytes += session.bytes;
    if (session.layout != "claude-code" || planted >= 8) continue;
    ++planted;
    for (const auto& entry : fs::recursive_directory_iterator(home + "/.claude")) {
      if (entry.path().stem() != session.id) continue;
      std::ofstream(entry.path(), std::ios::app)
          << R"({"type":"user","uuid":"planted-)" << planted << R"(","sessionId":")" << session.id
          << R"(","timestamp":"2026-11-15T08:00:00.000Z","message":{"role":"user","content":"the Zyzzogeton again"}})"
          << "\n";
    }
  }
  return store;
}

FindFigures find_jobs(const FindStore& store) { return Jobs(store).run(); }

}  // namespace holdfast::bench
