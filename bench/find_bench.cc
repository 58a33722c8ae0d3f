// List, search and statistics on a synthetic store, compared with what users have today.
//
//   find_bench [--dir DIR] [--binary FILE] [--bytes N] [--sessions N] [--rounds N] [--ccusage FILE]
//              [--claude-sdk DIR]
//              [--grow 0.1,1,10] [--plot FILE.svg] [--json FILE]
#include <fmt/core.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "bench/find_job.h"
#include "bench/find_process.h"

namespace {

using namespace holdfast::bench;
namespace fs = std::filesystem;

std::string load_average() {
  std::ifstream file("/proc/loadavg");
  std::string one, five;
  file >> one >> five;
  return one + " (1 minute), " + five + " (5 minutes)";
}

}  // namespace

int main(int count, char** arguments) {
  std::map<std::string, std::string> options = {
      {"--dir", fs::is_directory("build") ? "build/find-bench" : "find-bench"},
      {"--binary", "build/release/holdfast"},
      {"--bytes", "1045000000"},
      {"--sessions", "5000"},
      {"--rounds", "9"},
      {"--ccusage", program_path("ccusage")},
      {"--claude-sdk", ""},
      {"--grow", ""},
      {"--plot", ""},
      {"--json", ""}};
  for (int at = 1; at + 1 < count; at += 2) {
    if (!options.contains(arguments[at])) stop(std::string("unknown option ") + arguments[at]);
    options[arguments[at]] = arguments[at + 1];
  }
  std::vector<double> sizes;
  std::istringstream grow(options["--grow"]);
  for (std::string one; std::getline(grow, one, ',');) sizes.push_back(std::atof(one.c_str()));
  if (sizes.empty()) sizes.push_back(std::atof(options["--bytes"].c_str()) / 1e9);
  const double sessions_each = std::atof(options["--sessions"].c_str()) / (std::atof(options["--bytes"].c_str()) / 1e9);
  fmt::print("load average before: {}\n", load_average());
  std::vector<Group> groups;
  std::vector<FindSize> growth;
  for (const double gigabytes : sizes) {
    const std::string home = fs::absolute(options["--dir"]).string() + fmt::format("/{:g}GB", gigabytes);
    fs::remove_all(home);
    fs::create_directories(home);
    FindStore store =
        make_find_store(home, fs::absolute(options["--binary"]).string(), static_cast<std::uint64_t>(gigabytes * 1e9),
                        static_cast<std::size_t>(gigabytes * sessions_each));
    store.ccusage = options["--ccusage"];
    if (!options["--claude-sdk"].empty()) store.sdk = fs::absolute(options["--claude-sdk"]).string();
    store.rounds = std::atoi(options["--rounds"].c_str());
    fmt::print("\n==== {:.2f} GB, {} sessions; load average {}\n", static_cast<double>(store.bytes) / 1e9,
               store.sessions, load_average());
    FindFigures figures = find_jobs(store);
    for (Group& group : figures.groups) {
      if (sizes.size() > 1) group.title = fmt::format("{:g} GB: ", gigabytes) + group.title;
      groups.push_back(std::move(group));
    }
    growth.push_back({gigabytes, std::move(figures.growth)});
    fs::remove_all(home);
  }
  fmt::print("\nload average after: {}\n", load_average());
  print_sum(groups);
  if (!options["--plot"].empty() && growth.size() > 1) std::ofstream(options["--plot"]) << growth_plot(growth);
  if (!options["--json"].empty()) write_json(options["--json"], groups, "find; load average " + load_average());
  return 0;
}
