// Reports the entries of one session, in stored order, and collects facts about the
// session. Thread-safety: one thread per object.
#pragma once

#include <string>
#include <string_view>

#include "layout/layout.h"
#include "layout/open_turn.h"

namespace holdfast::inline v1::pi {

class EntryReporter {
 public:
  EntryReporter(const Layout::ReadOptions& options, Events& events) : options_(options), events_(events) {}

  // Returns false if the events want no more.
  bool take(std::string_view entry, std::uint64_t offset);

  // Ends the session, unless no more was wanted. Reports `facts` merged with those from
  // the entries; `leaf` is the end of the active branch according to the store.
  void finish(SessionFacts facts, std::string_view leaf = {});

  // "parentSession" of the header.
  const std::string& parent_session() const { return parent_session_; }

 private:
  const Layout::ReadOptions& options_;
  Events& events_;
  OpenTurn turn_;
  std::string cwd_, created_, name_, leaf_, parent_session_;
  bool headed_ = false;
};

}  // namespace holdfast::inline v1::pi
