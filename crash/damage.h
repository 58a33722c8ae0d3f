// T7: a prepared store on a simulated disk, ways to damage one of its files, and what must still hold afterwards.
#pragma once

#include <holdfast/log_reader.h>
#include <holdfast/root.h>

#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "crash/disk/sim_file_system.h"
#include "lab.h"

namespace holdfast::lab {

// The file to damage.
enum class Victim { ours, shared, document, backup, pending, pointer, applied, side_car, poison, counter, count };
inline constexpr int kVictimCount = static_cast<int>(Victim::count);

enum class Harm {
  cut,        // the file ends here
  nul,        // ... followed by 64 NULs
  nul_block,  // ... followed by NULs up to the end of the 4 KiB block
  nul_line,   // ... followed by 64 NULs and a newline
  hole,       // 64 bytes become NUL
  flip0,
  flip1,
  flip2,
  flip3,
  flip4,
  flip5,
  flip6,
  flip7,
  over,         // overwrites 1 to 16 bytes with random ones
  over_long,    // the same with 17 to 300 bytes
  insert,       // inserts 1 to 16 random bytes
  insert_line,  // the same, with a newline among them
  count
};
inline constexpr int kHarmCount = static_cast<int>(Harm::count);

inline bool is_flip(Harm harm) { return harm >= Harm::flip0 && harm <= Harm::flip7; }
inline bool is_garbage(Harm harm) { return harm >= Harm::over; }

struct DamageCase {
  std::uint64_t variant = 0;  // of the store
  Victim victim = Victim::ours;
  std::size_t at = 0;
  Harm harm = Harm::cut;

  std::string text() const;  // "3:ours:1204:flip5"
  static bool parse(std::string_view text, DamageCase& out);
};

// One log: its records in order, their positions, and which of them the side-car covers.
struct WrittenLog {
  struct Line {
    std::string text;
    std::size_t begin = 0;
    std::size_t end = 0;  // just after the newline
    bool covered = false;
  };
  std::string path;  // relative to root A
  std::vector<Line> lines;
  std::unordered_map<std::string_view, std::size_t> index;
};

// Never changes after it was made: every case works on a clone.
struct DamageStore {
  std::uint64_t variant = 0;
  std::unique_ptr<SimFileSystem> quiet;     // a commit is done, and its journal says so
  std::unique_ptr<SimFileSystem> pending;   // the next commit died after its journal was written
  std::unique_ptr<SimFileSystem> poisoned;  // like quiet, but a sync of the log `ours` failed
  std::array<WrittenLog, 2> logs;           // ours, shared
  std::string document, backup;
  std::uint64_t done = 0;                       // generation of the finished commit
  std::uint64_t begun = 0;                      // ... of the interrupted one
  std::string begun_line;                       // its line in the log `ours`
  std::uint64_t number = 0;                     // highest number handed out
  std::array<std::string, kVictimCount> bytes;  // of each victim, undamaged

  const SimFileSystem& disk(Victim victim) const;
};

const char* victim_name(Victim victim);
std::string victim_path(Victim victim);  // absolute

// Deterministic for a seed. nullptr if the store cannot be made; then `why` has the reason.
std::unique_ptr<DamageStore> make_damage_store(std::uint64_t seed, std::uint64_t variant, std::string& why);

// The bytes after one harm: [begin, old_end) became [begin, new_end).
struct Damaged {
  std::string bytes;
  std::size_t begin = 0;
  std::size_t old_end = 0;
  std::size_t new_end = 0;
};
Damaged damage(std::string_view bytes, std::size_t at, Harm harm, std::uint64_t seed);

// The number of bits flipped in lines of the logs, and how many of them a parser cannot detect.
struct FlipTally {
  std::atomic<std::uint64_t> flips{0};
  std::atomic<std::uint64_t> silent{0};
};

// Damages a clone of the store and uses it as the next process would.
void check_damage(const DamageStore& store, const DamageCase& which, std::uint64_t seed, FlipTally& tally,
                  Outcome& outcome);

// The record that is appended to each log after the damage.
inline constexpr std::string_view kProbe = "{\"probe\":\"after the damage\"}";

// How to read the logs after that harm.
ReadOptions damage_read_options(Harm harm);

// Reads the last records from the end. Returns what is wrong if they differ from `all`.
std::string compare_tail(Root& root, const std::string& path, Harm harm, const std::vector<std::string>& all);

// Whether a file in the quarantine has exactly these bytes.
bool quarantined(SimFileSystem& disk, Root& root, std::string_view bytes);

// Loads one.json, which contains `now`, in every way; the last one repairs it.
using Report = std::function<void(std::uint64_t Outcome::*, const std::string&)>;
void expect_document(SimFileSystem& disk, Root& root, const std::string& now, const std::string& backup,
                     const Report& broken);

// Takes two numbers from the counter: both must be above `highest`, and different.
void expect_numbers(const std::shared_ptr<Root>& root, std::uint64_t highest, const Report& broken);

}  // namespace holdfast::lab
