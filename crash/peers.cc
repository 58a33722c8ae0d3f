// T15: the same kills and power cuts for the ways in which other programs store a
// session, beside ours. It reports on the others and fails only if ours loses something.
#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

#include <charconv>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <stdexcept>
#include <thread>
#include <utility>

#include "parts.h"
#include "peers_store.h"
#include "power_cut.h"
#include "storm_process.h"

extern char** environ;  // NOLINT: the name is the system's

namespace holdfast::lab {
namespace {

struct PeerRow {
  PeerName name;
  std::string how;
  std::uint64_t crashes = 0;
  std::uint64_t acknowledged = 0;
  std::uint64_t lost = 0;
  std::uint64_t losing = 0;   // crashes that lost something
  std::uint64_t damaged = 0;  // crashes that left something unreadable
  std::string example;
};

std::vector<std::uint64_t> numbers_in(std::string_view said) {
  std::vector<std::uint64_t> numbers;
  for (auto end = said.find('\n'); end != std::string_view::npos; end = said.find('\n')) {
    std::uint64_t number = 0;
    std::from_chars(said.data(), said.data() + end, number);
    numbers.push_back(number);
    said.remove_prefix(end + 1);
  }
  return numbers;
}

// After a crash: what was promised in this run, or was there before, must be there.
class Judge {
 public:
  Judge(PeerRow& row, Outcome& outcome, std::string where) : row_(row), outcome_(outcome), where_(std::move(where)) {}

  void crash(const std::string& directory, const std::vector<std::uint64_t>& promised) {
    ++row_.crashes;
    row_.acknowledged += promised.size();
    std::set<std::uint64_t> due = std::exchange(before_, {});
    due.insert(promised.begin(), promised.end());
    PeerView view = read_peer_store(row_.name.peer, directory);
    std::uint64_t gone = 0;
    for (const auto number : due) gone += view.messages.contains(number) ? 0 : 1;
    row_.lost += gone;
    row_.losing += gone > 0 ? 1 : 0;
    row_.damaged += view.damaged ? 1 : 0;
    if (view.damaged && row_.example.empty()) row_.example = view.why;
    if (row_.name.peer == Peer::ours) {
      outcome_.acknowledged += promised.size();
      const std::string where = where_ + ", crash " + std::to_string(row_.crashes);
      if (gone > 0) outcome_.fail(&Outcome::lost, where + ": " + std::to_string(gone) + " messages lost");
      if (view.damaged) outcome_.fail(&Outcome::unopenable, where + ": " + view.why);
    }
    // A store that lost something or is damaged starts over with a new session.
    if (gone > 0 || view.damaged)
      std::filesystem::remove_all(directory);
    else
      before_ = std::move(view.messages);
  }

