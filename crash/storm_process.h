// A child of the storm as its parent sees it, and the loop that starts and kills children.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "lab.h"
#include "layout/moment.h"
#include "storm_wire.h"

namespace holdfast::lab {

using Moment = std::chrono::steady_clock::time_point;

// One running child. The destructor kills and reaps it.
class Child {
 public:
  // Starts `words`, with descriptor `pipe_fd` (3 or 1) as the write end of the pipe that is read here.
  Child(const std::vector<std::string>& words, int pipe_fd);
  Child(Child&& other) noexcept;
  Child& operator=(Child&&) = delete;
  ~Child();

  int fd() const { return fd_; }
  void kill();  // SIGKILL; does not reap
  bool killed() const { return killed_; }
  bool read_some(std::string& into);           // blocks; false at the end of the pipe
  int reap();                                  // waits; returns the status of waitpid
  std::string& pending() { return pending_; }  // bytes of an incomplete message

 private:
  pid_t pid_ = -1;
  int fd_ = -1;
  bool killed_ = false;
  std::string pending_;
};

// What a slot of the storm starts repeatedly.
struct Slot {
  std::function<Job(std::uint64_t writer, Random& random)> next;
  bool counts = true;  // its kills are counted
};

struct StormPlan {
  std::string program;
  std::uint64_t seed = 1;
  std::uint64_t kills = 0;
  std::vector<Slot> slots;
  std::function<void(const Job&, const Message&)> take;      // every message, in the order sent
  std::function<void(const Job&, std::string what)> broken;  // a child that died by itself, or hangs
};

// Kills children 0.2 to 30 ms after their first acknowledgement (some while they
// open), replaces them at once, and kills all at the end. Every pipe has been
// read to its end when this returns. Returns the number of kills that counted.
std::uint64_t run_storm(const StormPlan& plan, std::uint64_t& next_writer);

// Runs a program to its end and returns its standard output; nullopt if it
// could not be started or its exit code was not 0.
std::optional<std::string> output_of(const std::vector<std::string>& words);

// A new directory below `base`, removed with its content (unless HOLDFAST_LAB_KEEP is set, for debugging).
class ScratchDirectory {
 public:
  explicit ScratchDirectory(const std::string& base);
  ~ScratchDirectory();
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// /dev/shm if it exists, otherwise `otherwise`.
std::string memory_directory(const std::string& otherwise);

}  // namespace holdfast::lab
