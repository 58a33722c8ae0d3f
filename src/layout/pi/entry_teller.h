// Says the entries of one session, in stored order, and keeps what they say of
// the session as a whole. Thread-safety: one thread an object.
#pragma once

#include <string>
#include <string_view>

#include "layout/layout.h"
#include "layout/open_turn.h"

namespace holdfast::inline v1::pi {

class EntryTeller {
 public:
  EntryTeller(const Layout::ReadOptions& options, Events& events) : options_(options), events_(events) {}

  // False: no more wanted.
  bool take(std::string_view entry, std::uint64_t offset);

  // The end of the session, unless no more was wanted. `facts` are said with
  // what the entries tell; `leaf` is the store's own word on the active branch.
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
