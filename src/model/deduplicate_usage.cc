#include "model/deduplicate_usage.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

namespace holdfast::inline v1 {

void deduplicate_usage(std::vector<Message>& messages) {
  std::unordered_map<std::string_view, Message*> first;  // by response
  for (Message& message : messages) {
    if (message.response.empty() || (!message.usage && message.cost.empty())) continue;
    const auto [at, fresh] = first.try_emplace(message.response, &message);
    if (fresh) continue;
    Message& kept = *at->second;
    if (message.usage) {
      Usage& into = kept.usage ? *kept.usage : kept.usage.emplace();
      for (const auto figure :
           {&Usage::input, &Usage::output, &Usage::cache_read, &Usage::cache_write, &Usage::reasoning})
        into.*figure = std::max(into.*figure, (*message.usage).*figure);
      message.usage.reset();
    }
    if (kept.cost.empty()) kept.cost = std::move(message.cost);
    message.cost.clear();
  }
}

}  // namespace holdfast::inline v1
