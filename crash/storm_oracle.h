// What must hold for the stores of a storm, according to the reports in the
// pipes. First take() everything, then verify() once no child is alive.
#pragma once

#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "lab.h"
#include "storm_wire.h"

namespace holdfast::lab {

// A log and every record that any writer intended to write to it.
class LogOracle {
 public:
  LogOracle(std::uint64_t seed, std::string root, std::string path, bool shared)
      : seed_(seed), root_(std::move(root)), path_(std::move(path)), shared_(shared) {}

  const std::string& root() const { return root_; }
  const std::string& path() const { return path_; }
  bool shared() const { return shared_; }
  std::uint64_t acknowledged() const { return acknowledged_; }

  void take(const Job& job, const Message& message);

  // Opens the log for writing (which repairs it), then reads it twice, with
  // LogReader and with a simple line splitter. Every acknowledged record must be
  // there once, whole, where the acknowledgement said; nothing may be there that
  // nobody wrote; what a reader once saw must still be there; damage may only be
  // what killed writers left, and never in a log of ours.
  // `where` says how to replay it.
  void verify(Outcome& outcome, const std::string& where);

  // Lets the last writer die in the middle of a line: the next one must neither
  // append to that line nor lose it without a copy.
  void tear_and_append(Outcome& outcome, const std::string& where);

  // Results of the last verify().
  struct Figures {
    std::uint64_t records = 0;  // whole records that LogReader returned
    std::uint64_t bytes = 0;
    std::uint64_t damaged = 0;  // lines that are not one whole record
    std::uint64_t salvaged = 0;
    std::uint64_t glued_late = 0;  // our record after a foreign fragment that came between check and write
    std::uint64_t prefixed = 0;    // our record on its own line after a fragment
  };
  const Figures& figures() const { return figures_; }
  std::vector<std::uint64_t> damaged_lines;  // offsets found by the splitter

 private:
  struct Entry {
    bool acked = false;
    std::uint64_t offset = UINT64_MAX;  // from the acknowledgement
    std::uint64_t seen = UINT64_MAX;    // where a reader saw it
    std::uint64_t found = 0;            // times found by LogReader
    std::uint64_t split = 0;            // times found by the splitter
  };
  struct Piece {
    std::optional<RecordName> name;  // nullopt if it is cut before its name
    bool whole = false;
  };
  static std::uint64_t key(RecordName name) { return name.writer << 24U | name.sequence; }

  void read_with_library(Outcome& outcome, const std::string& where);
  void split_lines(Outcome& outcome, const std::string& where);
  bool explain(std::string_view line, std::vector<Piece>& pieces);
  bool is_fragment(std::string_view text) const;
  void judge_line(Outcome& outcome, const std::string& where, std::uint64_t offset, std::string_view line);
  std::string tell(std::uint64_t key) const;

  std::uint64_t seed_;
  std::string root_;
  std::string path_;
  bool shared_;
  std::uint64_t acknowledged_ = 0;
  std::unordered_map<std::uint64_t, Entry> entries_;
  std::set<std::uint64_t> foreign_;
  std::set<std::uint64_t> damage_;  // offsets reported by LogReader
  Figures figures_;
  bool after_fragment_ = false;  // split_lines: the previous line ended in a foreign fragment
};

// Documents, commits, numbers and leases.
class StoreOracle {
 public:
  // Commits span both roots; everything else is in the first.
  StoreOracle(std::string one, std::string two) : one_(std::move(one)), two_(std::move(two)) {}

  void take(const Job& job, const Message& message);
  void verify(Outcome& outcome, const std::string& where, Random& random);
  std::uint64_t acknowledged() const { return acknowledged_; }

 private:
  // Numbers that increase by one: who acknowledged which, and who may have
  // written which without a report (killed between intent and acknowledgement).
  struct NumberSequence {
    std::map<std::uint64_t, std::vector<std::uint64_t>> acked;
    std::map<std::uint64_t, std::set<std::uint64_t>> open;  // number -> writers
    void take(const Message& message);
    void verify(Outcome& outcome, const std::string& where, std::uint64_t reached) const;
  };
  void verify_document(Outcome& outcome, const std::string& where);
  void verify_commit(Outcome& outcome, const std::string& where, Random& random);
  void verify_leases(Outcome& outcome, const std::string& where) const;

  std::string one_;
  std::string two_;
  std::uint64_t acknowledged_ = 0;
  NumberSequence document_;
  NumberSequence commit_;
  std::map<std::uint64_t, std::vector<std::uint64_t>> numbers_;  // number -> writers
  struct Hold {
    std::uint64_t from = 0;
    std::uint64_t until = 0;  // the last time it was certain
    std::uint64_t writer = 0;
  };
  std::vector<Hold> holds_;
  std::map<std::uint64_t, std::size_t> holding_;  // writer -> its latest hold
};

std::string read_all(const std::string& path);

}  // namespace holdfast::lab
