// Searches the text of sessions in the background of a screen: one search at a time, a new one
// stops the one before. Thread-safety: one thread. Lifetime: the stores must outlive the object.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

#include "api/dispatch.h"

namespace holdfast::inline v1 {

class ContentSearch {
 public:
  // `filters`: parameters of session.list, which also select the sessions to search.
  ContentSearch(Stores& stores, std::string filters) : stores_(stores), filters_(std::move(filters)) {}
  ContentSearch(const ContentSearch&) = delete;
  ContentSearch& operator=(const ContentSearch&) = delete;
  ~ContentSearch() { stop(); }

  // Sets the words to search for; too few letters mean nothing. The search starts when the one before has ended.
  void want(const std::string& words);
  // Whether a search runs or is waiting to start.
  bool busy() const { return running_ != nullptr || !wanted_.empty(); }
  // Starts a waiting search. Returns the answer of session.search for the wanted words once it is there.
  std::optional<std::string> poll();
  void stop();

 private:
  struct Search {
    std::string words;
    std::stop_source stop;
    std::atomic<bool> done = false;
    std::string answer;  // empty if the search failed; read when done
    std::jthread thread;
  };
  void begin();
  std::string params_for(const std::string& words) const;

  Stores& stores_;
  std::string filters_, wanted_;
  std::unique_ptr<Search> running_;
};

}  // namespace holdfast::inline v1