 private:
  PeerRow& row_;
  Outcome& outcome_;
  std::string where_;
  std::set<std::uint64_t> before_;
};

void kill_storm(const Options& options, PeerRow& row, Outcome& outcome, std::uint64_t kills, Random& random) {
  const ScratchDirectory scratch(options.scratch);
  const std::string directory = scratch.path() + "/session";
  Judge judge(row, outcome, "seed " + std::to_string(options.seed) + " kill");
  for (std::uint64_t i = 0; i < kills; ++i) {
    Child child(peer_command(row.name.peer, options.program, directory), 1);
    std::string said;
    if (!child.read_some(said)) throw std::runtime_error(std::string(row.name.title) + ": the writer did not start");
    const auto death = std::chrono::steady_clock::now() + std::chrono::microseconds(200 + random.below(50'000));
    std::thread killer([&] {
      std::this_thread::sleep_until(death);
      child.kill();
    });
    while (child.read_some(said)) {
    }
    killer.join();
    child.reap();
    judge.crash(directory, numbers_in(said));
  }
}

pid_t start_on(const std::vector<std::string>& words, int report) {
  std::vector<char*> argv;
  for (const auto& word : words) argv.push_back(const_cast<char*>(word.c_str()));  // NOLINT: exec's signature
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&actions, report, 1);
  ::posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);  // it will see EIO
  if (report > 2) ::posix_spawn_file_actions_addclose(&actions, report);
  pid_t pid = -1;
  if (::posix_spawnp(&pid, argv[0], &actions, nullptr, argv.data(), environ) != 0) pid = -1;
  ::posix_spawn_file_actions_destroy(&actions);
  return pid;
}

// A promise counts only once the next one was made too (see power_cut.h).
void cut_storm(const Options& options, PeerRow& row, Outcome& outcome, DiskKind kind, unsigned cycles, Random& random) {
  const ScratchDirectory scratch(options.scratch);
  Judge judge(row, outcome, "seed " + std::to_string(options.seed) + " cut of " + disk_kind_name(kind));
  CutPlan plan;
  plan.kind = kind;
  plan.cycles = cycles;
  plan.scratch = scratch.path() + "/disk";
  std::filesystem::create_directories(plan.scratch);
  const auto result = cut_cycles(
      plan,
      [&](const std::string& mount, int report, unsigned) {
        CutWriter writer;
        writer.pid = start_on(peer_command(row.name.peer, options.program, mount + "/session"), report);
        writer.delay = std::chrono::microseconds(500 + random.below(50'000));
        return writer;
      },
      [&](const Cut& cut) {
        auto promised = numbers_in(cut.said);
        if (promised.empty()) {
          row.example = "a writer did not start";
          if (row.name.peer == Peer::ours) outcome.fail(&Outcome::unopenable, "power cut: " + row.example);
          return;
        }
        promised.pop_back();
        judge.crash(cut.mount + "/session", promised);
        // Let the machine run for a while between two cuts. (If ext4 never commits anything
        // between shutdowns, its bitmaps end up failing their own checksums.)
        if (const int mount = ::open(cut.mount.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); mount >= 0) {
          ::syncfs(mount);
          ::close(mount);
        }
      });
  if (!result.error.empty()) row.example = result.error;
  if (!result.error.empty() && row.name.peer == Peer::ours)
    outcome.fail(&Outcome::wrong, "power cuts on " + std::string(disk_kind_name(kind)) + ": " + result.error);
}

std::string line_of(const PeerRow& row) {
  char text[200];
  std::snprintf(text, sizeof text, "\n      %-32.*s %-10s %7llu %13llu %9llu %9llu %9llu  %s",
                static_cast<int>(row.name.title.size()), row.name.title.data(), row.how.c_str(),
                static_cast<unsigned long long>(row.crashes), static_cast<unsigned long long>(row.acknowledged),
                static_cast<unsigned long long>(row.lost), static_cast<unsigned long long>(row.losing),
                static_cast<unsigned long long>(row.damaged), row.example.substr(0, 40).c_str());
  return text;
}

}  // namespace

Outcome run_t15(const Options& options) {
  Outcome outcome;
  outcome.unit = "crashes";
  Random random(options.seed);
  const std::string no_disks = disks_unavailable_reason(true);
  char head[200];
  std::snprintf(head, sizeof head, "%-32s %-10s %7s %13s %9s %9s %9s", "who", "how", "crashes", "acknowledged", "lost",
                "losing", "damaged");
  outcome.note = head;
  for (const auto& name : available_peers()) {
    const auto add = [&](const std::string& how, const auto& run) {
      PeerRow row{name, how, 0, 0, 0, 0, 0, {}};
      try {
        run(row);
      } catch (const std::exception& error) {
        row.example = error.what();
        if (name.peer == Peer::ours) outcome.fail(&Outcome::wrong, how + ": " + error.what());
      }
      outcome.cases += row.crashes;
      outcome.note += line_of(row);
    };
    add("kill -9",
        [&](PeerRow& row) { kill_storm(options, row, outcome, pick<std::uint64_t>(options, 10, 25, 100), random); });
    if (!no_disks.empty()) continue;
    add("cut, ext4", [&](PeerRow& row) {
      cut_storm(options, row, outcome, DiskKind::ext4, pick<unsigned>(options, 5, 10, 50), random);
    });
    add("cut, xfs", [&](PeerRow& row) {
      cut_storm(options, row, outcome, DiskKind::xfs, pick<unsigned>(options, 3, 5, 25), random);
    });
  }
  if (!no_disks.empty()) outcome.note += "\n      no power cuts here: " + no_disks;
  return outcome;
}

}  // namespace holdfast::lab
