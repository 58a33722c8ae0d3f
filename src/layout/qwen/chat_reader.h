// Reading one chat: its messages, and what its records and its folder say of the
// session. Thread-safety: one thread an object.
#pragma once

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
  Result<void> look_beside();
  Result<void> read_agent_document();

  Feed& feed_;
  const SessionRef& ref_;
  const Layout::ReadOptions& options_;
  Events& events_;
  SessionFacts facts_;
  OpenTurn turn_;
  std::string response_;  // of the assistant records that follow each other
  bool priced_ = false;   // one of them had the usage
  bool task_told_ = false;
  bool any_ = false;
  std::int64_t started_ = 0;
};

}  // namespace holdfast::inline v1::qwen
