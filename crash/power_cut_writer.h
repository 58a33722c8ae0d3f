// The writer of T4: a process that works on a Store until its disk loses power,
// and reports over a pipe what it was promised.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "power_cut_store.h"

namespace holdfast::lab {

enum class CutMode {
  mixed,      // two threads: one on the logs, one on everything
  documents,  // one thread, documents only: no other sync helps
  process,    // durability `process` with kShortInterval, and documents as a heartbeat
  died,       // a process appends with `process` and is killed; another one opens the store
};
inline constexpr std::chrono::milliseconds kShortInterval{20};

struct CutWork {
  CutMode mode = CutMode::mixed;
  std::string mount;
  std::string store;
  std::uint32_t first = 1;  // first number of each stream
  std::uint64_t seed = 1;
};

enum class Word : std::uint32_t { ready, acknowledged, failed, opened };

// Short enough for one atomic write to a pipe.
struct Report {
  Word word = Word::ready;
  std::uint32_t thread = 0;
  Stream stream = Stream::ours;
  std::uint32_t number = 0;
  std::uint64_t value = 0;
  std::int64_t ns = 0;
  bool proved = false;  // the power was still on afterwards (CutProof)
  char text[115] = {};
};
std::vector<Report> parse_reports(const std::string& said);

// Returns only if the store cannot be opened; otherwise runs until it is killed.
int write_until_cut(const CutWork& work, int report);

// The thread that appends with `process`, in the modes that have one.
inline constexpr std::uint32_t kProcessThread = 3;

}  // namespace holdfast::lab
