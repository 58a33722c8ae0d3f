// Reads one session: its header, wherever it is, its messages as a tree, and what is
// wrong with the file. Thread-safety: one thread per object.
#pragma once

#include <string>
#include <vector>

#include "layout/layout.h"
#include "layout/open_agent/line.h"
#include "model/id_set.h"
#include "text/json_value.h"

namespace holdfast::inline v1::open_agent {

// What the side folder holds about a session; empty if nothing.
struct Side {
  std::string bytes;
  std::string folder;
  JsonView header;  // points into bytes
  bool there = false;
};
Result<Side> load_side(Feed& feed, std::string_view id);

// Line 1 if it is a header; else empty.
Result<std::string> first_header(Feed& feed, const SessionRef& ref);

// Line 1 merged with the side folder's header; a minimal header if there is neither.
Result<std::string> whole_header(Feed& feed, const SessionRef& ref);

class SessionReader {
 public:
  SessionReader(Feed& feed, const SessionRef& ref, const Layout::ReadOptions& options, Events& events)
      : feed_(feed), ref_(ref), options_(options), events_(events) {}

  Result<void> read_all();
  // Returns false if the last `count` records do not form a single branch.
  Result<bool> read_last(std::size_t count);
  Result<void> read_head();

 private:
  bool take(const FeedRecord& record);
  void place(ReadLine& line);
  void say_header(std::string_view line, std::uint64_t offset);
  void read_back(Message& message);
  Result<void> begin();

  Feed& feed_;
  const SessionRef& ref_;
  Layout::ReadOptions options_;
  Events& events_;
  Side side_;
  IdSet seen_;
  std::string before_;  // the parent of the next message, if it does not name one
  // Set while lines name no parent: where that began. If one of our lines follows one
  // of them, it follows the last: what another program appended between our read of the
  // log and our write is part of the conversation.
  std::optional<std::size_t> silent_since_;
  std::string leaf_;
  std::size_t records_ = 0;
  bool headed_ = false;
};

}  // namespace holdfast::inline v1::open_agent
