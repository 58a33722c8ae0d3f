// Reads one session's events: its messages, with the usage that other events record for
// them, and facts about the session. One thread per object.
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

  // By API call: usage that waits for its answer, and answers that wait for their usage.
  std::map<std::string, Message> unspent_;
  std::map<std::string, std::string> unpriced_;
  IdSet priced_;

  // The main agent's turn.
  bool open_ = false;          // an answer is due
  bool calls_ = false;         // the last answer made calls
  std::set<std::string> due_;  // calls without a result

  // Parents may be events that are not reported. For each event, by number: the last
  // message reported up to it, of any agent and of the main agent.
  IdSet ids_;
  std::vector<std::size_t> told_, told_main_;
  std::vector<std::string> names_;  // ids of reported messages; [0] is none
};

}  // namespace holdfast::inline v1::copilot
