#include "model/deduplicate_usage.h"

#include <string>
#include <string_view>
#include <unordered_map>

#include "model/usage_figures.h"

namespace holdfast::inline v1 {

namespace {

std::string_view name_of(const std::string& response) { return response; }
std::string name_of(const TextView& response) { return response.text(); }

template <typename AnyMessage>
void deduplicate(std::span<AnyMessage* const> messages) {
  std::unordered_map<decltype(name_of(AnyMessage().response)), AnyMessage*> first;  // by response
  for (AnyMessage* const message : messages) {
    if (message->response.empty() || (!message->usage && message->cost.empty())) continue;
    const auto [at, fresh] = first.try_emplace(name_of(message->response), message);
    if (fresh) continue;
    AnyMessage& kept = *at->second;
    if (message->usage) {
      keep_largest(kept.usage ? *kept.usage : kept.usage.emplace(), *message->usage);
      message->usage.reset();
    }
    if (kept.cost.empty()) kept.cost = std::move(message->cost);
    message->cost.clear();
  }
}

}  // namespace

void deduplicate_usage(std::vector<Message>& messages) {
  std::vector<Message*> all;
  for (Message& message : messages) all.push_back(&message);
  deduplicate_usage(all);
}

void deduplicate_usage(std::span<Message* const> messages) { deduplicate(messages); }
void deduplicate_usage(std::span<MessageView* const> messages) { deduplicate(messages); }

}  // namespace holdfast::inline v1
