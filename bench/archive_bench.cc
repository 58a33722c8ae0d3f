// The archive on synthetic stores, compared with what zstd, ls and cp take for the same files (issue 18).
//
//   archive_bench [--dir DIR] [--binary FILE] [--grow GB,GB...] [--sessions N] [--rounds N] [--captures N]
//                 [--corpus DIR] [--json FILE]
//
// --grow: sizes of the stores, by default 0.1 and 1.1 GB. --sessions: how many 1.1 GB have. --captures: of one session
// that grows.
#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "bench/measured_child.h"
#include "bench/options.h"
#include "bench/synthetic_store.h"
#include "text/json_value.h"

namespace {

using namespace holdfast::bench;
namespace fs = std::filesystem;

// A separate home, and the program in it.
class Home {
 public:
  Home(std::string path, std::string binary) : path_(std::move(path)), binary_(std::move(binary)) {
    fs::remove_all(path_);
    fs::create_directories(path_);
  }
  ~Home() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Home(const Home&) = delete;
  Home& operator=(const Home&) = delete;

  const std::string& path() const { return path_; }
  ChildRun run(std::vector<std::string> words) const {
    const std::string search = std::getenv("PATH") != nullptr ? std::getenv("PATH") : "/usr/bin:/bin";
    std::vector<std::string> all{"env", "-i", "HOME=" + path_, "PATH=" + search, "LANG=C.UTF-8"};
    all.insert(all.end(), words.begin(), words.end());
    ChildRun ran = run_child(all);
    if (!ran.ok) stop("failed: " + words[0] + " " + (words.size() > 1 ? words[1] : ""));
    return ran;
  }
  ChildRun holdfast(std::vector<std::string> words) const {
    words.insert(words.begin(), binary_);
    return run(std::move(words));
  }
  ChildRun shell(const std::string& line) const { return run({"sh", "-c", line}); }

  std::uint64_t bytes_below(const std::string& folder) const {
    std::uint64_t bytes = 0;
    if (!fs::exists(path_ + "/" + folder)) return 0;
    for (const auto& entry : fs::recursive_directory_iterator(path_ + "/" + folder))
      bytes += entry.is_regular_file() ? entry.file_size() : 0;
    return bytes;
  }
  std::uint64_t packed() const { return bytes_below(".local/share/holdfast/archive/packs"); }

 private:
  const std::string path_, binary_;
};

Row figure(std::string name, double value, std::string unit) {
  return {.name = std::move(name), .p50 = value, .unit = std::move(unit)};
}

Row with_goal(Row row, std::string goal, bool met) {
  row.goal = std::move(goal);
  row.met = met;
  return row;
}

double median(std::vector<double> samples) { return percentile(samples, 0.5); }

// Runs of one command, in milliseconds.
struct Runs {
  std::vector<double> wall = {}, processor = {};

