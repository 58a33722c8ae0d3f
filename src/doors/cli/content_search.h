// What was said in sessions, looked for beside a screen that goes on: one search at a time, the
// one before is stopped. One thread uses it; the stores outlive it.
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
  // `filters`: those of session.list, which also choose the sessions that are looked through.
  ContentSearch(Stores& stores, std::string filters) : stores_(stores), filters_(std::move(filters)) {}
  ContentSearch(const ContentSearch&) = delete;
  ContentSearch& operator=(const ContentSearch&) = delete;
  ~ContentSearch() { stop(); }

  // Words to look for; too few letters: nothing. Begins as soon as the search before has ended.
  void want(const std::string& words);
  // Whether one runs or waits to begin.
  bool busy() const { return running_ != nullptr || !wanted_.empty(); }
  // Begins what waits; the answer of session.search for the words that are wanted, once it is there.
  std::optional<std::string> poll();
  void stop();

 private:
  struct Search {
    std::string words;
    std::stop_source stop;
    std::atomic<bool> done = false;
    std::string answer;  // empty: it failed; read when done
    std::jthread thread;
  };
  void begin();
  std::string params_for(const std::string& words) const;

  Stores& stores_;
  std::string filters_, wanted_;
  std::unique_ptr<Search> running_;
};

}  // namespace holdfast::inline v1
