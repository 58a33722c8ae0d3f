// Messages name their session, so the messages of a session whose record is gone can be found, although no list has it.
#include <functional>
#include <map>

#include "layout/maestro/ids.h"
#include "layout/maestro/maestro_layout.h"
#include "layout/session_rescue.h"

namespace holdfast::inline v1::maestro {
namespace {

// Passes the session that each message of the thread names, until `take` returns false. An unreadable message is
// reported by whoever reads its thread.
Result<void> each_owner(Feed& feed, const std::string& thread, const std::function<bool(const std::string&)>& take) {
  HOLDFAST_LET(messages, feed.list(message_folder(thread)));
  for (const FeedEntry& entry : messages) {
    if (entry.directory || !entry.name.ends_with(".json")) continue;
    const auto bytes = feed.document(at("messages/" + thread + "/" + entry.name));
    if (!bytes || !*bytes) continue;
    const std::string session = JsonView(**bytes).find("sessionId").as_string().value_or("");
    if (session.empty() || session.find('/') != std::string::npos) continue;
    if (!take(session)) break;
  }
  return {};
}

class MaestroRescue final : public SessionRescue {
 public:
  Result<void> report_lost_sessions(Feed& feed) const override {
    HOLDFAST_LET(threads, feed.list(at("messages")));
    for (const FeedEntry& thread : threads)
      if (thread.directory) HOLDFAST_TRY(look_in(feed, thread.name));
    return {};
  }

 private:
  static Result<void> look_in(Feed& feed, const std::string& thread) {
    std::map<std::string, std::size_t> without;  // session -> number of messages
    std::map<std::string, bool> there;
    Result<void> looked;
    HOLDFAST_TRY(each_owner(feed, thread, [&](const std::string& session) {
      auto known = there.find(session);
      if (known == there.end()) {
        const auto stat = feed.stat(session_place(session));
        if (!stat) looked = fail(stat.error());
        if (!stat) return false;
        known = there.emplace(session, stat->has_value()).first;
      }
      if (!known->second) ++without[session];
      return true;
    }));
    HOLDFAST_TRY(looked);
    for (const auto& [session, count] : without) {
      std::string what = "the session " + session + " is not listed: its record is gone, and " + std::to_string(count);
      what.append(count == 1 ? " message of it is" : " messages of it are").append(" left; run holdfast message list");
      feed.complain(message_folder(thread), 0, "lost_session", what.append(" --thread " + thread + " to show them"));
    }
    return {};
  }
};

}  // namespace

Result<std::vector<std::string>> threads_naming(Feed& feed, std::string_view session) {
  std::vector<std::string> named;
  HOLDFAST_LET(threads, feed.list(at("messages")));
  for (const FeedEntry& thread : threads) {
    if (!thread.directory || !check_id("a thread", thread.name)) continue;
    bool found = false;
    HOLDFAST_TRY(each_owner(feed, thread.name, [&](const std::string& owner) {
      found = owner == session;
      return !found;
    }));
    if (found) named.push_back(thread.name);
  }
  return named;
}

const SessionRescue& rescue() {
  static const MaestroRescue agent;
  return agent;
}

}  // namespace holdfast::inline v1::maestro
