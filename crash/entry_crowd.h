// One stream of entries that many processes write to at the same time, and that never is
// deleted. Nobody knows the order of their transactions in advance: at the end the log
// itself is read, line by line, and every answer must fit it.
// Thread-safety: one thread.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "entry_deeds.h"
#include "lab.h"

namespace holdfast::lab {

class EntryCrowd {
 public:
  static constexpr std::string_view kSession = "entries-crowd";

  // A new transaction, or one that somebody else has requested already, perhaps at this moment.
  EntryTransaction some(std::uint64_t number, Random& random);
  void sent(const EntryTransaction& transaction, std::uint64_t now);
  void answered(const EntryTransaction& transaction, const EntryAnswer& answer, std::uint64_t now);

  // `log`: its bytes; `seen`: what a reader sees. Counts broken promises.
  void judge(const std::string& log, const SeenEntries& seen, const StoreTraits& traits, const std::string& what,
             Outcome& outcome) const;

 private:
  struct Request {
    EntryTransaction transaction;
    std::uint64_t sent = 0, answered = 0;  // answered 0: never
    EntryAnswer answer;
  };
  std::vector<Request> requests_;               // by number of attempt, in order
  std::vector<EntryTransaction> transactions_;  // each once
  std::vector<ModelEntry> last_;                // what was appended last, as far as is known
};

}  // namespace holdfast::lab
