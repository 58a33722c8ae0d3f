#include <fcntl.h>
#include <holdfast/document.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <filesystem>
#include <thread>
#include <vector>

#include "unsafe_paths.h"

namespace holdfast::lab {
namespace {

namespace fs = std::filesystem;
constexpr unsigned kWriters = 2;
constexpr unsigned kLongest = 1200;  // seconds
constexpr std::uint64_t kLook = 64;  // swaps of a name between two checks

// A name in the store, and the place outside to which its link leads.
struct Pair {
  std::string name;
  std::string spare;  // where the link waits
  std::string target;

  bool lay_link() const {
    std::error_code ignored;
    fs::remove_all(spare, ignored);
    return ::symlink(target.c_str(), spare.c_str()) == 0;
  }
  bool one_is_link() const {
    std::error_code ignored;
    return fs::is_symlink(fs::symlink_status(name, ignored)) || fs::is_symlink(fs::symlink_status(spare, ignored));
  }
  // Swaps back and forth, so the name is usually what it was. Returns the number of swaps.
  unsigned swap() const {
    unsigned done = 0;
    for (int i = 0; i < 2; ++i)
      if (::renameat2(AT_FDCWD, name.c_str(), AT_FDCWD, spare.c_str(), RENAME_EXCHANGE) == 0) ++done;
    return done;
  }
};

struct Race {
  World world;
  std::uint64_t goal = 0;
  std::uint64_t seed = 0;
};

// The counts are returned in Answers: `other` has the swaps.
Answers race(const void* argument) {
  const auto& [world, goal, seed] = *static_cast<const Race*>(argument);
  Names names;
  write_everything(world, names, 1);  // create everything that is to be swapped
  std::vector<Pair> pairs;
  const auto add = [&](const std::string& name, const std::string& target) {
    pairs.push_back({world.store(name), world.store(name + ".spare"), world.outside(target)});
  };
  add("d", "directory");
  add(names.log, "file.txt");
  add(names.document, "directory/document.json");
  for (const char* folder : {"tmp", "backup", "sums", "counters", "leases", "corrupt"})
    add(".holdfast/" + std::string(folder), "empty");
  add(".holdfast/journal", "directory/file.txt");
  add(".holdfast/lock", "empty/made");
  add("../a/.holdfast", "directory");

  std::atomic<std::uint64_t> swaps{0}, writes{0}, worked{0}, refused{0};
  std::atomic<bool> stop{false};
  {
    std::vector<std::jthread> writers;
    for (unsigned i = 0; i < kWriters; ++i)
      writers.emplace_back([&, i] {
        for (std::uint64_t round = 2 + i; !stop; round += kWriters) {
          Names own = names;
          own.tear = false;
          if (i > 0) own.lease = "desk" + std::to_string(i);
          const Answers answers = write_everything(world, own, round);
          worked += answers.worked;
          refused += answers.unsafe;
          writes += answers.worked + answers.unsafe + answers.other;
        }
      });
    Random random(seed);
    while (swaps < goal || writes < goal / 20) {
      const Pair& pair = pairs[random.below(pairs.size())];
      if (!pair.one_is_link()) pair.lay_link();
      for (std::uint64_t i = 0; i < kLook; ++i) swaps += pair.swap();
    }
    stop = true;
  }
  Answers answers;
  answers.worked = static_cast<std::uint32_t>(worked);
  answers.unsafe = static_cast<std::uint32_t>(refused);
  answers.other = static_cast<std::uint32_t>(swaps);
  return answers;
}

}  // namespace

void race_with_links(const Options& options, const World& world, std::uint64_t goal, Outcome& outcome) {
  world.clear();
  const auto before = world.look();
  const Race each{world, goal, options.seed};
  Answers answers;
  const std::string wrong = in_child(kLongest, answers, race, &each);
  if (!wrong.empty()) outcome.fail(&Outcome::wrong, "the swap race: " + wrong);
  expect_untouched(before, world.look(), "the swap race", outcome);
  outcome.cases += answers.other;
  if (answers.worked == 0 || answers.unsafe == 0) outcome.fail(&Outcome::wrong, "the swap race tried nothing");
  outcome.note = "; in the race " + std::to_string(answers.worked) + " writes worked, " +
                 std::to_string(answers.unsafe) + " were refused as unsafe_path";
}

}  // namespace holdfast::lab
