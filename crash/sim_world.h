// A small world on a simulated disk: two roots with logs, documents, a symbolic
// link and a counter, a few writers that change them through the library, and an
// oracle that knows what was acknowledged.
#pragma once

#include <holdfast/append_log.h>
#include <holdfast/commit.h>
#include <holdfast/counter.h>
#include <holdfast/document.h>

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "crash/disk/sim_file_system.h"

namespace holdfast::lab {

inline constexpr const char* kRootA = "/a";
inline constexpr const char* kRootB = "/b";
inline constexpr const char* kLogs[] = {"ours.jsonl", "deep/er/shared.jsonl"};  // in root A

// One line that a writer wrote or tried to write.
struct Line {
  std::string text;
  bool foreign = false;
  Durability acknowledged = Durability::none;  // power: must survive everything
  bool commit = false;                         // part of a commit, and checked with it
  std::uint64_t began = 0;                     // when the call was made, in events of the world
  std::uint64_t ended = UINT64_MAX;            // when it returned: what began later comes later
};

struct OracleLog {
  std::vector<Line> lines;             // in the order of the attempts
  std::vector<std::string> fragments;  // torn bytes that must never disappear without a copy

  // Everything acknowledged by event `before` is durable now.
  void synced(std::uint64_t before = UINT64_MAX);
};

// The values that a group of names may show, all of the same generation.
struct OracleGroup {
  std::uint64_t acknowledged = 0;          // generation; 0: none yet
  std::optional<std::uint64_t> in_flight;  // may have happened
  std::vector<std::uint64_t> undecided;    // failed with an error: may still happen, in this order
};

// A number in a document that is read, incremented and written back.
struct OracleCount {
  std::uint64_t acknowledged = 0;  // increments
  std::uint64_t undecided = 0;     // in flight, or failed with an error: may have happened, or may still happen
};

struct Oracle {
  OracleLog logs[2];
  OracleGroup document;  // A/one.json
  OracleGroup commit;    // A/two.json, B/sub/three.json, A/latest, line in A/ours.jsonl
  bool removed = false;  // the removal of A/one.json was acknowledged
  bool removing = false;
  OracleCount count;                                 // A/count.json
  OracleCount tally;                                 // A/tally.json and B/tally.json, in one commit
  std::set<std::uint64_t> numbers;                   // handed out
  std::map<std::uint64_t, std::string> generations;  // commit generation -> its log line
};

std::string count_text(std::uint64_t count);
std::string document_text(std::uint64_t generation);
std::optional<std::uint64_t> generation_of(std::string_view document);

// The operations of a workload; each is one call of the library or one action of a foreign program.
enum class Op {
  append,          // ours, power
  append_batch,    // ours, three records, power
  append_process,  // ours, process
  append_shared,   // shared, power
  foreign_line,    // another program appends a whole line to the shared log
  foreign_torn,    // another program is killed in the middle of its write
  replace,         // document
  remove,          // document
  commit,          // two roots, two documents, a log, a link
  number,          // counter
  reopen,          // close everything and open again
  torn_tail,       // one of our writers died in the middle of a write; reopen
  increment,       // document: expects the revision that it read, and retries
  tally,           // the same in a commit over both roots
  count
};
inline constexpr int kOpCount = static_cast<int>(Op::count);
inline constexpr int kSimpleOpCount = static_cast<int>(Op::increment);  // operations of which T1 tries all triples
const char* op_name(Op op);

class World {
 public:
  explicit World(std::uint64_t seed, unsigned writers = 1);

  SimFileSystem& disk() { return *disk_; }
  const Oracle& oracle() const { return oracle_; }

  // Runs one operation with one of the writers and records it in the oracle. An
  // error of the library is a result here, not a failure.
  Result<void> perform(Op op, unsigned writer = 0);

  // Lets this writer see the disk through `way`, which must outlive its handles.
  void lead(unsigned writer, FileSystem& way, const Context& context);

  // Closes all handles, as if the writers' processes ended silently.
  void drop_handles();

 private:
  struct Writer {
    FileSystem* way = nullptr;  // the disk itself by default
    Context context;
    std::shared_ptr<Root> a, b;
    std::unique_ptr<AppendLog> logs[2];
  };

  void close(Writer& writer);
  Result<void> open_roots(Writer& writer);
  Result<AppendLog*> open_log(Writer& writer, int which);
  Result<void> append(Writer& writer, int which, int count, Durability durability);
  Result<void> replace(Writer& writer);
  Result<void> remove(Writer& writer);
  Result<void> commit(Writer& writer);
  Result<void> increment(Writer& writer);
  Result<void> tally(Writer& writer);
  std::string new_line(std::size_t padding);

  std::unique_ptr<SimFileSystem> disk_;
  std::vector<Writer> writers_;
  Oracle oracle_;
  std::uint64_t next_id_ = 1;
  std::uint64_t generation_ = 0;
  std::uint64_t now_ = 0;  // number of events so far
};

}  // namespace holdfast::lab
