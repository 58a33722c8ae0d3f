#include "doors/cli/content_search.h"

#include <algorithm>
#include <utility>

#include "base/start_thread.h"
#include "text/json_value.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kLeastLetters = 3;

}  // namespace

void ContentSearch::want(const std::string& words) {
  wanted_ = words.size() < kLeastLetters ? std::string() : words;
  if (running_ != nullptr && running_->words != wanted_) running_->stop.request_stop();
}

std::optional<std::string> ContentSearch::poll() {
  std::optional<std::string> answer;
  if (running_ != nullptr && running_->done) {
    if (!running_->stop.stop_requested()) {
      answer = std::move(running_->answer);
      if (running_->words == wanted_) wanted_.clear();
    }
    running_.reset();
  }
  if (running_ == nullptr && !wanted_.empty()) begin();
  return answer && !answer->empty() ? answer : std::nullopt;
}

void ContentSearch::stop() {
  wanted_.clear();
  if (running_ != nullptr) running_->stop.request_stop();
  running_.reset();  // waits for its end
}

std::string ContentSearch::params_for(const std::string& words) const {
  JsonWriter params;
  params.begin_object().key("words").begin_array();
  for (std::size_t at = 0; at < words.size();) {
    const std::size_t end = std::min(words.find(' ', at), words.size());
    if (end > at) params.string(std::string_view(words).substr(at, end - at));
    at = end + 1;
  }
  params.end_array().key("limit").int64(500);
  for (const std::string_view key : {"agent", "project", "since", "until", "status", "layout", "subagents", "store"})
    if (const JsonView value = JsonView(filters_).find(key)) params.key(key).raw(value.raw());
  return params.end_object().take();
}

void ContentSearch::begin() {
  running_ = std::make_unique<Search>();
  Search& search = *running_;
  search.words = wanted_;
  search.thread = start_thread([this, &search, params = params_for(search.words)] {
    Context context;
    context.stop = search.stop.get_token();
    if (auto answer = dispatch(context, stores_, "session.search", params)) search.answer = std::move(*answer);
    search.done = true;
  });
  if (search.thread.joinable()) return;
  running_.reset();  // no thread available: search by names only
  wanted_.clear();
}

}  // namespace holdfast::inline v1