  void add(const ChildRun& run) {
    wall.push_back(run.wall * 1e3);
    processor.push_back(run.processor * 1e3);
  }
};

// The wall clock means something only on a quiet machine, so the processor's time follows.
void add_times(Group& group, const std::string& name, const Runs& runs) {
  group.rows.push_back(figure(name, median(runs.wall), "ms"));
  group.rows.push_back(figure(name + ", processor", median(runs.processor), "ms"));
}

// The same, relative to what was added before.
void add_times(Group& group, const std::string& name, const Runs& runs, double most) {
  add_times(group, name, runs);
  auto& rows = group.rows;
  at_most(rows[rows.size() - 2], rows[rows.size() - 4], most);
  against(rows[rows.size() - 1], rows[rows.size() - 3]);
}

void append_message(const std::string& file, int n) {
  std::ofstream(file, std::ios::app) << "{\"type\":\"mode\",\"n\":" << n << "}\n";
}

// The size of the packs relative to the raw bytes, as captured and compacted.
void add_sizes(const Home& home, std::uint64_t raw, bool goals, Group& group) {
  const double live = 100.0 * static_cast<double>(home.packed()) / static_cast<double>(raw);
  home.holdfast({"archive", "compact"});
  const double small = 100.0 * static_cast<double>(home.packed()) / static_cast<double>(raw);
  const Row one = figure("packs, of the raw bytes", live, "%"), two = figure("packs after compact", small, "%");
  group.rows.push_back(goals ? with_goal(one, "<= 20 %", live <= 20) : one);
  group.rows.push_back(goals ? with_goal(two, "<= 11 %", small <= 11) : two);
}

// Restores a session, and copies its file; both are on the disk afterwards, with their names.
void add_restore(const Home& home, const SyntheticSession& session, int rounds, Group& group) {
  const std::string copy = home.path() + "/copy", back = home.path() + "/back";
  const std::string by_hand =
      fmt::format("mkdir '{0}' && cp '{1}' '{0}/x' && sync '{0}/x' '{0}' '{2}'", copy, session.path, home.path());
  Runs copied, restored;
  for (int round = 0; round <= rounds; ++round) {
    const ChildRun one = home.shell(by_hand);
    const ChildRun other = home.holdfast({"restore", session.layout + "/" + session.id, "--to", back});
    fs::remove_all(copy);
    fs::remove_all(back);
    if (round == 0) continue;
    copied.add(one);
    restored.add(other);
  }
  const double megabytes = static_cast<double>(session.bytes) / 1e6;
  const auto speed = [&](const Runs& runs) { return megabytes / (median(runs.wall) / 1e3); };
  group.rows.push_back(figure(fmt::format("cp and sync of {:.1f} MB", megabytes), speed(copied), "MB/s"));
  group.rows.push_back(figure("restore of it", speed(restored), "MB/s"));
  at_least(group.rows.back(), group.rows[group.rows.size() - 2], 0.8);
  group.rows.push_back(figure("restore of it, processor", median(restored.processor), "ms"));
}

void check_space(const std::string& directory, std::uint64_t bytes) {
  fs::create_directories(directory);
  const std::uint64_t needed = bytes / 2 * 5, free = fs::space(directory).available;
  if (free < needed)
    stop(fmt::format("a store of {:.1f} GB needs {:.1f} GB in {}, which has {:.1f} GB free",
                     static_cast<double>(bytes) / 1e9, static_cast<double>(needed) / 1e9, directory,
                     static_cast<double>(free) / 1e9));
}

Group over_a_store(const std::string& directory, const std::string& binary, std::uint64_t bytes, std::size_t sessions,
                   int rounds) {
  check_space(fs::path(directory).parent_path(), bytes);
  const Home home(directory, binary);
  auto made = write_synthetic_store({.bytes = bytes, .sessions = sessions}, home.path());
  const std::uint64_t raw = home.bytes_below(".claude") + home.bytes_below(".codex");
  Group group{fmt::format("{:.2f} GB, {} sessions", static_cast<double>(raw) / 1e9, made.size()), {}};
  auto& rows = group.rows;

  const std::string each = "find \"$HOME\"/.claude \"$HOME\"/.codex -type f -exec ";
  home.shell(each + "cat {} + >/dev/null");  // into the page cache
  const ChildRun packed = home.shell(each + "zstd -3 -q -c {} + >/dev/null");
  const ChildRun first = home.holdfast({"archive", "run"});
  rows.push_back(figure("zstd -3 over the same files, processor", packed.processor, "s"));
  rows.push_back(figure("first capture, processor", first.processor, "s"));
  at_most(rows[1], rows[0], 1.4);
  rows.push_back(
      with_goal(figure("first capture, resident", first.megabytes, "MiB"), "<= 64 MiB", first.megabytes <= 64));

  // Wait until changed files are not checked again because of the clock's granularity.
  home.shell("sleep 3");
  for (int warm = 0; warm < 2; ++warm) {
    home.holdfast({"ls", "--json"});
    home.holdfast({"archive", "run"});
  }
  const auto usual = made.begin() + static_cast<std::ptrdiff_t>(made.size() / 2);
  std::ranges::nth_element(made, usual, {}, &SyntheticSession::bytes);
  const SyntheticSession& middle = *usual;
  const SyntheticSession& largest = *std::ranges::max_element(made, {}, &SyntheticSession::bytes);
  const std::string id = middle.layout + "/" + middle.id;
  Runs listed, nothing, listed_after, one, live, archived;
  for (int round = 0; round < rounds; ++round) {
    listed.add(home.holdfast({"ls", "--json"}));
    nothing.add(home.holdfast({"archive", "run"}));
    live.add(home.holdfast({"show", id}));
  }
  for (int round = 0; round < rounds; ++round) {
    append_message(middle.path, 2 * round);
    listed_after.add(home.holdfast({"ls", "--json"}));
    append_message(middle.path, 2 * round + 1);
    one.add(home.holdfast({"archive", "run"}));
  }
  add_times(group, "ls --json", listed);
  add_times(group, "archive run, nothing new", nothing, 2);
  add_times(group, "ls --json after one message", listed_after);
  const double after = median(listed_after.wall), more = median(one.wall);
  add_times(group, "archive run after one message", one);
  rows[rows.size() - 2] = with_goal(rows[rows.size() - 2], "<= ls + 10 ms", more <= after + 10);

  add_sizes(home, raw, false, group);
  const std::string kept = home.path() + "/kept";
  fs::rename(middle.path, kept);
  for (int round = 0; round <= rounds; ++round) {
    const ChildRun run = home.holdfast({"show", id});
    if (round > 0) archived.add(run);
  }
  fs::rename(kept, middle.path);
  add_times(group, "show of a session", live);
  add_times(group, "show out of the archive", archived, 2);
  add_restore(home, largest, rounds, group);
  // Large enough that the time of starting a program does not matter.
  const SyntheticSession large =
      write_synthetic_store({.bytes = 128'000'000, .sessions = 1, .seed = 2, .layout = "claude-code"}, home.path())
          .front();
  home.holdfast({"archive", "run"});
  add_restore(home, large, rounds, group);

  print_group(group);
  return group;
}

// Many captures of one session that grows.
Group over_captures(const std::string& directory, const std::string& binary, int captures) {
  const Home home(directory, binary);
  const auto made = write_synthetic_store({.bytes = 300'000, .sessions = 1, .layout = "claude-code"}, home.path());
  const std::string log = home.path() + "/.local/share/holdfast/archive/log.jsonl";
  double half = 0;
  for (int n = 0; n < captures; ++n) {
    append_message(made.front().path, n);
    home.holdfast({"archive", "run"});
    if (n + 1 == captures / 2) half = static_cast<double>(fs::file_size(log));
  }
  const double all = static_cast<double>(fs::file_size(log));
  Group group{fmt::format("{} captures of one session", captures), {}};
  group.rows.push_back(figure("log after half of them", half / 1e3, "kB"));
  group.rows.push_back(figure("log after all", all / 1e3, "kB"));
  at_most(group.rows[1], group.rows[0], 2.1);
  print_group(group);
  return group;
}

// Real sessions of real agents.
Group over_corpus(const std::string& directory, const std::string& binary, const std::string& corpus) {
  const Home home(directory, binary);
  std::uint64_t raw = 0;
  for (const auto& agent : fs::directory_iterator(corpus)) {
    if (!agent.is_directory()) continue;
    for (const auto& folder : fs::directory_iterator(agent.path())) {
      const std::string name = folder.path().filename().string();
      if (!folder.is_directory() || !name.starts_with('.')) continue;
      fs::copy(folder.path(), home.path() + "/" + name,
               fs::copy_options::recursive | fs::copy_options::skip_existing | fs::copy_options::copy_symlinks);
    }
  }
  const ChildRun ran = home.holdfast({"archive", "run", "--json"});
  raw = static_cast<std::uint64_t>(holdfast::JsonView(ran.output).find("bytes").as_int64().value_or(1));
  Group group{fmt::format("the corpus of real agents, {:.1f} MB", static_cast<double>(raw) / 1e6), {}};
  add_sizes(home, raw, true, group);
  print_group(group);
  return group;
}

}  // namespace

int main(int count, char** arguments) {
  constexpr double kUsual = 1.1;  // GB
  std::string directory = fs::is_directory("build") ? "build/archive-bench" : "archive-bench";
  std::string binary = "build/release/holdfast", sessions = "5000", rounds = "7", grow = "0.1,1.1", captures = "1000";
  std::string json, corpus = std::getenv("HOLDFAST_CORPUS") != nullptr ? std::getenv("HOLDFAST_CORPUS") : "";
  parse_options(count, arguments,
                {{"--dir", into(directory)},
                 {"--binary", into(binary)},
                 {"--grow", into(grow)},
                 {"--sessions", into(sessions)},
                 {"--rounds", into(rounds)},
                 {"--captures", into(captures)},
                 {"--corpus", into(corpus)},
                 {"--json", into(json)}});
  binary = fs::absolute(binary).string();
  directory = fs::absolute(directory).string();
  std::vector<Group> groups;
  std::istringstream sizes(grow);
  for (std::string size; std::getline(sizes, size, ',');) {
    const double gigabytes = std::atof(size.c_str());
    groups.push_back(over_a_store(directory + "/store", binary, static_cast<std::uint64_t>(gigabytes * 1e9),
                                  static_cast<std::size_t>(gigabytes / kUsual * std::atof(sessions.c_str())),
                                  std::atoi(rounds.c_str())));
  }
  if (std::atoi(captures.c_str()) > 0)
    groups.push_back(over_captures(directory + "/captures", binary, std::atoi(captures.c_str())));
  if (!corpus.empty()) groups.push_back(over_corpus(directory + "/corpus", binary, corpus));
  std::error_code ignored;
  fs::remove_all(directory, ignored);
  print_sum(groups);
  if (!json.empty()) write_json(json, groups, "the archive over synthetic sessions of Claude Code and Codex");
  return 0;
}
