// Reads one transcript: its messages, the end of the active branch, and what the flat
// records say about the session. Thread-safety: one thread per object.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "layout/claude_code/record.h"
#include "layout/layout.h"
#include "model/id_set.h"

namespace holdfast::inline v1::claude_code {

class SessionReader {
 public:
  SessionReader(Feed& feed, const SessionRef& ref, const Layout::ReadOptions& options, Events& events)
      : feed_(feed), ref_(ref), options_(options), events_(events) {}

  Result<void> read();
  // Implements PartialReader::read_part.
  Result<void> read_part();
  // Reads what is beside the transcript: a title that the transcript may override.
  Result<void> read_head();

 private:
  bool take(const FeedRecord& record);
  bool take_message(Record& record, const FeedRecord& from);
  void take_summary(Record& record);
  void note_directory(const std::string& cwd);
  void link(const Message& message);
  void read_back(Message& message);
  std::string active_leaf() const;
  std::string state() const;
  void go_on(std::string_view state);
  Result<void> read_side_files();
  Result<std::string> starter();

  Feed& feed_;
  const SessionRef& ref_;
  const Layout::ReadOptions& options_;
  Events& events_;
  ParseCache seen_;
  SessionFacts facts_;
  std::string session_;      // the first sessionId
  std::string not_project_;  // the last cwd that is not the project's
  std::string title_;
  std::string summary_;
  std::string summary_of_other_, summary_about_;  // the last summary of a message not yet seen, and its id
  std::string last_;                              // id of the last message
  std::string began_;
  std::set<std::string> subagents_;
  std::size_t side_roots_ = 0;
  // The tree by numbers: the last child of each message. Filled only when messages are kept.
  IdSet ids_;
  std::vector<std::size_t> last_child_;
  std::vector<std::string> names_;
  std::string leaf_;
};

}  // namespace holdfast::inline v1::claude_code
