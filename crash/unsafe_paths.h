// The parts of T14: the tree outside the store that must never change, and
// everything that the library can be asked to write.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "lab.h"

namespace holdfast::lab {

// A directory with two stores `a` and `b`, and beside them a tree that no write
// may reach: `outside/file.txt`, `outside/directory/...`, `outside/empty`.
struct World {
  std::string path;

  std::string outside(const std::string& name = {}) const {
    return path + "/outside" + (name.empty() ? "" : "/" + name);
  }
  std::string store(const std::string& name = {}) const { return path + "/a" + (name.empty() ? "" : "/" + name); }

  static World make(const std::string& path);
  void clear() const;  // recreates everything

  // Type, mode, owner, size, time of change and bytes of everything outside the
  // stores, by path, including the names beside the stores.
  std::map<std::string, std::string> look() const;
};

// Two looks at the outside must be equal.
void expect_untouched(const std::map<std::string, std::string>& before, const std::map<std::string, std::string>& after,
                      const std::string& what, Outcome& outcome);

// The results of the operations.
struct Answers {
  std::uint32_t worked = 0;
  std::uint32_t unsafe = 0;
  std::uint32_t other = 0;  // refused with another code
  char broken[200] = {};    // a result that must never occur
};

// Does every kind of write, in both stores: open, append (ours, shared, new,
// onto a torn tail), replace, remove, load with a bad file moved aside, commit,
// counter, lease, with these names.
struct Names {
  std::string log = "d/log.jsonl";
  std::string shared = "d/shared.jsonl";
  std::string document = "d/document.json";
  std::string link = "link";
  std::string counter = "tickets";
  std::string lease = "desk";
  bool tear = true;  // leave torn tails to repair; not where that would make us follow a link or a ".." ourselves
};
Answers write_everything(const World& world, const Names& names, std::uint64_t round);

// Does at least `goal` swaps of names in the store with links that lead outside, while others write.
void race_with_links(const Options& options, const World& world, std::uint64_t goal, Outcome& outcome);

// Runs `work` in a separate process, which must end within `seconds`. Returns an empty string, or what went wrong.
std::string in_child(unsigned seconds, Answers& answers, Answers (*work)(const void*), const void* argument);

}  // namespace holdfast::lab
