#include "model/deduplicate_usage.h"

#include <string_view>
#include <unordered_map>

#include "model/usage_figures.h"

namespace holdfast::inline v1 {

void deduplicate_usage(std::vector<Message>& messages) {
  std::unordered_map<std::string_view, Message*> first;  // by response
  for (Message& message : messages) {
    if (message.response.empty() || (!message.usage && message.cost.empty())) continue;
    const auto [at, fresh] = first.try_emplace(message.response, &message);
    if (fresh) continue;
    Message& kept = *at->second;
    if (message.usage) {
      keep_largest(kept.usage ? *kept.usage : kept.usage.emplace(), *message.usage);
      message.usage.reset();
    }
    if (kept.cost.empty()) kept.cost = std::move(message.cost);
    message.cost.clear();
  }
}

}  // namespace holdfast::inline v1
