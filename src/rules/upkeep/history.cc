#include "rules/upkeep/history.h"

#include <utility>

namespace holdfast::inline v1 {

Result<Transcript> read_agent_messages(const Context& context, Store& store, std::string_view id,
                                       std::string_view agent, TranscriptQuery query) {
  const std::size_t last = std::exchange(query.last, 0);
  HOLDFAST_LET(transcript, store.read(context, id, query));
  std::erase_if(transcript.messages, [&](const Message& message) { return message.agent != agent; });
  if (last != 0 && transcript.messages.size() > last) {
    transcript.messages.erase(transcript.messages.begin(),
                              transcript.messages.end() - static_cast<std::ptrdiff_t>(last));
  }
  return transcript;
}

}  // namespace holdfast::inline v1
