// Hands a large session to other agents, compared with printing it as JSON: wall clock and resident memory of
// the binary.
//
//   handoff_bench [--dir DIR] [--binary FILE] [--bytes N] [--rounds N] [--json FILE]
#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>

#include "bench/measured_child.h"
#include "bench/synthetic_store.h"
#include "bench/table.h"

namespace {

using namespace holdfast::bench;
namespace fs = std::filesystem;

constexpr double kMaxMegabytes = 64, kLeastSpeed = 0.25;

struct Measured {
  std::vector<double> micros = {};
  double megabytes = 0;
};

void run(Measured& into, const std::string& home, const std::vector<std::string>& words) {
  std::vector<std::string> all = {"env", "HOME=" + home};
  all.insert(all.end(), words.begin(), words.end());
  const ChildRun child = run_child(all);
  if (!child.ok) stop("failed: " + words[1]);
  into.micros.push_back(child.wall * 1e6);
  into.megabytes = std::max(into.megabytes, child.megabytes);
}

Row memory(std::string name, double megabytes, bool goal) {
  Row row{.name = std::move(name), .p50 = megabytes, .unit = "MB resident", .against = {}, .goal = {}, .met = {}};
  if (!goal) return row;
  row.goal = fmt::format("at most {:g}", kMaxMegabytes);
  row.met = megabytes <= kMaxMegabytes;
  return row;
}

}  // namespace

int main(int count, char** arguments) {
  std::map<std::string, std::string> options = {
      {"--dir", fs::is_directory("build") ? "build/handoff-bench" : "handoff-bench"},
      {"--binary", "build/release/holdfast"},
      {"--bytes", "100000000"},
      {"--rounds", "5"},
      {"--json", ""}};
  for (int at = 1; at + 1 < count; at += 2) {
    if (!options.contains(arguments[at])) stop(std::string("unknown option ") + arguments[at]);
    options[arguments[at]] = arguments[at + 1];
  }
  const std::string binary = fs::absolute(options["--binary"]).string();
  std::vector<Group> groups;
  for (const std::string from : {"claude-code", "codex"}) {
    const std::string home = fs::absolute(options["--dir"]).string() + "/" + from, out = home + "/out";
    fs::remove_all(home);
    fs::create_directories(home);
    SyntheticPlan plan;
    plan.bytes = std::strtoull(options["--bytes"].c_str(), nullptr, 10);
    plan.sessions = 1;
    plan.layout = from;
    write_synthetic_store(plan, home);
    Measured shown;
    std::map<std::string, Measured> handed;
    const std::vector<std::string> targets = {"claude-code", "codex", "gemini", "qwen", "pi", "copilot", "opencode"};
    for (int round = std::atoi(options["--rounds"].c_str()); round > 0; --round) {
      run(shown, home, {binary, "show", from + "/@last", "--format", "json"});
      for (const std::string& to : targets) {
        fs::remove_all(out);
        run(handed[to], home, {binary, "handoff", from + "/@last", "--to", to, "--project", home, "-o", out});
      }
    }
    Group group{"a session of " + from + " of " + options["--bytes"] + " bytes", {}};
    const Row base = timing("show --format json", shown.micros);
    group.rows.push_back(base);
    group.rows.push_back(memory("show --format json", shown.megabytes, false));
    for (const std::string& to : targets) {
      Row row = timing("handoff --to " + to, handed[to].micros);
      at_most(row, base, 1 / kLeastSpeed);
      group.rows.push_back(row);
      group.rows.push_back(memory("handoff --to " + to, handed[to].megabytes, true));
    }
    print_group(group);
    groups.push_back(std::move(group));
    fs::remove_all(home);
  }
  print_sum(groups);
  if (!options["--json"].empty()) write_json(options["--json"], groups, "handoff");
  return 0;
}
