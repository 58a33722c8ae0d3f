// What the callers of a store were told: the oracle for stores. A store is a set
// of shelves, to which things are added and where they stay (the messages of a
// session, the runs of a project), and of slots, which have one value at a time
// (a title, where a session is, an active mission).
//
// What is acknowledged is there, once and unchanged; what was refused is never
// there; what is in flight may or may not be there. Plain values.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "entry_model.h"
#include "lab.h"

namespace holdfast::lab {

enum class Fate {
  attempted,  // in flight, or its caller died before the answer
  refused,    // failed: it is not there, and never will be
  unknown,    // failed with an error that says it may survive or not
  committed,  // failed with an error that says the next change finishes it
  process,    // acknowledged; a power loss may lose it
  power,      // acknowledged
};

// The fate that an error implies, by the name of its code.
Fate fate_of(std::string_view code);

struct LedgerShelf {
  struct Item {
    std::uint64_t number = 0;  // in the order of the attempts
    Fate fate = Fate::attempted;
  };
  std::map<std::string, Item> items;
  std::string owner;  // a slot; the shelf is checked only while its value is "live"
};

struct LedgerSlot {
  std::string value;                     // acknowledged; empty: nothing is there
  std::vector<std::string> possible;     // in flight or unknown
  std::string owner;                     // like a shelf's
  std::optional<std::string> committed;  // replaces `value` as soon as a process has finished it
};

// The visible content of a store.
struct Picture {
  std::map<std::string, std::vector<std::string>> shelves;
  std::map<std::string, std::string> slots;
  std::map<std::string, SeenStreams> entries;  // by session
  std::vector<std::string> altered;            // things that differ from what was written
  std::vector<std::string> damage;             // "kind file: consequence", as reported by verify
};

struct Judgement {
  bool power_loss = false;  // otherwise only processes died
  bool ordered = true;      // one writer: messages are in the order of their attempts
  bool finished = true;     // what was left to the next change is done
};

class Ledger {
 public:
  void attempt(const std::string& shelf, const std::string& thing);
  void settle(const std::string& shelf, const std::string& thing, Fate fate);
  // Everything acknowledged on the shelf is on the medium now.
  void synced(const std::string& shelf);

  void attempt_value(const std::string& slot, const std::string& value);
  void settle_value(const std::string& slot, const std::string& value, Fate fate);

  // Things of a session are visible only while the session is.
  void own_shelf(const std::string& shelf, const std::string& owner) { shelves_[shelf].owner = owner; }
  void own_slot(const std::string& slot, const std::string& owner) { slots_[slot].owner = owner; }

  // A thing with a provisional name in the ledger got its real one.
  void rename(const std::string& from, const std::string& to);

  const std::string& value(const std::string& slot) const;
  bool certain(const std::string& slot) const;  // nothing is in flight there
  EntryModel& entries() { return entries_; }
  const EntryModel& entries() const { return entries_; }
  bool knows(const std::string& slot) const { return slots_.contains(slot); }

  std::map<std::string, LedgerShelf>& shelves() { return shelves_; }
  const std::map<std::string, LedgerShelf>& shelves() const { return shelves_; }
  const std::map<std::string, LedgerSlot>& slots() const { return slots_; }

  // Counts broken promises; returns true if there are none.
  bool compare(const Picture& picture, const Judgement& judgement, const std::string& what, Outcome& outcome) const;

 private:
  std::map<std::string, LedgerShelf> shelves_;
  std::map<std::string, LedgerSlot> slots_;
  EntryModel entries_;
  std::uint64_t next_ = 0;
};

}  // namespace holdfast::lab
