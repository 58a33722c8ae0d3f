// The archive on a synthetic store, compared with what zstd, ls and cp take for the same files (issue 18).
//
//   archive_bench [--dir DIR] [--binary FILE] [--bytes N] [--sessions N] [--rounds N] [--grow 0.1,1,10]
//                 [--corpus DIR] [--json FILE]
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

Group over_a_store(const std::string& directory, const std::string& binary, std::uint64_t bytes, std::size_t sessions,
                   int rounds) {
  const Home home(directory, binary);
  auto made = write_synthetic_store({.bytes = bytes, .sessions = sessions}, home.path());
  const std::uint64_t raw = home.bytes_below(".claude") + home.bytes_below(".codex");
  Group group{fmt::format("{:.2f} GB, {} sessions", static_cast<double>(raw) / 1e9, made.size()), {}};
  auto& rows = group.rows;

  home.shell("find \"$HOME\"/.claude \"$HOME\"/.codex -type f -exec cat {} + >/dev/null");  // into the page cache
  const ChildRun packed =
      home.shell("find \"$HOME\"/.claude \"$HOME\"/.codex -type f -exec zstd -3 -q -c {} + >/dev/null");
  const ChildRun first = home.holdfast({"archive", "run"});
  rows.push_back(figure("zstd -3 over the same files, processor", packed.processor, "s"));
  rows.push_back(figure("first capture, processor", first.processor, "s"));
  at_most(rows[1], rows[0], 1.4);
  rows.push_back(
      with_goal(figure("first capture, resident", first.megabytes, "MiB"), "<= 64 MiB", first.megabytes <= 64));

  // Wait until changed files are not checked again because of the clock's granularity.
  home.shell("sleep 3");
  home.holdfast({"archive", "run"});
  std::vector<double> listed, nothing, listed_after, one;
  const auto usual = made.begin() + static_cast<std::ptrdiff_t>(made.size() / 2);
  std::ranges::nth_element(made, usual, {}, &SyntheticSession::bytes);
  const SyntheticSession &middle = *usual, &largest = *std::ranges::max_element(made, {}, &SyntheticSession::bytes);
  for (int round = 0; round < rounds; ++round) {
    listed.push_back(home.holdfast({"ls", "--json"}).wall * 1e3);
    nothing.push_back(home.holdfast({"archive", "run"}).wall * 1e3);
  }
  for (int round = 0; round < rounds; ++round) {
    append_message(middle.path, 2 * round);
    listed_after.push_back(home.holdfast({"ls", "--json"}).wall * 1e3);
    append_message(middle.path, 2 * round + 1);
    one.push_back(home.holdfast({"archive", "run"}).wall * 1e3);
  }
  rows.push_back(figure("ls --json", median(listed), "ms"));
  rows.push_back(figure("archive run, nothing new", median(nothing), "ms"));
  at_most(rows.back(), rows[rows.size() - 2], 2);
  const double after = median(listed_after), more = median(one);
  rows.push_back(figure("ls --json after one message", after, "ms"));
  rows.push_back(with_goal(figure("archive run after one message", more, "ms"), "<= ls + 10 ms", more <= after + 10));

  add_sizes(home, raw, false, group);

  std::vector<double> live, archived, copied, restored;
  const std::string id = middle.layout + "/" + middle.id, large = largest.layout + "/" + largest.id;
  for (int round = 0; round < rounds; ++round) live.push_back(home.holdfast({"show", id}).wall * 1e3);
  const std::string copy = home.path() + "/copy";
  for (int round = 0; round < rounds; ++round) {
    copied.push_back(
        home.shell(fmt::format("mkdir -p '{0}' && cp '{1}' '{0}/x' && sync '{0}/x'", copy, largest.path)).wall);
    restored.push_back(home.holdfast({"restore", large, "--to", home.path() + "/back"}).wall);
    fs::remove_all(copy);
    fs::remove_all(home.path() + "/back");
  }
  fs::remove(middle.path);
  home.holdfast({"show", id});
  for (int round = 0; round < rounds; ++round) archived.push_back(home.holdfast({"show", id}).wall * 1e3);
  rows.push_back(figure("show of a session", median(live), "ms"));
  rows.push_back(figure("show out of the archive", median(archived), "ms"));
  at_most(rows.back(), rows[rows.size() - 2], 2);
  const double megabytes = static_cast<double>(largest.bytes) / 1e6;
  rows.push_back(figure(fmt::format("cp and sync of {:.0f} MB", megabytes), megabytes / median(copied), "MB/s"));
  rows.push_back(figure("restore of it", megabytes / median(restored), "MB/s"));
  at_least(rows.back(), rows[rows.size() - 2], 0.8);
  print_group(group);
  return group;
}

// 1,000 captures of one session that grows.
Group over_captures(const std::string& directory, const std::string& binary) {
  const Home home(directory, binary);
  const auto made = write_synthetic_store({.bytes = 300'000, .sessions = 1, .layout = "claude-code"}, home.path());
  const std::string log = home.path() + "/.local/share/holdfast/archive/log.jsonl";
  constexpr int kCaptures = 1000;
  double half = 0;
  for (int n = 0; n < kCaptures; ++n) {
    append_message(made.front().path, n);
    home.holdfast({"archive", "run"});
    if (n + 1 == kCaptures / 2) half = static_cast<double>(fs::file_size(log));
  }
  const double all = static_cast<double>(fs::file_size(log));
  Group group{"1,000 captures of one session", {}};
  group.rows.push_back(figure("log after 500", half / 1e3, "kB"));
  group.rows.push_back(figure("log after 1,000", all / 1e3, "kB"));
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
  std::string directory = fs::is_directory("build") ? "build/archive-bench" : "archive-bench";
  std::string binary = "build/release/holdfast", bytes = "1100000000", sessions = "5000", rounds = "5", grow, json;
  std::string corpus = std::getenv("HOLDFAST_CORPUS") != nullptr ? std::getenv("HOLDFAST_CORPUS") : "";
  parse_options(count, arguments,
                {{"--dir", into(directory)},
                 {"--binary", into(binary)},
                 {"--bytes", into(bytes)},
                 {"--sessions", into(sessions)},
                 {"--rounds", into(rounds)},
                 {"--grow", into(grow)},
                 {"--corpus", into(corpus)},
                 {"--json", into(json)}});
  binary = fs::absolute(binary).string();
  directory = fs::absolute(directory).string();
  const double each = std::atof(sessions.c_str()) / std::atof(bytes.c_str());
  std::vector<double> sizes;
  std::istringstream wanted(grow);
  for (std::string one; std::getline(wanted, one, ',');) sizes.push_back(std::atof(one.c_str()) * 1e9);
  if (sizes.empty()) sizes.push_back(std::atof(bytes.c_str()));
  std::vector<Group> groups;
  for (const double size : sizes)
    groups.push_back(over_a_store(directory + "/store", binary, static_cast<std::uint64_t>(size),
                                  static_cast<std::size_t>(size * each), std::atoi(rounds.c_str())));
  groups.push_back(over_captures(directory + "/captures", binary));
  if (!corpus.empty()) groups.push_back(over_corpus(directory + "/corpus", binary, corpus));
  std::error_code ignored;
  fs::remove_all(directory, ignored);
  print_sum(groups);
  if (!json.empty()) write_json(json, groups, "the archive over synthetic sessions of Claude Code and Codex");
  return 0;
}
