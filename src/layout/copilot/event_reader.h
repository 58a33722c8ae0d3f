// Reading one session's events: its messages with the usage that other events
// record of them, and what the session says of itself. One thread an object.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "layout/copilot/event.h"
#include "layout/layout.h"
#include "model/id_set.h"

namespace holdfast::inline v1::copilot {

class EventReader {
 public:
  EventReader(Feed& feed, const SessionRef& ref, const Layout::ReadOptions& options, Events& events)
      : feed_(feed), ref_(ref), options_(options), events_(events) {}

  Result<void> read();

 private:
  bool take(const FeedRecord& record);
  bool tell(CopilotEvent& event);
  bool take_usage(CopilotEvent& event);
  void price(CopilotEvent& event);
  void link(CopilotEvent& event, std::uint64_t offset);
  void follow_turn(const CopilotEvent& event);
  void take_place(const CopilotEvent& event);
  Pending pending() const;
  Result<void> read_workspace();

  Feed& feed_;
  const SessionRef& ref_;
  const Layout::ReadOptions& options_;
  Events& events_;
  SessionFacts facts_;
  std::set<std::string> agents_;

  // Usage by API call: waiting for its answer; answers that wait for theirs.
  std::map<std::string, Message> unspent_;
  std::map<std::string, std::string> unpriced_;
  IdSet priced_;

  // The main agent's turn.
  bool open_ = false;          // somebody waits for an answer
  bool calls_ = false;         // the last answer asked for tools
  std::set<std::string> due_;  // calls without a result

  // The chain goes through events that are not told: for each event, by number,
  // the last message told up to it, of anybody and of the main agent.
  IdSet ids_;
  std::vector<std::size_t> told_, told_main_;
  std::vector<std::string> names_;  // of messages told; [0] is nobody
};

}  // namespace holdfast::inline v1::copilot
