// Reads one chat: its messages, and facts about the session from its records and its
// folder. Thread-safety: one thread per object.
#pragma once

#include <set>
#include <string>

#include "layout/layout.h"
#include "layout/open_turn.h"
#include "layout/qwen/chat_record.h"

namespace holdfast::inline v1::qwen {

class ChatReader {
 public:
  ChatReader(Feed& feed, const SessionRef& ref, const Layout::ReadOptions& options, Events& events)
      : feed_(feed), ref_(ref), options_(options), events_(events) {}

  Result<void> read();

 private:
  bool take(const FeedRecord& from);
  bool is_subagent() const { return !ref_.hint.empty(); }
  void name_response(Message& message);
  void read_back(Message& message);
  Result<void> read_side_files();
  Result<void> read_agent_document();

  Feed& feed_;
  const SessionRef& ref_;
  const Layout::ReadOptions& options_;
  Events& events_;
  SessionFacts facts_;
  OpenTurn turn_;
  std::string response_;  // id of the response that consecutive assistant records belong to
  bool priced_ = false;   // one of those records had the usage
  bool task_told_ = false;
  bool any_ = false;
  std::int64_t started_ = 0;
  std::set<std::string> starts_;  // ids of the records that told so
};

}  // namespace holdfast::inline v1::qwen
