#include "rules/upkeep/history.h"

#include <algorithm>
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

Result<SessionList> list_by_creation(const Context& context, Store& store, SessionFilter filter) {
  const std::size_t limit = std::exchange(filter.limit, 0);
  const std::size_t skip = std::exchange(filter.skip, 0);
  HOLDFAST_LET(list, store.list(context, filter));
  std::ranges::sort(list.sessions, [](const Session& a, const Session& b) {
    return a.created_at != b.created_at ? a.created_at > b.created_at : a.id < b.id;
  });
  list.sessions.erase(list.sessions.begin(),
                      list.sessions.begin() + static_cast<std::ptrdiff_t>(std::min(skip, list.sessions.size())));
  if (limit != 0 && list.sessions.size() > limit) list.sessions.resize(limit);
  return list;
}

}  // namespace holdfast::inline v1
