// What the callers of a store were told: the oracle of the second floor. A store
// is a set of shelves, on which things are put one after the other and stay (the
// messages of a session, the runs of a project), and of slots, which hold one
// value at a time (a title, where a session is, an active mission).
//
// What is acknowledged is there, once and unchanged; what was refused is not
// there, now or later; what is in flight may be either. Plain values.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lab.h"

namespace holdfast::lab {

enum class Fate {
  attempted,  // in flight, or its caller died before an answer
  refused,    // an error was answered: it is not there, ever
  unknown,    // the error itself says that it may survive or not
  committed,  // the error itself says that the next change finishes it
  process,    // acknowledged; a power loss may take it
  power,      // acknowledged
};

// Of an error, by the name of its code.
Fate fate_of(std::string_view code);

struct LedgerShelf {
  struct Item {
    std::uint64_t number = 0;  // in the order of the attempts
    Fate fate = Fate::attempted;
  };
  std::map<std::string, Item> items;
  std::string owner;  // a slot; unless that is "live", the shelf is not looked at
};

struct LedgerSlot {
  std::string value;                     // acknowledged; empty: nothing is there
  std::vector<std::string> possible;     // in flight or unknown
  std::string owner;                     // as a shelf's
  std::optional<std::string> committed;  // takes the place of `value` as soon as somebody has finished it
};

// What can be seen of a store by reading it.
struct Picture {
  std::map<std::string, std::vector<std::string>> shelves;
  std::map<std::string, std::string> slots;
  std::vector<std::string> altered;  // things that are not as they were given
  std::vector<std::string> damage;   // "kind file: consequence", as verify says it
};

struct Judgement {
  bool power_loss = false;  // else only processes died
  bool ordered = true;      // one writer: messages stand in the order of their attempts
  bool finished = true;     // what was left to the next change is done
};

class Ledger {
 public:
  void attempt(const std::string& shelf, const std::string& thing);
  void settle(const std::string& shelf, const std::string& thing, Fate fate);
  // Everything on the shelf that was acknowledged is on the medium now.
  void synced(const std::string& shelf);

  void attempt_value(const std::string& slot, const std::string& value);
  void settle_value(const std::string& slot, const std::string& value, Fate fate);

  // What belongs to a session is seen while that is.
  void own_shelf(const std::string& shelf, const std::string& owner) { shelves_[shelf].owner = owner; }
  void own_slot(const std::string& slot, const std::string& owner) { slots_[slot].owner = owner; }

  // A thing that was made under a name of the ledger's got its own.
  void rename(const std::string& from, const std::string& to);

  const std::string& value(const std::string& slot) const;
  bool certain(const std::string& slot) const;  // nothing is in flight there
  bool knows(const std::string& slot) const { return slots_.contains(slot); }

  std::map<std::string, LedgerShelf>& shelves() { return shelves_; }
  const std::map<std::string, LedgerShelf>& shelves() const { return shelves_; }
  const std::map<std::string, LedgerSlot>& slots() const { return slots_; }

  // Counts what is not as it was promised; true when all is.
  bool compare(const Picture& picture, const Judgement& judgement, const std::string& what, Outcome& outcome) const;

 private:
  std::map<std::string, LedgerShelf> shelves_;
  std::map<std::string, LedgerSlot> slots_;
  std::uint64_t next_ = 0;
};

}  // namespace holdfast::lab
